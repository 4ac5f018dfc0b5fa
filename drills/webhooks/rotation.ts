import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS, SECOND_MS } from '../../src/platform/clock/index.ts'
import { isSignedBy, type Received } from '../../src/testing/world/webhook-receiver.ts'
import { createEvents, type Endpoint, subscribe } from './events.ts'
import { progress, type Stage } from './stage.ts'

const EVENTS_AT_ONCE = 10
const PACE_MS = 50
/** Time from a rotation until the receiver switches to the new secret, and from there to the next rotation. */
const HALF_MS = 600
/** In every third rotation the old secret expires at once. */
const IMMEDIATE_EVERY = 3

export interface RotationReport {
  deliveries: number
  lost: number
  rotations: number
  /** Attempts that none of the secrets known to the receiver at that time could verify. */
  unverifiable: number
  /** Attempts that were signed with an expired secret. */
  signedByExpired: number
}

/** The secrets from a point in time on, as the receiver sees them. */
interface Phase {
  fromMs: number
  /** One secret, or both for a while after an immediate rotation, when requests signed before it are still in flight. */
  valid: string[]
  expired: string[]
}

/** Rotates the secret of an endpoint again and again while events keep arriving. */
export async function rotateSecrets(
  { database, receivers: [receiver], createTenant }: Stage,
  rotations: number,
): Promise<RotationReport> {
  const arrivals: { atMs: number; received: Received }[] = []
  receiver.reply = (response, received) => {
    arrivals.push({ atMs: performance.now(), received })
    response.end()
  }
  const endpoint = await subscribe(await createTenant(), receiver, '/')
  let deliveries = 0
  const stopping = new AbortController()
  const creating = (async () => {
    for (; !stopping.signal.aborted; deliveries += EVENTS_AT_ONCE) {
      await createEvents(database, [endpoint.tenant.orgId], EVENTS_AT_ONCE)
      await sleep(PACE_MS)
    }
  })()
  const phases = await rotateTimes(endpoint, rotations).finally(() => stopping.abort())
  await creating
  const ids = () => new Set(arrivals.map(({ received }) => received.delivery)).size
  await progress('arrivals', ids, deliveries)
  const withPhase = arrivals.map(({ atMs, received }) => ({
    received,
    phase: phases.findLast(({ fromMs }) => fromMs <= atMs),
  }))
  const count = (kind: 'valid' | 'expired', isSigned: boolean) =>
    withPhase.filter(({ received, phase }) => phase?.[kind].some((secret) => isSignedBy(received, secret)) === isSigned)
      .length
  return {
    ...{ deliveries, lost: deliveries - ids(), rotations },
    ...{ unverifiable: count('valid', false), signedByExpired: count('expired', true) },
  }
}

async function rotateTimes(endpoint: Endpoint, rotations: number): Promise<Phase[]> {
  const secrets = [endpoint.secret]
  const phases: Phase[] = [{ fromMs: 0, valid: [endpoint.secret], expired: [] }]
  await sleep(HALF_MS)
  for (let count = 1; count <= rotations; count++) {
    const isImmediate = count % IMMEDIATE_EVERY === 0
    const requestedMs = performance.now()
    const [before, next] = [secrets.at(-1) ?? '', await rotate(endpoint, isImmediate ? 0 : DAY_MS)]
    if (isImmediate) phases.push({ fromMs: requestedMs, valid: [before, next], expired: phases.at(-1)?.expired ?? [] })
    await sleep(HALF_MS)
    const expired = secrets.filter((secret) => isImmediate || secret !== before)
    phases.push({ fromMs: performance.now(), valid: [next], expired })
    secrets.push(next)
    await sleep(HALF_MS)
  }
  return phases
}

async function rotate({ tenant, id }: Endpoint, expireOldAfterMs: number): Promise<string> {
  const { status, body } = await tenant.client.post(`/v1/webhooks/${id}/rotate-secret`, {
    expire_old_after_seconds: expireOldAfterMs / SECOND_MS,
  })
  if (status !== 200) throw new Error(`failed to rotate the secret: ${JSON.stringify(body)}`)
  return body.signing_secret
}
