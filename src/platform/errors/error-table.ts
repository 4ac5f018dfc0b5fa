/** What a client needs to know about an error code. OpenAPI and docs/errors.md are generated from it. */
export interface ErrorEntry {
  readonly status: number
  /** What happened. */
  readonly meaning: string
  /** What the caller should do next. */
  readonly remedy: string
  readonly example: { readonly message: string; readonly details?: object }
}

/** The codes that any operation may use. A code that only one family uses is declared in its contract. */
export const ERRORS = {
  invalid_json: {
    status: 400,
    meaning: 'The body is missing, is not valid JSON, or was not sent as `application/json`.',
    remedy: 'Send a JSON body with the header `Content-Type: application/json`.',
    example: { message: 'The body is not valid JSON: line 3, column 14: expected "," or "}" but found "name".' },
  },
  invalid_payload: {
    status: 400,
    meaning:
      'The body fails validation. `details.fieldErrors` lists the errors of each field by its path, such as `items[417].status`, `details.formErrors` the rest.',
    remedy:
      'Correct the named fields. Remove unknown and read-only ones. (A body over 1 MiB gets this code with status 413, and one that takes longer than 20 s with 408.)',
    example: {
      message: 'The body is not valid. name: Must be 1 to 100 characters, not blank.',
      details: { formErrors: [], fieldErrors: { name: ['Must be 1 to 100 characters, not blank'] } },
    },
  },
  invalid_query: {
    status: 400,
    meaning: 'The query string fails validation. `details` has the same shape as for `invalid_payload`.',
    remedy: 'Correct or remove the named parameters.',
    example: {
      message: 'The query string is not valid. page_size: Must be a whole number from 1 to 100.',
      details: { formErrors: [], fieldErrors: { page_size: ['Must be a whole number from 1 to 100'] } },
    },
  },
  invalid_id: {
    status: 400,
    meaning: 'An ID in the path or query is malformed.',
    remedy: 'Send the ID exactly as the API returned it.',
    example: { message: 'The path has a malformed id. Must be a UUID.' },
  },
  invalid_cursor: {
    status: 400,
    meaning: 'The cursor is malformed, was changed, or belongs to another list or other filters.',
    remedy:
      'Send `next_cursor` unchanged and URL-encoded, with the filters of the first page; or start again without a cursor.',
    example: {
      message:
        'The cursor does not belong to this list. Send next_cursor unchanged and URL-encoded, with the same filters.',
    },
  },
  missing_api_key: {
    status: 401,
    meaning: 'The `Authorization: Bearer` header is missing or empty.',
    remedy: 'Send `Authorization: Bearer <API_KEY>`.',
    example: { message: 'Send your API key in the header "Authorization: Bearer <API_KEY>".' },
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The credential is not recognised.',
    remedy: 'Check that you copied the whole key and that it is for this installation.',
    example: { message: 'This credential is not recognised. Check that you copied all of it.' },
  },
  api_key_revoked: {
    status: 401,
    meaning: 'The key was revoked. This is permanent.',
    remedy: 'Create a new key.',
    example: { message: 'This API key was revoked. Create a new one.' },
  },
  api_key_expired: {
    status: 401,
    meaning: 'The key is past its `expires_at`.',
    remedy: 'Create a new key.',
    example: { message: 'This API key expired at 2026-06-09T22:50:58.806+00:00. Create a new one.' },
  },
  api_key_paused: {
    status: 403,
    meaning: 'The key is paused.',
    remedy: 'Resume the key, then retry.',
    example: { message: 'This API key is paused. Resume it, then retry.' },
  },
  forbidden: {
    status: 403,
    meaning:
      'The credential lacks a scope, which `details.required_scope` names. Or a person has to confirm who they are: `details.required` is then `recent_sign_in`.',
    remedy: 'Use a credential that has the scope. In a session, confirm who you are on the page that `message` names.',
    example: {
      message: 'This credential lacks the scope articles.manage.',
      details: { required_scope: 'articles.manage' },
    },
  },
  not_found: {
    status: 404,
    meaning: 'The path does not exist, or your organisation has no such resource.',
    remedy: 'Check the path and the ID.',
    example: { message: 'There is no article tag with this id in your organisation.' },
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method. The header `Allow` lists the methods it has.',
    remedy: 'Use one of the methods in `Allow`.',
    example: { message: '/v1/article-tags does not support DELETE. Use one of GET, HEAD, POST.' },
  },
  conflict: {
    status: 409,
    meaning:
      'Another resource already has this value (`details: {field, value}`), or the request conflicts with the current state (`details.reason`).',
    remedy: 'Choose another value. With a `Retry-After` header, retry after that many seconds.',
    example: {
      message: 'Another resource already has this name. Choose another one.',
      details: { field: 'name', value: 'Care instructions' },
    },
  },
  idempotency_conflict: {
    status: 409,
    meaning: 'The `Idempotency-Key` was used with a different body in the last 24 hours.',
    remedy: 'Use a new key for a new request.',
    example: {
      message:
        'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
    },
  },
  gone: {
    status: 410,
    meaning: 'The resource was permanently deleted. Its ID never resolves again.',
    remedy: 'Remove the ID from your system.',
    example: { message: 'This article tag was deleted.' },
  },
  unprocessable: {
    status: 422,
    meaning:
      'The request is well formed but cannot be applied, for example because it refers to a resource that does not exist.',
    remedy: 'Read `message`; `details` names the field.',
    example: {
      message: 'category_id: there is no article category with this id in your organisation.',
      details: { field: 'category_id', value: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11' },
    },
  },
  rate_limited: {
    status: 429,
    meaning: "Your organisation's limit per minute or per hour is reached.",
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry.',
    example: { message: 'Too many requests. Retry after 12 s.' },
  },
  internal_error: {
    status: 500,
    meaning: 'Something failed on our side.',
    remedy: 'Retry. If it keeps failing, contact support with the `request_id`.',
    example: { message: 'Something went wrong on our side. It is safe to retry.' },
  },
  service_unavailable: {
    status: 503,
    meaning:
      'A part that the service depends on, such as its database, does not respond, or too many requests of your organisation are waiting.',
    remedy: 'Retry with exponential backoff, first after the number of seconds in `Retry-After`.',
    example: { message: 'The database does not respond. Retry with exponential backoff.' },
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** A code that only one family uses. */
export interface FamilyError extends ErrorEntry {
  readonly code: string
}

export type ErrorTable = Readonly<Record<string, ErrorEntry>>

/** The common codes and those of the families, ordered by status. */
export function errorTable(familyErrors: readonly FamilyError[]): ErrorTable {
  const ofFamilies = familyErrors.map(({ code, ...entry }) => [code, entry] as const)
  const entries: (readonly [string, ErrorEntry])[] = [...Object.entries(ERRORS), ...ofFamilies]
  return Object.fromEntries(entries.sort(([, a], [, b]) => a.status - b.status))
}
