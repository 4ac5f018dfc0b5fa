import { ApiError, invalidPayload } from '../../errors/index.ts'
import type { Step } from '../exchange.ts'
import { unstorable } from '../validation.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses the body as JSON if the operation has a body. */
export const parseJson: Step = (exchange) => {
  if (exchange.route.operation.declared.body === undefined) return
  const { headers } = exchange.sent
  const content = exchange.rawBody?.content
  if (content === undefined || content.length === 0) {
    throw new ApiError('invalid_json', 'The body is missing. Send it with the header "Content-Type: application/json".')
  }
  if (typeof headers['content-type'] !== 'string' || !JSON_TYPE.test(headers['content-type'])) {
    throw new ApiError('invalid_json', 'Send the body with the header "Content-Type: application/json".')
  }
  try {
    exchange.json = JSON.parse(utf8.decode(content))
  } catch {
    const message = 'The body is not valid JSON. Check it for missing quotes, commas and brackets.'
    throw new ApiError('invalid_json', message)
  }
  const bad = unstorable(exchange.json)
  // If the whole body is such a string, there is no field to name.
  if (bad?.field === '') throw invalidPayload({}, [bad.problem])
  if (bad !== undefined) throw invalidPayload({ [bad.field]: [bad.problem] })
}
