import type { ErrorEntry, ErrorTable } from '../../errors/index.ts'
import type { Operation } from '../operation.ts'
import type { Components } from './components.ts'
import { errorCodes } from './error-codes.ts'
import { errorSchema } from './error-schemas.ts'
import { errorHeaders } from './headers.ts'
import type { Json, Ref } from './json.ts'
import { pascalCase } from './names.ts'

/** Names of responses where joining the codes would make the name too long. */
const NAMES: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 413: 'BodyTooLarge' }

const BODY_TOO_LARGE = {
  message: 'The body is larger than 1 MiB.',
  details: { formErrors: ['The body is larger than 1 MiB'], fieldErrors: {} },
}

/** The error responses of an operation, by status. Operations with the same codes share a response. */
export function errorResponses(
  components: Components,
  operation: Operation,
  queryParameters: readonly Json[],
): Record<string, Ref> {
  const responses = [...errorCodes(operation, queryParameters, components.errors)].map(([status, codes]) => {
    const name = NAMES[status] ?? codes.map(pascalCase).join('Or')
    return [status, components.ref('responses', name, () => errorResponse(components, status, codes))]
  })
  return Object.fromEntries(responses)
}

const errorResponse = (components: Components, status: number, codes: readonly string[]): Json => ({
  description:
    status === 413 ? '`invalid_payload`: The body is larger than 1 MiB.' : describe(codes, components.errors),
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

function describe(codes: readonly string[], errors: ErrorTable): string {
  const meaningOf = (code: string) => `\`${code}\`: ${errors[code]?.meaning}`
  const [only, ...more] = codes
  if (only !== undefined && more.length === 0) return meaningOf(only)
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(codes.map((code) => `\`${code}\``))
  return [`${names}.`, '', ...codes.map((code) => `- ${meaningOf(code)}`)].join('\n')
}

const examplesOf = (components: Components, codes: readonly string[]): Record<string, Ref> =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      components.ref('examples', code, () => toExample(code, components.errors[code] as ErrorEntry)),
    ]),
  )

const bodyTooLarge = (components: Components): Ref =>
  components.ref('examples', 'body_too_large', () =>
    toExample('invalid_payload', { remedy: 'Send at most 1 MiB in one request.', example: BODY_TOO_LARGE }),
  )

const toExample = (code: string, { remedy, example }: Pick<ErrorEntry, 'remedy' | 'example'>): Json => ({
  summary: code,
  description: remedy,
  value: {
    error: code,
    message: example.message,
    request_id: 'req_4fK9sLmQ2xWb7TzA',
    ...(example.details && { details: example.details }),
  },
})
