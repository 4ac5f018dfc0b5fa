import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { insertTestRows } from '../../src/testing/engines/insert-test-rows.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { type DeliverySet, fillDeliveries } from './fill.ts'
import { timePoll, timeQuery } from './poll.ts'
import { EVENT } from './service.ts'

const ORGANISATIONS = 2000
const ENDPOINTS_EACH = 5
const DUE = 100
/** Finished deliveries: engines choose another query plan for a nearly empty table. */
const HISTORY_ROWS = 100_000

/** Times the worker's poll for due organisations with many endpoints, compared with a query that only lists them. */
export async function compareEndpoints(engine: string, location: DatabaseLocation): Promise<void> {
  const database = await openDatabase(location)
  try {
    await migrate(database)
    const endpoints = await fillEndpoints(database)
    const list = await timeQuery(async () => {
      const query = database.readLong.selectFrom('webhook_endpoints').select('org_id').distinct()
      return (await query.where('is_active', '=', true).execute()).length
    })
    const none = await timePoll(database)
    await makeDue(database, endpoints)
    const some = await timePoll(database)
    const rows = { 'list of organisations': list, 'poll, none due': none, [`poll, ${DUE} due`]: some }
    printTable(
      [`${engine}, ${whole(endpoints.length)} endpoints`, 'time', 'vs list', 'rows'],
      Object.entries(rows).map(([name, timing]) => [
        name,
        ms(timing.ms),
        `× ${ratio(timing.ms / list.ms)}`,
        whole(timing.rows),
      ]),
    )
  } finally {
    await database.close()
  }
}

interface EndpointRow {
  id: string
  org_id: OrgId
}

async function fillEndpoints(database: Database): Promise<EndpointRow[]> {
  const now = timestamp(Date.now())
  const endpoints = await database.write(async (tx) => {
    const created: EndpointRow[] = []
    for (let n = 0; n < ORGANISATIONS; n++) {
      const { id: org_id } = await createOrganisation(tx, { name: `Bench ${n}`, slug: `bench-${n}` }, now)
      for (let m = 0; m < ENDPOINTS_EACH; m++) created.push({ id: newId(), org_id })
    }
    await insertTestRows(
      tx,
      'webhook_endpoints',
      created.map((endpoint) => ({
        ...endpoint,
        grant_id: null,
        url: 'https://acme.com/hooks/waymark',
        description: null,
        events: [EVENT],
        is_active: true,
        disabled_reason: null,
        secret: '',
        old_secret: null,
        old_secret_expires_at: null,
        failing_since: null,
        failed_attempts: 0,
        created_at: now,
        updated_at: now,
      })),
    )
    return created
  })
  const [first] = endpoints
  if (first === undefined) throw new Error('no endpoint was created')
  const history: DeliverySet = { orgId: first.org_id, endpointId: first.id, kind: 'delivered' }
  await fillDeliveries(database, history, HISTORY_ROWS)
  return endpoints
}

/** Adds one due delivery for each of `DUE` organisations. */
async function makeDue(database: Database, endpoints: readonly EndpointRow[]): Promise<void> {
  const now = timestamp(Date.now())
  const due = endpoints.filter((_, n) => n % (endpoints.length / DUE) === 0)
  await database.write((tx) =>
    insertTestRows(
      tx,
      'webhook_deliveries',
      due.map(({ id: endpoint_id, org_id }) => ({
        org_id,
        endpoint_id,
        id: newId(),
        event_id: newId(),
        type: EVENT,
        test_payload: null,
        status: 'pending' as const,
        attempt_count: 0,
        next_attempt_at: now,
        delivered_at: null,
        created_at: now,
      })),
    ),
  )
}
