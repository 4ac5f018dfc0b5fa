import { ApiError, type ValidationDetails } from '../../../errors/index.ts'
import type { Step } from '../exchange.ts'

const KEY_LENGTH_MAX = 255

/** Validates the `Idempotency-Key` of a POST. Other methods are idempotent anyway and ignore it. */
export const checkIdempotencyKey: Step = (exchange) => {
  if (exchange.route.operation.declared.method !== 'POST') return
  const key = exchange.sent.headers['idempotency-key']
  if (key === undefined) return
  if (typeof key !== 'string' || key === '' || key.length > KEY_LENGTH_MAX) {
    const problem = `Must be 1 to ${KEY_LENGTH_MAX} characters`
    throw new ApiError('invalid_payload', `The header Idempotency-Key is not valid. ${problem}.`, {
      details: { formErrors: [], fieldErrors: { 'Idempotency-Key': [problem] } } satisfies ValidationDetails,
    })
  }
  exchange.idempotencyKey = key
}
