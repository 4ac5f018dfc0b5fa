/** The delivery queue: what is due, per organisation, endpoint and lane. */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiled, type Db, type Tables } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectFanOutOrganisations } from './fan-out-queries.ts'

/** First attempts, retries and tests of an endpoint. Each lane has its own partial index. */
const LANES = ['new', 'retry', 'test'] as const
export type Lane = (typeof LANES)[number]

export interface WaitingDelivery {
  id: string
  type: string
  payload: unknown
  attempt_count: number
}

/** Must repeat the index conditions literally, or the planner does not use the partial indexes. */
const IN_LANE: Record<Lane, RawBuilder<boolean>> = {
  new: sql`webhook_deliveries.status = 'pending' and attempt_count = 0 and event_id is not null`,
  retry: sql`webhook_deliveries.status = 'pending' and attempt_count > 0 and event_id is not null`,
  test: sql`webhook_deliveries.status = 'pending' and event_id is null`,
}

/**
 * Tells for each lane whether the endpoint has a delivery that is due. A paused endpoint gets only tests. This compares the
 * first row of the lane with null instead of using `exists`, which planners may turn into a join over all pending deliveries.
 */
function due(eb: ExpressionBuilder<Tables, 'webhook_endpoints'>, now: string) {
  const first = (lane: Lane) =>
    eb
      .selectFrom('webhook_deliveries')
      .select('webhook_deliveries.id')
      .whereRef('webhook_deliveries.org_id', '=', 'webhook_endpoints.org_id')
      .whereRef('webhook_deliveries.endpoint_id', '=', 'webhook_endpoints.id')
      .where(IN_LANE[lane])
      .$if(lane === 'retry', (query) => query.where('next_attempt_at', '<=', now).orderBy('next_attempt_at'))
      .orderBy('webhook_deliveries.id')
      .limit(1)
  const ifActive = (expression: Expression<SqlBool>) => eb.and([eb('is_active', '=', true), expression])
  return {
    new: ifActive(eb(first('new'), 'is not', null)),
    retry: ifActive(eb(first('retry'), 'is not', null)),
    test: eb(first('test'), 'is not', null),
  }
}

const dueOrganisations = compiled((db: Db, now: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select('org_id')
    .distinct()
    .where((eb) => eb.or(Object.values(due(eb, now)))),
)

/** Across all organisations: those with a delivery that is due, or with events that lack their deliveries. */
export async function selectDueOrganisations(db: Db, now: string): Promise<OrgId[]> {
  const [due, waiting] = await Promise.all([dueOrganisations(db, now), selectFanOutOrganisations(db)])
  return [...new Set([...due.map(({ org_id }) => org_id), ...waiting])]
}

const dueLanes = compiled((db: Db, orgId: OrgId, now: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select((eb) => {
      const { new: firstAttempt, retry, test } = due(eb, now)
      const fanOut = eb
        .selectFrom('event_fan_outs')
        .select('batch_id')
        .where('event_fan_outs.org_id', '=', orgId)
        .limit(1)
      return [
        'id',
        firstAttempt.as('new'),
        retry.as('retry'),
        test.as('test'),
        eb(fanOut, 'is not', null).as('needs_fan_out'),
      ]
    })
    .where('org_id', '=', orgId),
)

export interface Due {
  /** The lanes with a delivery that is due. */
  lanes: { endpointId: string; lane: Lane }[]
  /** Whether there are events that lack their deliveries. */
  needsFanOut: boolean
}

/** What an organisation has to do now. */
export async function selectDue(db: Db, orgId: OrgId, now: string): Promise<Due> {
  const rows = await dueLanes(db, orgId, now)
  const lanes = rows.flatMap(({ id, ...isDue }) =>
    LANES.filter((lane) => isDue[lane]).map((lane) => ({ endpointId: id, lane })),
  )
  return { lanes, needsFanOut: rows.some(({ needs_fan_out }) => Boolean(needs_fan_out)) }
}

const waiting = (db: Db, orgId: OrgId, endpointId: string, lane: Lane) =>
  db
    .selectFrom('webhook_deliveries')
    .select((eb) => [
      'webhook_deliveries.id',
      'webhook_deliveries.type',
      'webhook_deliveries.attempt_count',
      'webhook_deliveries.test_payload',
      eb
        .selectFrom('events')
        .select('events.payload')
        .where('events.org_id', '=', orgId)
        .whereRef('events.id', '=', 'webhook_deliveries.event_id')
        .as('payload'),
    ])
    .where('webhook_deliveries.org_id', '=', orgId)
    .where('webhook_deliveries.endpoint_id', '=', endpointId)
    .where(IN_LANE[lane])

const selectNew = compiled((db: Db, orgId: OrgId, endpointId: string, limit: number) =>
  waiting(db, orgId, endpointId, 'new').orderBy('webhook_deliveries.id').limit(limit),
)
const selectTests = compiled((db: Db, orgId: OrgId, endpointId: string, limit: number) =>
  waiting(db, orgId, endpointId, 'test').orderBy('webhook_deliveries.id').limit(limit),
)
const selectRetries = compiled((db: Db, orgId: OrgId, endpointId: string, now: string, limit: number) =>
  waiting(db, orgId, endpointId, 'retry')
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('webhook_deliveries.id')
    .limit(limit),
)

/** The next deliveries of a lane, in sending order. */
export async function selectWaiting(
  db: Db,
  orgId: OrgId,
  endpointId: string,
  lane: Lane,
  now: string,
  limit: number,
): Promise<WaitingDelivery[]> {
  const rows =
    lane === 'retry'
      ? await selectRetries(db, orgId, endpointId, now, limit)
      : await (lane === 'new' ? selectNew : selectTests)(db, orgId, endpointId, limit)
  return rows.map(({ test_payload, payload, ...row }) => ({ ...row, payload: payload ?? test_payload }))
}
