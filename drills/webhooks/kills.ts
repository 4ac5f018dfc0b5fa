import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Engine } from '../../src/platform/db/types.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import { type Audit, auditDeliveries } from './audit.ts'
import { type Endpoint, happen, nearlyHappen, subscribe } from './events.ts'
import { Inbox } from './inbox.ts'
import { onStage, progress, type Stage } from './stage.ts'

const TENANTS = 3
const ENDPOINTS_EACH = 2
/** What happens between two transactions that are taken back. */
const EVENTS_BETWEEN = 400
/** Between two times that retries are brought forward. */
const ROUND_MS = 1000

export interface KillsReport extends Audit {
  kills: number
  /** While somebody was sending. */
  attemptsPerSecond: number
  /** How long, at most, nothing was sent although something waited. */
  silenceSeconds: number
  seconds: number
}

/** Workers are killed, each after another part of everything has arrived at a receiver that often fails. */
export async function killWorkers(engine: Engine, deliveriesMin: number, blows: number): Promise<KillsReport> {
  const events = Math.ceil(deliveriesMin / ENDPOINTS_EACH)
  const deliveries = events * ENDPOINTS_EACH
  const receiver = await WebhookReceiver.start()
  try {
    return await onStage(engine, [receiver], async (stage) => {
      const endpoints = await createEndpoints(stage, receiver)
      const inbox = new Inbox(receiver, new Map(endpoints.map(({ path, secret }) => [path, secret])))
      const beganMs = performance.now()
      const happening = happenUnreliably(stage.database, endpoints, events)
      const [kills] = await Promise.all([strike(stage, inbox, deliveries, blows), happening])
      await progress('first attempts', () => inbox.arrivals.size, deliveries)
      await bringRetriesForward(stage.database, endpoints)
      const audit = await auditDeliveries(stage.database, endpoints, inbox)
      return {
        ...audit,
        kills,
        attemptsPerSecond: inbox.attemptsPerSecond,
        silenceSeconds: inbox.longestSilenceMs / 1000,
        seconds: (performance.now() - beganMs) / 1000,
      }
    })
  } finally {
    await receiver.close()
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

async function happenUnreliably(database: Database, endpoints: readonly Endpoint[], events: number): Promise<void> {
  const orgIds = [...new Set(endpoints.map(({ tenant }) => tenant.orgId))]
  for (let done = 0; done < events; done += EVENTS_BETWEEN) {
    await nearlyHappen(database, orgIds)
    await happen(database, orgIds, Math.min(EVENTS_BETWEEN, events - done))
  }
}

/**
 * By how much has arrived, so that each blow comes in the middle of work. It strikes all workers at once, since only
 * some may be sending, and the next time one, whose work another takes over. Answers how many were killed.
 */
async function strike({ workers }: Stage, inbox: Inbox, deliveries: number, blows: number): Promise<number> {
  let kills = 0
  for (let blow = 0; blow < blows; blow++) {
    const share = Math.floor((deliveries * (blow + 1)) / (blows + 1))
    await progress(`arrivals before blow ${blow + 1}`, () => inbox.arrivals.size, share)
    const struck = workers.filter((_, index) => blow % 2 === 0 || index === (blow >> 1) % workers.length)
    await Promise.all(struck.map((worker) => worker.killAndRestart()))
    kills += struck.length
  }
  return kills
}

/**
 * The third attempt would come after five minutes, and the tenth after three days. Whoever pauses an endpoint and
 * resumes it has its retries at once, and a replay brings back what failed ten times: both as customers do it.
 */
async function bringRetriesForward(database: Database, endpoints: readonly Endpoint[]): Promise<void> {
  const from = new Date(0).toISOString()
  const undelivered = async () => {
    for (const { tenant, id } of endpoints) {
      const { client } = tenant
      for (const isActive of [false, true]) must(await client.patch(`/v1/webhooks/${id}`, { isActive }))
      must(await client.post(`/v1/webhooks/${id}/replay`, { from, status: 'failed' }))
    }
    await sleep(ROUND_MS)
    return countUndelivered(database, endpoints)
  }
  await progress('not yet delivered', async () => -(await undelivered()), 0)
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

function must({ status, text }: { status: number; text: string }): void {
  if (status !== 200) throw new Error(`the API answered ${status}: ${text}`)
}
