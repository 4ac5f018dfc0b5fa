import { invalidPayload } from '../../errors/index.ts'
import type { Step } from '../exchange.ts'

const KEY_LENGTH_MAX = 255

/** The `Idempotency-Key` of a POST; other methods are idempotent by nature and ignore it. */
export const checkIdempotencyKey: Step = (exchange) => {
  if (exchange.route.operation.declared.method !== 'POST') return
  const key = exchange.sent.headers['idempotency-key']
  if (key === undefined) return
  if (typeof key !== 'string' || key === '' || key.length > KEY_LENGTH_MAX) {
    throw invalidPayload({ 'Idempotency-Key': [`Must be 1 to ${KEY_LENGTH_MAX} characters`] })
  }
  exchange.idempotencyKey = key
}
