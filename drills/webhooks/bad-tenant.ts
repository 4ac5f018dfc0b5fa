import { setTimeout as sleep } from 'node:timers/promises'
import { createEvents, subscribe } from './events.ts'
import { progress, type Stage } from './stage.ts'

/** Time between two events of the good organisation. */
const PACE_MS = 50

export interface BadTenantReport {
  /** Deliveries waiting for the endpoint that hangs. */
  waiting: number
  /** The most connections that were open to it at once. */
  connections: number
  /** Events of the good organisation. */
  events: number
  arrived: number
  /** Measured from the request that caused the event to its arrival. */
  p50Ms: number
  p99Ms: number
  maxMs: number
}

/** The endpoint of one organisation accepts connections and never responds. Events of another must arrive in time. */
export async function hangTenant(
  { database, receivers: [prompt, hanging], createTenant }: Stage,
  waiting: number,
  events: number,
): Promise<BadTenantReport> {
  hanging.reply = () => {}
  const arrivedAtMs = new Map<string, number>()
  prompt.reply = (response, { body }) => {
    arrivedAtMs.set(JSON.parse(body).id, performance.now())
    response.end()
  }
  const bad = await createTenant()
  const good = await createTenant()
  await subscribe(bad, hanging, '/')
  await subscribe(good, prompt, '/')
  await createEvents(database, [bad.orgId], waiting)
  await progress('hanging connections', () => hanging.open, 1)

  const sentAtMs = new Map<string, number>()
  for (let count = 0; count < events; count++) {
    const nowMs = performance.now()
    const { body } = await good.client.post('/v1/qr-groups', { name: `Group ${count}` })
    sentAtMs.set(body.id, nowMs)
    await sleep(Math.max(0, nowMs + PACE_MS - performance.now()))
  }
  await progress('arrivals at the good endpoint', () => arrivedAtMs.size, events)
  const latencies = [...sentAtMs].map(([id, sentMs]) => (arrivedAtMs.get(id) ?? Number.NaN) - sentMs)
  latencies.sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? Number.NaN
  return {
    ...{ waiting, connections: hanging.openMax, events, arrived: arrivedAtMs.size },
    ...{ p50Ms: percentile(0.5), p99Ms: percentile(0.99), maxMs: percentile(1) },
  }
}
