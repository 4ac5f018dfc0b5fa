import type { IncomingMessage } from 'node:http'
import type { RawRequest } from '../http/server/raw-request.ts'
import type { Server } from '../http/server/server.ts'
import { BUSY, NOTICE_POLICY } from '../notices/index.ts'
import { type PageResponse, retryAfter } from './page-response.ts'
import { sendRaw } from './send.ts'
import { HTML_TYPE } from './stored-page.ts'

/** What people see if too much comes from their address. Programs get JSON instead, as for every page about an error. */
export function respondBusy(request: IncomingMessage, seconds: number) {
  const { status, language, body } = BUSY.get('busy', request.headers['accept-language'])
  request.loggedAs = { ...request.loggedAs, error: 'busy' }
  return {
    status,
    headers: {
      'content-type': HTML_TYPE,
      'content-language': language,
      'content-security-policy': NOTICE_POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      ...retryAfter(seconds),
    },
    body: body.plain.bytes,
  } satisfies PageResponse
}

/** The same outside the framework. */
export function sendBusy(server: Pick<Server, 'record'>, raw: RawRequest, operation: string, seconds: number): void {
  const { status, headers, body } = respondBusy(raw.request, seconds)
  sendRaw(server, raw, operation, { status, headers: Object.entries(headers).flat(), body })
}
