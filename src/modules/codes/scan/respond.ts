import type { Compression } from '../../../platform/http/caching/compression.ts'
import type { RawRequest } from '../../../platform/http/server/raw-request.ts'
import { newRequestId } from '../../../platform/ids/index.ts'
import { type NoticeSender, toSentNotice } from '../../../platform/notices/index.ts'
import type { RedirectStatus } from '../../account/organisations/index.ts'
import { type NoticeKind, noticePage } from './pages/notice.ts'

export interface ScanRequest extends RawRequest {
  /** Sent with every kind of response: names and values in turn. */
  headers?: readonly string[] | undefined
}

interface ResponderOptions {
  /** Measures a response. Responses are not logged: every scan is stored anyway, and there are too many. */
  observe: (status: number, ms: number) => void
  compression: Compression
}

interface NoticeOptions {
  sender?: NoticeSender | undefined
  /** Instead of the status of the notice. */
  otherStatus?: number
}

/** Sends the responses to scans: redirects and notice pages. */
export class Responder {
  readonly #options: ResponderOptions

  constructor(options: ResponderOptions) {
    this.#options = options
  }

  redirect(raw: ScanRequest, location: string, status: RedirectStatus = 302): void {
    this.#send(raw, status, ['location', location, 'content-length', '0'])
  }

  /** Answers a program that asks a question, not a visitor. */
  data(raw: ScanRequest, contentType: string, body: Buffer, headers: readonly string[] = []): void {
    const length = [
      'content-type',
      contentType,
      'content-length',
      String(body.length),
      'vary',
      'accept, accept-language',
    ]
    this.#send(raw, 200, [...length, ...headers], body)
  }

  noContent(raw: ScanRequest): void {
    this.#send(raw, 204, [])
  }

  notice(raw: ScanRequest, kind: NoticeKind, { sender, otherStatus }: NoticeOptions = {}): void {
    const { 'accept-language': acceptLanguage, 'accept-encoding': acceptEncoding } = raw.request.headers
    const notice = noticePage(kind, acceptLanguage, sender)
    const { status, headers, body } = toSentNotice(notice, acceptEncoding, this.#options.compression)
    this.#send(raw, otherStatus ?? status, headers, body)
  }

  #send({ request, response, headers: own }: ScanRequest, status: number, headers: string[], body?: Buffer): void {
    if (own !== undefined) headers.push(...own)
    headers.push('cache-control', 'no-store', 'x-robots-tag', 'noindex', 'x-request-id', newRequestId())
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
    this.#options.observe(status, performance.now() - request.arrivedMs)
  }
}
