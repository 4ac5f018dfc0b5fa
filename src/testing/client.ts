import { findSecret } from './secrets-guard.ts'
import { type SentReply, sendRequest } from './send-request.ts'

export interface Reply extends SentReply {
  body: any
}

/** Calls the service over HTTP, as a customer does. */
export class Client {
  readonly #baseUrl: string
  readonly #apiKey: string | undefined
  readonly #headers: Readonly<Record<string, string>>

  /** Sends the headers with every request. */
  constructor(baseUrl: string, apiKey: string | undefined, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl
    this.#apiKey = apiKey
    this.#headers = headers
  }

  async request(
    method: string,
    path: string,
    init: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const { body } = init
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    // Later ones replace earlier ones.
    const headers: Record<string, string> = {
      ...(this.#apiKey !== undefined && { authorization: `Bearer ${this.#apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...this.#headers,
      ...init.headers,
    }
    const { pathname, search } = new URL(this.#baseUrl + path)
    const sent = { method, path: pathname + search, headers, body: isRaw ? body : JSON.stringify(body) }
    const reply = await sendRequest(this.#baseUrl, sent)
    const { status, text } = reply
    if (status >= 400 && findSecret(text)) throw new Error(`this error contains a secret: ${text}`)
    const isJson = reply.headers.get('content-type')?.includes('json') === true && text !== ''
    return { ...reply, body: isJson ? JSON.parse(text) : undefined }
  }

  get(path: string, headers?: Record<string, string>): Promise<Reply> {
    return this.request('GET', path, headers && { headers })
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> {
    return this.request('POST', path, { body, ...(headers && { headers }) })
  }

  patch(path: string, body?: unknown): Promise<Reply> {
    return this.request('PATCH', path, { body })
  }

  put(path: string, body?: unknown): Promise<Reply> {
    return this.request('PUT', path, { body })
  }

  delete(path: string): Promise<Reply> {
    return this.request('DELETE', path)
  }

  async lastEvent(): Promise<any> {
    return (await this.get('/v1/events?limit=1')).body.data[0]
  }
}
