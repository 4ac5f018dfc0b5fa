/** The deliveries as a queue, as the workers that empty it ask the database. */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiled, type Database, type Db, insertMissingRowsAlone } from '../../../platform/db/index.ts'
import type { Tables } from '../../../platform/db/types.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { WebhookAttemptsTable } from './queries.ts'

/** Whose deliveries a worker sends at present. */
interface DeliveryLeasesTable {
  org_id: string
  holder: string
  leased_until: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    delivery_leases: DeliveryLeasesTable
  }
}

/** The three ways into the queue of an endpoint, each with an index of its own. */
const LANES = ['new', 'retry', 'test'] as const
export type Lane = (typeof LANES)[number]

export interface WaitingDelivery {
  id: string
  type: string
  payload: unknown
  attempt_count: number
}

/** Literally as the indexes say it: both engines compare the texts. */
const WAITS_IN: Record<Lane, RawBuilder<boolean>> = {
  new: sql`webhook_deliveries.status = 'pending' and attempt_count = 0 and event_id is not null`,
  retry: sql`webhook_deliveries.status = 'pending' and attempt_count > 0 and event_id is not null`,
  test: sql`webhook_deliveries.status = 'pending' and event_id is null`,
}

/**
 * Whether something waits for an endpoint, lane by lane; a paused one takes nothing but tests. Written as the first of
 * its lane, because planners that read `exists` may join all that waits instead.
 */
function due(eb: ExpressionBuilder<Tables, 'webhook_endpoints'>, now: string) {
  const first = (lane: Lane) =>
    eb
      .selectFrom('webhook_deliveries')
      .select('webhook_deliveries.id')
      .whereRef('webhook_deliveries.org_id', '=', 'webhook_endpoints.org_id')
      .whereRef('webhook_deliveries.endpoint_id', '=', 'webhook_endpoints.id')
      .where(WAITS_IN[lane])
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

/** Over all organisations: those with something that could be sent now. */
export const selectDueOrganisations = async (db: Db, now: string): Promise<OrgId[]> =>
  (await dueOrganisations(db, now)).map(({ org_id }) => org_id as OrgId)

const dueLanes = compiled((db: Db, orgId: OrgId, now: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select((eb) => {
      const { new: first, retry, test } = due(eb, now)
      return ['id', first.as('new'), retry.as('retry'), test.as('test')]
    })
    .where('org_id', '=', orgId),
)

/** Where something could be sent now. */
export async function selectWaitingLanes(
  db: Db,
  orgId: OrgId,
  now: string,
): Promise<{ endpointId: string; lane: Lane }[]> {
  const rows = await dueLanes(db, orgId, now)
  return rows.flatMap(({ id, ...waits }) =>
    LANES.filter((lane) => waits[lane]).map((lane) => ({ endpointId: id, lane })),
  )
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
    .where(WAITS_IN[lane])

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

/** What goes out next in a lane of an endpoint, in its order. */
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

/** What came of an attempt, and of its delivery by it. */
export type AttemptRow = WebhookAttemptsTable

/** A second record of the same attempt is passed over: the first one has decided. */
export const insertAttempts = (database: Database, rows: readonly WebhookAttemptsTable[]): Promise<void> =>
  insertMissingRowsAlone(database, 'webhook_attempts', rows)

/** Answers those of the organisations that are now the holder's. In one order, so that two workers cannot deadlock. */
export async function takeLeases(
  { kysely }: Database,
  holder: string,
  orgIds: readonly OrgId[],
  now: string,
  until: string,
): Promise<OrgId[]> {
  if (orgIds.length === 0) return []
  const rows = await kysely
    .insertInto('delivery_leases')
    .values(orgIds.toSorted().map((org_id) => ({ org_id, holder, leased_until: until })))
    .onConflict((conflict) =>
      conflict
        .column('org_id')
        .doUpdateSet({ holder, leased_until: until })
        .where((eb) =>
          eb.or([eb('delivery_leases.leased_until', '<=', now), eb('delivery_leases.holder', '=', holder)]),
        ),
    )
    .returning('org_id')
    .execute()
  return rows.map(({ org_id }) => org_id as OrgId)
}

/** Answers what the holder still has. */
export async function renewLeases({ kysely }: Database, holder: string, now: string, until: string): Promise<OrgId[]> {
  const rows = await kysely
    .updateTable('delivery_leases')
    .set({ leased_until: until })
    .where('holder', '=', holder)
    .where('leased_until', '>', now)
    .returning('org_id')
    .execute()
  return rows.map(({ org_id }) => org_id as OrgId)
}

export async function releaseLeases({ kysely }: Database, holder: string, orgIds: readonly OrgId[]): Promise<void> {
  if (orgIds.length === 0) return
  await kysely
    .deleteFrom('delivery_leases')
    .where('holder', '=', holder)
    .where('org_id', 'in', [...orgIds])
    .execute()
}

export async function clearLeases({ kysely }: Database): Promise<void> {
  await kysely.deleteFrom('delivery_leases').execute()
}
