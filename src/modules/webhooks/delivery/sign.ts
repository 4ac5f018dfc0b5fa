import { createHmac } from 'node:crypto'
import { SECOND_MS } from '../../../platform/clock/index.ts'
import type { DeliveryEndpoint } from '../webhooks/index.ts'

/** Returns the signature `t=<unix>,v1=<hex>`, with a second `v1` until the old secret expires. */
export function sign(
  { secret, oldSecret }: Pick<DeliveryEndpoint, 'secret' | 'oldSecret'>,
  body: string,
  nowMs: number,
): { timestamp: string; signature: string } {
  const timestamp = String(Math.floor(nowMs / SECOND_MS))
  const secrets = oldSecret !== undefined && nowMs < oldSecret.expiresAtMs ? [secret, oldSecret.text] : [secret]
  const parts = secrets.map((text) => `v1=${createHmac('sha256', text).update(`${timestamp}.${body}`).digest('hex')}`)
  return { timestamp, signature: [`t=${timestamp}`, ...parts].join(',') }
}
