import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Compression, SERVICE } from '../platform/http/compression.ts'
import { chooseEncoding } from '../platform/http/encoding.ts'
import { newRequestId } from '../platform/ids/index.ts'
import { NOTICE_POLICY, type NoticeKind, type NoticePage, noticePage } from './pages/notice.ts'

/** A request that still needs its response. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

interface ResponderOptions {
  /** Measures a response. Responses are not logged: every scan is stored anyway, and there are too many. */
  observe: (status: number, ms: number) => void
  isClosing: () => boolean
  compression: Compression
}

const RETRY_AFTER_SECONDS = '5'

const PAGE_HEADERS = [
  'content-type',
  'text/html; charset=utf-8',
  'content-security-policy',
  NOTICE_POLICY,
  'referrer-policy',
  'no-referrer',
  'vary',
  'accept-language, accept-encoding',
]

/** Sends the responses to scans: redirects and notice pages. */
export class Responder {
  readonly #options: ResponderOptions

  constructor(options: ResponderOptions) {
    this.#options = options
  }

  redirect(exchange: Exchange, location: string): void {
    this.#send(exchange, 302, ['location', location, 'content-length', '0'])
  }

  notice(exchange: Exchange, kind: NoticeKind): void {
    const { 'accept-language': acceptLanguage, 'accept-encoding': acceptEncoding } = exchange.request.headers
    const page = noticePage(kind, acceptLanguage)
    const { status, language, html, compressed } = page
    const encoding = chooseEncoding(acceptEncoding)
    const body = compressed.get(encoding)
    const length = String((body ?? html).length)
    const headers = [...PAGE_HEADERS, 'content-language', language, 'content-length', length]
    if (body !== undefined) headers.push('content-encoding', encoding)
    else if (encoding !== 'identity' && !compressed.has(encoding)) void this.#compress(page, encoding)
    if (kind === 'unavailable') headers.push('retry-after', RETRY_AFTER_SECONDS)
    this.#send(exchange, status, headers, body ?? html)
  }

  /** For later visitors. The first one does not wait for it. */
  async #compress({ html, compressed }: NoticePage, encoding: 'br' | 'gzip'): Promise<void> {
    compressed.set(encoding, undefined)
    const made = await this.#options.compression.compress(SERVICE, html, encoding, 'often').catch(() => undefined)
    if (made === undefined) compressed.delete(encoding)
    else compressed.set(encoding, made)
  }

  #send({ request, response }: Exchange, status: number, headers: string[], body?: Buffer): void {
    const { observe, isClosing } = this.#options
    headers.push('cache-control', 'no-store', 'x-robots-tag', 'noindex', 'x-request-id', newRequestId())
    if (isClosing()) headers.push('connection', 'close')
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
    observe(status, performance.now() - request.arrivedMs)
  }
}
