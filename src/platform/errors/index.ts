/** Every error that the API can answer: one table, from which OpenAPI and docs/errors.md are made. */
export const ERRORS = {
  invalid_json: {
    status: 400,
    meaning: 'The body is missing, is not valid JSON, or is not sent as `application/json`.',
    remedy: 'Send a JSON body with `Content-Type: application/json`.',
  },
  invalid_payload: {
    status: 400,
    meaning: 'The body does not fit the schema. `details.fieldErrors` names each field, `details.formErrors` the rest.',
    remedy:
      'Correct the named fields. Unknown and read-only fields are refused. (A body over 1 MiB has this code with status 413.)',
  },
  invalid_query: {
    status: 400,
    meaning: 'The query string does not fit. `details` has the same shape as for `invalid_payload`.',
    remedy: 'Correct or remove the named parameters.',
  },
  invalid_id: {
    status: 400,
    meaning: 'An id in the path or query is not of its form.',
    remedy: 'Pass the id exactly as the API returned it.',
  },
  invalid_cursor: {
    status: 400,
    meaning: 'The cursor is malformed, was changed, or belongs to another list.',
    remedy:
      'Pass `next_cursor` verbatim, URL-encoded, with the filters of the first page; or start again without a cursor.',
  },
  missing_api_key: {
    status: 401,
    meaning: 'There is no `Authorization: Bearer` header, or it is empty.',
    remedy: 'Send `Authorization: Bearer <API_KEY>`.',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The credential is not recognised.',
    remedy: 'Check that the whole key was copied.',
  },
  api_key_revoked: { status: 401, meaning: 'The key was revoked for good.', remedy: 'Make a new key.' },
  api_key_expired: { status: 401, meaning: 'The key is past its `expires_at`.', remedy: 'Make a new key.' },
  api_key_paused: { status: 403, meaning: 'The key is paused.', remedy: 'Resume it, then retry.' },
  forbidden: {
    status: 403,
    meaning: 'The credential may not do this. `details.required_scope` names what it lacks.',
    remedy: 'Use a credential that has the scope.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such path, or no such resource in your organisation.',
    remedy: 'Check the address and the id.',
  },
  gone: {
    status: 410,
    meaning: 'The resource was deleted for good; its id never resolves again.',
    remedy: 'Forget the id.',
  },
  conflict: {
    status: 409,
    meaning:
      'Another resource has this value (`details: {field, value}`), or something else is under way (`details.reason`).',
    remedy: 'Choose another value; with `details.reason`, retry after `Retry-After`.',
  },
  category_not_empty: {
    status: 409,
    meaning: 'The article category still has categories or articles below it.',
    remedy: 'Empty it first, or delete with `?cascade=true`.',
  },
  idempotency_conflict: {
    status: 409,
    meaning: 'The `Idempotency-Key` was used with a different body within 24 hours.',
    remedy: 'Use a new key for a new request.',
  },
  unprocessable: {
    status: 422,
    meaning:
      'The request is well formed but cannot be applied, for example because it refers to something that does not exist.',
    remedy: 'Read `message` and `details`.',
  },
  insufficient_credits: {
    status: 422,
    meaning: 'The organisation lacks the credits; nothing was spent.',
    remedy: 'Add credits, then retry.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The minute or hour cap is reached.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  internal_error: {
    status: 500,
    meaning: 'An error of ours.',
    remedy: 'Safe to retry; tell us the `request_id` when it persists.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'Something that the service needs does not answer.',
    remedy: 'Retry with exponential backoff.',
  },
} as const

export type ErrorCode = keyof typeof ERRORS

export interface ValidationDetails {
  formErrors: string[]
  fieldErrors: Record<string, string[]>
}

interface ApiErrorOptions {
  details?: object
  /** Where the contract gives a code another status than its own: a body too large is 413 `invalid_payload`. */
  status?: number
  retryAfterSeconds?: number
}

/** An answer, thrown. What is thrown and is not one of these is a bug and is answered `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: object | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = options.status ?? ERRORS[code].status
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  /** The one shape of every error answer. */
  toBody(requestId: string): object {
    const body = { error: this.code, message: this.message, request_id: requestId }
    return this.details === undefined ? body : { ...body, details: this.details }
  }
}

export const invalidPayload = (fieldErrors: ValidationDetails['fieldErrors'], formErrors: string[] = []): ApiError =>
  new ApiError('invalid_payload', describe('The body', formErrors, fieldErrors), {
    details: { formErrors, fieldErrors } satisfies ValidationDetails,
  })

export const invalidQuery = (fieldErrors: ValidationDetails['fieldErrors'], formErrors: string[] = []): ApiError =>
  new ApiError('invalid_query', describe('The query string', formErrors, fieldErrors), {
    details: { formErrors, fieldErrors } satisfies ValidationDetails,
  })

/** A field of a good body that cannot be taken as it is: what it names is not there, or does not fit. */
export const unprocessable = (field: string, value: unknown, complaint: string): ApiError =>
  new ApiError('unprocessable', `${field}: ${complaint}.`, { details: { field, value } })

/** The first complaint in words, so that whoever reads only the message knows what to correct. */
function describe(what: string, formErrors: string[], fieldErrors: ValidationDetails['fieldErrors']): string {
  const [field] = Object.entries(fieldErrors)
  const first = field ? `${field[0]}: ${field[1][0]}` : formErrors[0]
  return first ? `${what} is not valid. ${first}.` : `${what} is not valid.`
}
