import { setImmediate as nextTurn } from 'node:timers/promises'
import { describePath } from '../../../contract/describe-value.ts'
import { ApiError, invalidPayload } from '../../../errors/index.ts'
import type { Step } from '../exchange.ts'
import { describeJsonProblem } from '../json-problem.ts'
import { unstorable } from '../validation.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(content: Uint8Array): string {
  try {
    return utf8.decode(content)
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON: it is not encoded in UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('invalid_json', `The body is not valid JSON: ${describeJsonProblem(text)}.`)
  }
}

const LARGE_BYTES = 32 * 1024

/** To parse and to validate a large body takes milliseconds each: others have their turns in between. */
export const afterLargeBody = (content: Uint8Array | undefined): Promise<void> | undefined =>
  content !== undefined && content.length > LARGE_BYTES ? nextTurn() : undefined

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
  exchange.json = parse(decode(content))
  const bad = unstorable(exchange.json)
  if (bad === undefined) return afterLargeBody(content)
  // If the whole body is such a string, there is no field to name.
  throw bad.path.length === 0
    ? invalidPayload({}, [bad.problem])
    : invalidPayload({ [describePath(bad.path)]: [bad.problem] })
}
