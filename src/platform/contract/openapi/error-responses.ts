import { ERRORS, type ErrorCode } from '../../errors/index.ts'
import type { Operation } from '../operation.ts'
import type { Components } from './components.ts'
import { errorCodes } from './error-codes.ts'
import { BODY_TOO_LARGE, ERROR_EXAMPLES, type ErrorExample } from './error-examples.ts'
import { errorSchema } from './error-schemas.ts'
import { errorHeaders } from './headers.ts'
import type { Json, Ref } from './json.ts'
import { pascalCase } from './names.ts'

/** Where the codes themselves would make a long name. */
const NAMES: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 413: 'BodyTooLarge' }

/** Every error that an operation can answer, by status. Operations of one shape share the same responses. */
export function errorResponses(
  components: Components,
  operation: Operation,
  queryParameters: readonly Json[],
): Record<string, Ref> {
  const responses = [...errorCodes(operation, queryParameters)].map(([status, codes]) => {
    const name = NAMES[status] ?? codes.map(pascalCase).join('Or')
    return [status, components.ref('responses', name, () => errorResponse(components, status, codes))]
  })
  return Object.fromEntries(responses)
}

const errorResponse = (components: Components, status: number, codes: readonly ErrorCode[]): Json => ({
  description: status === 413 ? '`invalid_payload`: The body is larger than 1 MiB.' : describe(codes),
  headers: errorHeaders(components, status),
  content: {
    'application/json': {
      schema: {
        allOf: [errorSchema(components), { type: 'object', properties: { error: { type: 'string', enum: codes } } }],
      },
      examples: status === 413 ? { body_too_large: bodyTooLarge(components) } : examplesOf(components, codes),
    },
  },
})

/** The codes come first: whoever only glances at it sees them. */
function describe(codes: readonly ErrorCode[]): string {
  const [only, ...more] = codes
  if (only !== undefined && more.length === 0) return `\`${only}\`: ${ERRORS[only].meaning}`
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(codes.map((code) => `\`${code}\``))
  return [`${names}.`, '', ...codes.map((code) => `- \`${code}\`: ${ERRORS[code].meaning}`)].join('\n')
}

const examplesOf = (components: Components, codes: readonly ErrorCode[]): Record<string, Ref> =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      components.ref('examples', code, () => toExample(code, ERRORS[code].remedy, ERROR_EXAMPLES[code])),
    ]),
  )

const bodyTooLarge = (components: Components): Ref =>
  components.ref('examples', 'body_too_large', () =>
    toExample('invalid_payload', 'Send less at once: a body has at most 1 MiB.', BODY_TOO_LARGE),
  )

const toExample = (code: ErrorCode, remedy: string, { message, details }: ErrorExample): Json => ({
  summary: code,
  description: remedy,
  value: { error: code, message, request_id: 'req_4fK9sLmQ2xWb7TzA', ...(details && { details }) },
})
