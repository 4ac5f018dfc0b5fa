import { ERRORS, type ErrorCode, type FamilyError } from './error-table.ts'

export interface ValidationDetails {
  formErrors: string[]
  fieldErrors: Record<string, string[]>
}

interface ApiErrorOptions {
  details?: object
  /** Overrides the status of the code: a body that is too large is 413 `invalid_payload`. */
  status?: number
  retryAfterSeconds?: number
}

/** An error response. Anything else that is thrown is a bug and becomes `internal_error`. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly details: object | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(error: ErrorCode | FamilyError, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = typeof error === 'string' ? error : error.code
    this.status = options.status ?? (typeof error === 'string' ? ERRORS[error] : error).status
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  /** The JSON body that all errors share. */
  toBody(requestId: string): object {
    const body = { error: this.code, message: this.message, request_id: requestId }
    return this.details === undefined ? body : { ...body, details: this.details }
  }
}

export const invalidPayload = (fieldErrors: ValidationDetails['fieldErrors'], formErrors: string[] = []): ApiError =>
  new ApiError('invalid_payload', summarise('The body', formErrors, fieldErrors), {
    details: { formErrors, fieldErrors } satisfies ValidationDetails,
  })

export const invalidQuery = (fieldErrors: ValidationDetails['fieldErrors'], formErrors: string[] = []): ApiError =>
  new ApiError('invalid_query', summarise('The query string', formErrors, fieldErrors), {
    details: { formErrors, fieldErrors } satisfies ValidationDetails,
  })

/** The body is valid, but a field cannot be applied, such as a reference to a resource that does not exist. */
export const unprocessable = (field: string, value: unknown, problem: string): ApiError =>
  new ApiError('unprocessable', `${field}: ${problem}.`, { details: { field, value } })

/** The same for one entry of a list, which it names by its position: `tag_ids[3]`. */
export const unprocessableEntry = (
  list: string,
  entries: readonly string[],
  entry: string,
  problem: string,
): ApiError => unprocessable(`${list}[${entries.indexOf(entry)}]`, entry, problem)

/** Puts the first error into the message, for readers who never look at `details`. */
function summarise(what: string, formErrors: string[], fieldErrors: ValidationDetails['fieldErrors']): string {
  const [field] = Object.entries(fieldErrors)
  const first = field ? `${field[0]}: ${field[1][0]}` : formErrors[0]
  if (first === undefined) return `${what} is not valid.`
  return `${what} is not valid. ${first}${/[.?…]$/.test(first) ? '' : '.'}`
}
