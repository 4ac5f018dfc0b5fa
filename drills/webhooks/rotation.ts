import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS, SECOND_MS } from '../../src/platform/clock/index.ts'
import type { Engine } from '../../src/platform/db/types.ts'
import { isSignedBy, type Received, WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import { type Endpoint, happen, subscribe } from './events.ts'
import { onStage, progress } from './stage.ts'

const EVENTS_AT_ONCE = 10
const PACE_MS = 50
/** From a rotation until the receiver goes over to the new secret, and from there to the next rotation. */
const HALF_MS = 600
/** Every so many rotations the old secret ends at once. */
const SUDDEN_EVERY = 3

export interface RotationReport {
  deliveries: number
  lost: number
  rotations: number
  /** Attempts whose signature none of the secrets confirmed that a receiver had at that moment. */
  unverifiable: number
  /** Attempts that were signed with a secret whose time was over. */
  signedByDead: number
}

/** What a receiver thinks of secrets from this moment on. */
interface Phase {
  fromMs: number
  /** It has one; both only where the old one ends at once, as long as what was signed before may be on its way. */
  good: string[]
  dead: string[]
}

/** Something happens all the time, while the endpoint's secret is rotated again and again. */
export async function rotateSecrets(engine: Engine, rotations: number): Promise<RotationReport> {
  const receiver = await WebhookReceiver.start()
  const arrivals: { atMs: number; received: Received }[] = []
  receiver.reply = (response, received) => {
    arrivals.push({ atMs: performance.now(), received })
    response.end()
  }
  try {
    return await onStage(engine, [receiver], async ({ database, createTenant }) => {
      const endpoint = await subscribe(await createTenant(), receiver, '/')
      let deliveries = 0
      const stopping = new AbortController()
      const happening = (async () => {
        for (; !stopping.signal.aborted; deliveries += EVENTS_AT_ONCE) {
          await happen(database, [endpoint.tenant.orgId], EVENTS_AT_ONCE)
          await sleep(PACE_MS)
        }
      })()
      const phases = await rotateTimes(endpoint, rotations).finally(() => stopping.abort())
      await happening
      const ids = () => new Set(arrivals.map(({ received }) => received.delivery)).size
      await progress('arrivals', ids, deliveries)
      const judged = arrivals.map(({ atMs, received }) => ({
        received,
        phase: phases.findLast(({ fromMs }) => fromMs <= atMs),
      }))
      const count = (kind: 'good' | 'dead', isSigned: boolean) =>
        judged.filter(
          ({ received, phase }) => phase?.[kind].some((secret) => isSignedBy(received, secret)) === isSigned,
        ).length
      return {
        ...{ deliveries, lost: deliveries - ids(), rotations },
        ...{ unverifiable: count('good', false), signedByDead: count('dead', true) },
      }
    })
  } finally {
    await receiver.close()
  }
}

async function rotateTimes(endpoint: Endpoint, rotations: number): Promise<Phase[]> {
  const secrets = [endpoint.secret]
  const phases: Phase[] = [{ fromMs: 0, good: [endpoint.secret], dead: [] }]
  await sleep(HALF_MS)
  for (let count = 1; count <= rotations; count++) {
    const isSudden = count % SUDDEN_EVERY === 0
    const askedMs = performance.now()
    const [before, next] = [secrets.at(-1) ?? '', await rotate(endpoint, isSudden ? 0 : DAY_MS)]
    if (isSudden) phases.push({ fromMs: askedMs, good: [before, next], dead: phases.at(-1)?.dead ?? [] })
    await sleep(HALF_MS)
    const dead = secrets.filter((secret) => isSudden || secret !== before)
    phases.push({ fromMs: performance.now(), good: [next], dead })
    secrets.push(next)
    await sleep(HALF_MS)
  }
  return phases
}

async function rotate({ tenant, id }: Endpoint, oldLivesMs: number): Promise<string> {
  const { status, body } = await tenant.client.post(`/v1/webhooks/${id}/rotate-secret`, {
    expire_old_after_seconds: oldLivesMs / SECOND_MS,
  })
  if (status !== 200) throw new Error(`the secret was not rotated: ${JSON.stringify(body)}`)
  return body.signing_secret
}
