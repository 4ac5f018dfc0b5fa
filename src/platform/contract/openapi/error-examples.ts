import type { ErrorCode } from '../../errors/index.ts'

export interface ErrorExample {
  message: string
  details?: object
}

/** What each error looks like. A new code does not compile until it has an example. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorExample> = {
  invalid_json: { message: 'The body is not valid JSON.' },
  invalid_payload: {
    message: 'The body is not valid. name: Must be 1 to 100 characters, not blank.',
    details: { formErrors: [], fieldErrors: { name: ['Must be 1 to 100 characters, not blank'] } },
  },
  invalid_query: {
    message: 'The query string is not valid. page_size: Must be a whole number from 1 to 100.',
    details: { formErrors: [], fieldErrors: { page_size: ['Must be a whole number from 1 to 100'] } },
  },
  invalid_id: { message: 'The path has a malformed id. Must be a UUID.' },
  invalid_cursor: {
    message:
      'The cursor is not one that this list gave out. Pass next_cursor verbatim, URL-encoded, with the same filters.',
  },
  missing_api_key: { message: 'Send your API key as "Authorization: Bearer <API_KEY>".' },
  invalid_api_key: { message: 'This credential is not recognised.' },
  api_key_revoked: { message: 'This API key was revoked. Make a new one.' },
  api_key_expired: { message: 'This API key expired at 2026-06-09T22:50:58.806+00:00. Make a new one.' },
  api_key_paused: { message: 'This API key is paused. Resume it, then retry.' },
  forbidden: {
    message: 'This credential lacks the scope articles.manage.',
    details: { required_scope: 'articles.manage' },
  },
  not_found: { message: 'There is no article tag with this id in your organisation.' },
  gone: { message: 'This article tag was deleted.' },
  conflict: {
    message: 'Another resource already has this name.',
    details: { field: 'name', value: 'Care instructions' },
  },
  category_not_empty: {
    message: 'The category still has articles. Empty it first, or delete with cascade=true.',
    details: { categories: 0, articles: 3 },
  },
  idempotency_conflict: {
    message:
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
  },
  unprocessable: { message: 'The body refers to something that does not exist in your organisation.' },
  insufficient_credits: { message: 'The organisation lacks the credits for this.' },
  rate_limited: { message: 'Too many requests. Retry after 12 s.' },
  internal_error: { message: 'Something went wrong on our side. It is safe to retry.' },
  service_unavailable: { message: 'The database does not answer. Retry with exponential backoff.' },
}

export const BODY_TOO_LARGE: ErrorExample = {
  message: 'The body is larger than 1 MiB.',
  details: { formErrors: ['The body is larger than 1 MiB'], fieldErrors: {} },
}
