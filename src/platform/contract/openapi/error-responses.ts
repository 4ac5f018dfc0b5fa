import type { ErrorEntry, ErrorTable } from '../../errors/index.ts'
import type { Operation } from '../operation.ts'
import type { Components } from './components.ts'
import { errorCodes } from './error-codes.ts'
import { errorEnum, errorSchema } from './error-schemas.ts'
import { errorHeaders } from './headers.ts'
import type { Json, Ref } from './json.ts'
import { pascalCase } from './names.ts'

/** Names of responses where joining the codes would make the name too long. */
const NAMES: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden' }

const MIB = 1024 * 1024
const BODY_BYTES_MAX = MIB

/** The error responses of an operation, by status. Operations with the same codes share a response. */
export function errorResponses(
  components: Components,
  operation: Operation,
  queryParameters: readonly Json[],
): Record<string, Ref> {
  const responses = [...errorCodes(operation, queryParameters, components.errors)].map(([status, codes]) => {
    if (status === 413) return [status, tooLarge(components, operation)]
    const name = NAMES[status] ?? codes.map(pascalCase).join('Or')
    return [status, components.ref('responses', name, () => errorResponse(components, status, codes))]
  })
  return Object.fromEntries(responses)
}

const errorResponse = (
  components: Components,
  status: number,
  codes: readonly string[],
  description = describe(codes, components.errors),
  examples = examplesOf(components, codes),
): Json => ({
  description,
  headers: errorHeaders(components, status),
  content: {
    'application/json': {
      schema: {
        allOf: [
          errorSchema(components),
          { type: 'object', properties: { error: { type: 'string', ...errorEnum(components, codes) } } },
        ],
      },
      examples,
    },
  },
})

/** The response to a body over the limit, which is higher for files. */
function tooLarge(components: Components, { declared: { upload } }: Operation): Ref {
  const mebibytes = (upload?.bytesMax ?? BODY_BYTES_MAX) / MIB
  const [name, example] = upload ? ['FileTooLarge', 'file_too_large'] : ['BodyTooLarge', 'body_too_large']
  const problem = `The body is larger than ${mebibytes} MiB`
  const shown = {
    remedy: `Send at most ${mebibytes} MiB in one request.`,
    example: { message: `${problem}.`, details: { formErrors: [problem], fieldErrors: {} } },
  }
  return components.ref('responses', name, () =>
    errorResponse(components, 413, ['invalid_payload'], `\`invalid_payload\`: ${problem}.`, {
      [example]: components.ref('examples', example, () => toExample('invalid_payload', shown)),
    }),
  )
}

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
