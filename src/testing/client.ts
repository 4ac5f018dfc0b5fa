import { findSecret } from './secrets-guard.ts'

export interface Reply {
  status: number
  headers: Headers
  body: any
  text: string
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
    const headers = new Headers({ ...this.#headers, ...init.headers })
    if (this.#apiKey !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${this.#apiKey}`)
    const hasBody = init.body !== undefined
    if (hasBody && !headers.has('content-type')) headers.set('content-type', 'application/json')
    const raw = typeof init.body === 'string' || init.body instanceof Uint8Array
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      ...(hasBody && {
        body: (raw ? init.body : JSON.stringify(init.body)) as string | Uint8Array<ArrayBuffer>,
      }),
    })
    const text = await response.text()
    if (response.status >= 400 && findSecret(text)) throw new Error(`this error contains a secret: ${text}`)
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
    }
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
