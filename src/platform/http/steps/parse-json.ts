import { ApiError, invalidPayload } from '../../errors/index.ts'
import type { Step } from '../exchange.ts'
import { unstorable } from '../validation.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as JSON, where the operation has one. */
export const parseJson: Step = (exchange) => {
  if (exchange.route.operation.declared.body === undefined) return
  const { body, headers } = exchange.sent
  if (body === undefined || body.length === 0) {
    throw new ApiError('invalid_json', 'This request needs a JSON body; none was sent.')
  }
  if (typeof headers['content-type'] !== 'string' || !JSON_TYPE.test(headers['content-type'])) {
    throw new ApiError('invalid_json', 'Send the body with "Content-Type: application/json".')
  }
  try {
    exchange.json = JSON.parse(utf8.decode(body))
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON.')
  }
  const bad = unstorable(exchange.json)
  // A body that is nothing but such a text has no field to name.
  if (bad?.field === '') throw invalidPayload({}, [bad.complaint])
  if (bad !== undefined) throw invalidPayload({ [bad.field]: [bad.complaint] })
}
