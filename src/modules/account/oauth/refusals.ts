import { type PageResponse, respondJson } from '../../../platform/pages/index.ts'
import { OPEN } from './cors.ts'

const MESSAGES = {
  invalid_request: 'Send client_id and grant_type, or client_id and token, as application/x-www-form-urlencoded.',
  invalid_client: 'There is no application with this client_id. Register it.',
  unsupported_grant_type: 'Use the grant type authorization_code or refresh_token.',
  invalid_grant: 'This code or refresh token does not exist, has expired, or belongs to another application.',
} as const

/** Why a request for tokens is in vain (RFC 6749). */
export type TokenProblem = keyof typeof MESSAGES

export const refuseTokens = (error: TokenProblem): PageResponse =>
  respondError(error === 'invalid_client' ? 401 : 400, error, MESSAGES[error])

export const respondError = (
  status: number,
  error: string,
  error_description: string,
  headers: Record<string, string> = {},
): PageResponse => respondJson(status, { error, error_description }, { ...OPEN, ...headers })

export const refuseBusy = (seconds: number): PageResponse =>
  respondError(429, 'too_many_requests', `Too many requests from your IP address. Retry after ${seconds} s.`, {
    'retry-after': String(seconds),
  })
