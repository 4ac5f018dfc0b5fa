import { createHmac } from 'node:crypto'
import { SECOND_MS } from '../../../platform/clock/index.ts'
import type { WaitingDelivery } from '../webhook-deliveries/index.ts'
import type { DeliveryEndpoint } from '../webhooks/index.ts'

const SECRET_PREFIX = 'whsec_'

/**
 * Returns the headers that prove who sent a delivery, in two schemes with the same secrets (ADR 58):
 * - ours signs the time and the body, keyed with the whole text of the secret;
 * - that of Standard Webhooks also signs `webhook-id`, keyed with the bytes that the text after the prefix is in base64.
 *   So this ID carries the event type, too.
 *
 * Until the old secret expires, both have a second signature.
 */
export function sign(
  { secret, oldSecret }: Pick<DeliveryEndpoint, 'secret' | 'oldSecret'>,
  { id, type }: Pick<WaitingDelivery, 'id' | 'type'>,
  body: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / SECOND_MS))
  const secrets = oldSecret !== undefined && nowMs < oldSecret.expiresAtMs ? [secret, oldSecret.text] : [secret]
  const webhookId = `${id}:${type}`
  const ours = secrets.map((text) => createHmac('sha256', text).update(`${timestamp}.${body}`).digest('hex'))
  const standard = secrets.map((text) =>
    createHmac('sha256', keyOf(text)).update(`${webhookId}.${timestamp}.${body}`).digest('base64'),
  )
  return {
    'x-service-timestamp': timestamp,
    'x-service-signature': [`t=${timestamp}`, ...ours.map((hex) => `v1=${hex}`)].join(','),
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.map((base64) => `v1,${base64}`).join(' '),
  }
}

/** 64 hexadecimal digits are also 48 bytes in base64, which is how libraries of Standard Webhooks read them. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
