import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/db/types.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import type { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import { type Audit, auditDeliveries } from './audit.ts'
import { createEvents, type Endpoint, rollBackEvents, subscribe } from './events.ts'
import { Inbox } from './inbox.ts'
import { progress, type Stage } from './stage.ts'

const TENANTS = 3
const ENDPOINTS_EACH = 2
/** Events between two transactions that are rolled back. */
const EVENTS_BETWEEN = 2000
/** Time between two rounds of making retries due. */
const ROUND_MS = 1000

export interface KillsReport extends Audit {
  /** Events times the endpoints that were subscribed to them. */
  expected: number
  kills: number
  /** Faults that hit while batches were waiting for their deliveries to be created. */
  faultsInFanOut: number
  /** Measured only while workers were sending. */
  attemptsPerSecond: number
  /** The longest time without an attempt although deliveries were waiting. */
  silenceSeconds: number
  seconds: number
}

/** Kills workers at even intervals of progress, while a receiver that often fails gets their deliveries. */
export async function killWorkers(stage: Stage, deliveriesMin: number, faults: number): Promise<KillsReport> {
  const [receiver] = stage.receivers
  const events = Math.ceil(deliveriesMin / ENDPOINTS_EACH)
  const deliveries = events * ENDPOINTS_EACH
  const endpoints = await createEndpoints(stage, receiver)
  const inbox = new Inbox(receiver, new Map(endpoints.map(({ path, secret }) => [path, secret])))
  const startedMs = performance.now()
  const creating = createEventsWithRollbacks(stage.database, endpoints, events)
  const [killed] = await Promise.all([killByProgress(stage, inbox, deliveries, faults), creating])
  await progress('first attempts', () => inbox.arrivals.size, deliveries)
  await makeRetriesDue(stage.database, endpoints)
  const audit = await auditDeliveries(stage.database, endpoints, inbox)
  return {
    ...audit,
    ...killed,
    expected: deliveries,
    attemptsPerSecond: inbox.attemptsPerSecond,
    silenceSeconds: inbox.longestSilenceMs / 1000,
    seconds: (performance.now() - startedMs) / 1000,
  }
}

async function createEndpoints(stage: Stage, receiver: WebhookReceiver): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = []
  for (let count = 0; count < TENANTS; count++) {
    const tenant = await stage.createTenant()
    for (let each = 0; each < ENDPOINTS_EACH; each++) {
      endpoints.push(await subscribe(tenant, receiver, `/${count}/${each}`))
    }
  }
  return endpoints
}

async function createEventsWithRollbacks(
  database: Database,
  endpoints: readonly Endpoint[],
  events: number,
): Promise<void> {
  const orgIds = [...new Set(endpoints.map(({ tenant }) => tenant.orgId))]
  for (let done = 0; done < events; done += EVENTS_BETWEEN) {
    await rollBackEvents(database, orgIds)
    await createEvents(database, orgIds, Math.min(EVENTS_BETWEEN, events - done))
  }
}

/**
 * Kills workers when a share of the deliveries has arrived, so that each fault hits in the middle of work. Alternates
 * between all workers, since only some may be sending, and one, so that another takes over. Kills all workers earlier if
 * it finds them creating the deliveries of large batches.
 */
async function killByProgress(
  { database, workers }: Stage,
  inbox: Inbox,
  deliveries: number,
  faults: number,
): Promise<{ kills: number; faultsInFanOut: number }> {
  let kills = 0
  let faultsInFanOut = 0
  for (let fault = 0; fault < faults; fault++) {
    const goal = Math.floor((deliveries * (fault + 1)) / (faults + 1))
    const isForAll = fault % 2 === 0
    let waiting = 0
    const arrivals = async () => {
      const before = waiting
      waiting = await countFanOuts(database)
      const isCreating = waiting > 0 && waiting < before
      return isForAll && isCreating ? goal : inbox.arrivals.size
    }
    await progress(`arrivals before fault ${fault + 1}`, arrivals, goal)
    const victims = workers.filter((_, index) => isForAll || index === (fault >> 1) % workers.length)
    await Promise.all(victims.map((worker) => worker.kill()))
    if ((await countFanOuts(database)) > 0) faultsInFanOut++
    await Promise.all(victims.map((worker) => worker.startAgain()))
    kills += victims.length
  }
  return { kills, faultsInFanOut }
}

/** Batches that wait for their deliveries to be created, counted per endpoint. */
async function countFanOuts({ readLong }: Database): Promise<number> {
  const query = readLong.selectFrom('event_fan_outs').select((eb) => eb.fn.countAll().as('count'))
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/**
 * The third attempt would come after five minutes and the tenth after three days. Pausing and resuming an endpoint makes
 * its retries due now, and a replay makes failed deliveries pending again. Customers can do both.
 */
async function makeRetriesDue(database: Database, endpoints: readonly Endpoint[]): Promise<void> {
  const from = new Date(0).toISOString()
  const undelivered = async () => {
    for (const { tenant, id } of endpoints) {
      const { client } = tenant
      for (const isActive of [false, true]) requireOk(await client.patch(`/v1/webhooks/${id}`, { isActive }))
      requireOk(await client.post(`/v1/webhooks/${id}/replay`, { from, status: 'failed' }))
    }
    await sleep(ROUND_MS)
    return countUndelivered(database, endpoints)
  }
  await progress('undelivered, as a negative number', async () => -(await undelivered()), 0)
}

async function countUndelivered({ readLong }: Database, endpoints: readonly Endpoint[]): Promise<number> {
  const { count } = await readLong
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.countAll().as('count'))
    .where(
      'org_id',
      'in',
      endpoints.map(({ tenant }): OrgId => tenant.orgId),
    )
    .where('status', '!=', 'delivered')
    .executeTakeFirstOrThrow()
  return Number(count)
}

function requireOk({ status, text }: { status: number; text: string }): void {
  if (status !== 200) throw new Error(`the API returned ${status}: ${text}`)
}
