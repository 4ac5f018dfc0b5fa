import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import { ApiError, ERRORS, type ErrorCode } from '../../errors/index.ts'
import { JSON_TYPE } from '../pipeline/response.ts'
import type { KnownPaths } from './known-paths.ts'
import type { TrackedResponse } from './tracked-response.ts'
import { wantsJson } from './wants-json.ts'

/** Describe the page. All other headers stay. */
const OF_PAGE = /^(?:content-(?:type|length|encoding|language|security-policy)|x-robots-tag|etag|link)$/

/**
 * Returns a class of responses that are never an HTML page about an error if a program asks. All parts of the service show
 * their own pages to people; here none of them can forget that some clients are not people.
 */
export function withJsonErrors(Response: typeof TrackedResponse, paths: KnownPaths): typeof TrackedResponse {
  return class JsonErrorResponse extends Response {
    /** Sent instead of the page. */
    #instead: string | undefined = undefined

    override writeHead(status: number, ...rest: unknown[]): this {
      if (status < 400 || !wantsJson(this.req.headers))
        return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]))
      const headers = allHeaders(this.getHeaders(), rest.at(-1))
      if (!String(headers['content-type']).startsWith('text/html')) {
        return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]))
      }
      const body = toError(status, this.req, String(headers.allow), paths).toBody(String(headers['x-request-id']))
      this.#instead = JSON.stringify(body)
      for (const name of Object.keys(headers).filter((name) => OF_PAGE.test(name))) {
        this.removeHeader(name)
        delete headers[name]
      }
      headers['content-type'] = JSON_TYPE
      headers['content-length'] = Buffer.byteLength(this.#instead)
      return super.writeHead(status, headers)
    }

    override write(...args: unknown[]): boolean {
      return this.#instead === undefined ? super.write(...(args as [unknown])) : true
    }

    override end(...args: unknown[]): this {
      if (this.#instead === undefined) return super.end(...(args as [unknown]))
      return super.end(this.req.method === 'HEAD' ? undefined : this.#instead)
    }
  }
}

/** Headers are set one by one, or given as an object or as names and values in turn. */
function allHeaders(set: OutgoingHttpHeaders, given: unknown): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ...set }
  const pairs = Array.isArray(given)
    ? given.flatMap((name, at) => (at % 2 === 0 ? [[name, given[at + 1]] as const] : []))
    : Object.entries((typeof given === 'object' && given) || {})
  for (const [name, value] of pairs) {
    const key = String(name).toLowerCase()
    const before = key === 'set-cookie' ? headers[key] : undefined
    headers[key] = before === undefined ? (value as OutgoingHttpHeader) : [before, value as string].flat().map(String)
  }
  return headers
}

const MESSAGES: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['missing_api_key', 'This needs a credential.'],
  403: ['forbidden', 'You are not allowed to do this.'],
  409: ['conflict', 'The request conflicts with the current state.'],
  410: ['gone', 'What was at this address is permanently deleted.'],
  422: ['unprocessable', 'The request cannot be applied.'],
  429: ['rate_limited', 'Too many requests. Retry later.'],
  503: ['service_unavailable', 'The service is unavailable at the moment. Retry with exponential backoff.'],
}

function toError(status: number, { method = 'GET', url = '/' }: IncomingMessage, allowed: string, paths: KnownPaths) {
  const path = url.split('?', 1)[0] ?? '/'
  if (status === 404) return unknownPath(method, path, paths)
  if (status === 405) return wrongMethod(method, path, allowed)
  const [code, message] = MESSAGES[status] ?? otherMessage(status, method)
  return new ApiError(code, message, { status })
}

function otherMessage(status: number, method: string): readonly [ErrorCode, string] {
  if (status >= 500) return ['internal_error', ERRORS.internal_error.example.message]
  return method === 'GET' || method === 'HEAD'
    ? ['invalid_id', 'The address is malformed.']
    : ['invalid_payload', 'The form is not valid.']
}

/** Says so if only the prefix of the API is missing. */
export function unknownPath(method: string, path: string, paths: KnownPaths): ApiError {
  const isOfApi = paths.methodsOf(`/v1${path}`).length > 0
  const hint = isOfApi ? `The API is at /v1${path}.` : 'Check the method and the path.'
  return new ApiError('not_found', `There is no ${method} ${path}. ${hint}`)
}

export const wrongMethod = (method: string, path: string, allowed: string): ApiError =>
  new ApiError('method_not_allowed', `${path} does not support ${method}. Use one of ${allowed}.`)
