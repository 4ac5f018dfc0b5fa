import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import { type Database, insertRows } from '../../src/platform/db/index.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import { newId } from '../../src/platform/ids/index.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { fillDeliveries, type Heap } from './fill.ts'
import { timeLook, timeQuery } from './looks.ts'
import { EVENT } from './service.ts'

const ORGANISATIONS = 2000
const ENDPOINTS_EACH = 5
const DUE = 100
/** Of deliveries that are long made: an engine reads a table that is nearly empty in a way of its own. */
const HISTORY_ROWS = 100_000

/** What a look for due organisations costs with many endpoints, against one that merely names the organisations. */
export async function compareEndpoints(engine: string, location: DatabaseLocation): Promise<void> {
  const database = await openDatabase(location)
  try {
    await migrate(database)
    const endpoints = await fillEndpoints(database)
    const bare = await timeQuery(async () => {
      const query = database.readLong.selectFrom('webhook_endpoints').select('org_id').distinct()
      return (await query.where('is_active', '=', true).execute()).length
    })
    const none = await timeLook(database)
    await makeDue(database, endpoints)
    const some = await timeLook(database)
    const rows = { 'names of the organisations': bare, 'none due': none, [`${DUE} due`]: some }
    printTable(
      [`${engine}, ${whole(endpoints.length)} endpoints`, 'a look', 'of names', 'found'],
      Object.entries(rows).map(([name, look]) => [
        name,
        ms(look.ms),
        `× ${ratio(look.ms / bare.ms)}`,
        whole(look.found),
      ]),
    )
  } finally {
    await database.close()
  }
}

interface Known {
  id: string
  org_id: string
}

async function fillEndpoints(database: Database): Promise<Known[]> {
  const now = timestamp(Date.now())
  const endpoints = await database.write(async (tx) => {
    const made: Known[] = []
    for (let n = 0; n < ORGANISATIONS; n++) {
      const { id: org_id } = await createOrganisation(tx, { name: `Bench ${n}`, slug: `bench-${n}` }, now)
      for (let m = 0; m < ENDPOINTS_EACH; m++) made.push({ id: newId(), org_id })
    }
    await insertRows(
      tx,
      'webhook_endpoints',
      made.map((known) => ({
        ...known,
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
    return made
  })
  const [busy] = endpoints
  if (busy === undefined) throw new Error('there is no endpoint')
  const history: Heap = { orgId: busy.org_id, endpointId: busy.id, kind: 'delivered' }
  await fillDeliveries(database, history, HISTORY_ROWS)
  return endpoints
}

/** One delivery each for endpoints of as many organisations. */
async function makeDue(database: Database, endpoints: readonly Known[]): Promise<void> {
  const now = timestamp(Date.now())
  const due = endpoints.filter((_, n) => n % (endpoints.length / DUE) === 0)
  await database.write((tx) =>
    insertRows(
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
