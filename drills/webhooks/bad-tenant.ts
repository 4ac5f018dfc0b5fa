import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../src/platform/db/types.ts'
import { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import { happen, subscribe } from './events.ts'
import { onStage, progress } from './stage.ts'

/** How often something happens in the good organisation. */
const PACE_MS = 50

export interface BadTenantReport {
  /** What waited for the endpoint that hangs. */
  waiting: number
  /** How many connections it was given, at most. */
  connections: number
  /** In the other organisation. */
  events: number
  arrived: number
  /** From the request that made something happen to its arrival. */
  p50Ms: number
  p99Ms: number
  maxMs: number
}

/** One organisation's endpoint takes connections and never answers; another's events are to arrive all the same. */
export async function hangTenant(engine: Engine, waiting: number, events: number): Promise<BadTenantReport> {
  const hanging = await WebhookReceiver.start()
  const prompt = await WebhookReceiver.start()
  hanging.reply = () => {}
  const arrivedAtMs = new Map<string, number>()
  prompt.reply = (response, { body }) => {
    arrivedAtMs.set(JSON.parse(body).id, performance.now())
    response.end()
  }
  try {
    return await onStage(engine, [hanging, prompt], async ({ database, createTenant }) => {
      const bad = await createTenant()
      const good = await createTenant()
      await subscribe(bad, hanging, '/')
      await subscribe(good, prompt, '/')
      await happen(database, [bad.orgId], waiting)
      await progress('connections that hang', () => hanging.open, 1)

      const sentAtMs = new Map<string, number>()
      for (let count = 0; count < events; count++) {
        const nowMs = performance.now()
        const { body } = await good.client.post('/v1/qr-groups', { name: `Group ${count}` })
        sentAtMs.set(body.id, nowMs)
        await sleep(Math.max(0, nowMs + PACE_MS - performance.now()))
      }
      await progress('arrivals of the other organisation', () => arrivedAtMs.size, events)
      const latencies = [...sentAtMs].map(([id, sentMs]) => (arrivedAtMs.get(id) ?? Number.NaN) - sentMs)
      latencies.sort((a, b) => a - b)
      const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? Number.NaN
      return {
        ...{ waiting, connections: hanging.openMax, events, arrived: arrivedAtMs.size },
        ...{ p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) },
      }
    })
  } finally {
    await hanging.close()
    await prompt.close()
  }
}
