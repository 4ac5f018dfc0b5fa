import { expect } from 'vitest'
import { createCentre, type TestCentre } from './data/help-centre.ts'
import { eventually } from './eventually.ts'
import type { Harness, Tenant } from './harness.ts'
import { rememberToken } from './secrets-guard.ts'

export interface SentEvent {
  event: string
  id: string | undefined
  data: any
}

interface ChatReply {
  status: number
  headers: Headers
  text: string
  json: any
}

type Fields = Record<string, string | string[]>

/** The articles that chatbots of tests answer from, in English and German. Indexed when it resolves. */
export async function createArticles(harness: Harness, tenant: Tenant): Promise<TestCentre> {
  const centre = await createCentre(harness, {}, tenant)
  const article = await centre.article({
    title: 'Oiling the oak table',
    content: 'Oil the oak table **twice a year** with linseed oil. Let it dry overnight.',
  })
  await centre.translate(
    article.id,
    'de',
    'Den Eichentisch ölen',
    'Ölen Sie den Eichentisch **zweimal im Jahr** mit Leinöl. Lassen Sie ihn über Nacht trocknen.',
  )
  await waitForIndex(tenant, article.id)
  return centre
}

export const waitForIndex = (tenant: Tenant, articleId: string): Promise<boolean> =>
  eventually(async () => (await tenant.get(`/v1/articles/${articleId}`)).body.indexing_status === 'indexed')

/** A visitor of one chatbot, as a browser is: it keeps cookies and says where it comes from. */
export class ChatPage {
  readonly path: string
  readonly address: string
  readonly cookies = new Map<string, string>()
  readonly #harness: Pick<Harness, 'baseUrl'>
  #text = ''

  constructor(harness: Pick<Harness, 'baseUrl'>, bot: { public_slug: string }, address = randomAddress()) {
    this.#harness = harness
    this.path = `/c/${bot.public_slug}`
    this.address = address
  }

  /** Opens the page, and follows redirects. */
  async open(path = this.path, headers: Record<string, string> = {}): Promise<string> {
    const { text, status, headers: got } = await this.request('GET', path, undefined, headers)
    const location = got.get('location')
    if (status === 303 && location !== null) return this.open(location, headers)
    this.#text = text
    return text
  }

  /** Sends a form of the page that was opened last, and shows the next page. Resolves to the response to the form. */
  async send(action: string, fields: Fields, headers: Record<string, string> = {}): Promise<ChatReply> {
    const key = /name="key" value="([^"]+)"/.exec(this.#text)?.[1]
    const body = toBody({ ...(key !== undefined && { key }), ...fields })
    const sent = await this.request('POST', `${this.path}/${action}?lang=en`, body, headers)
    if (sent.status === 303) await this.open(sent.headers.get('location')?.split('#')[0])
    else if (sent.text !== '') this.#text = sent.text
    return sent
  }

  get text(): string {
    return this.#text
  }

  write(text: string, more: Fields = {}): Promise<ChatReply> {
    return this.send('messages', { text, ...more })
  }

  sendByScript(action: string, fields: Fields, headers: Record<string, string> = {}): Promise<ChatReply> {
    const path = `${this.path}/${action}?lang=en`
    return this.request('POST', path, toBody(fields), { accept: 'application/json', ...headers })
  }

  upload(name: string, content: Uint8Array): Promise<ChatReply> {
    const path = `${this.path}/files?name=${encodeURIComponent(name)}`
    return this.request('POST', path, content as Uint8Array<ArrayBuffer>, { accept: 'application/json' })
  }

  async request(
    method: string,
    path: string,
    body?: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ): Promise<ChatReply> {
    const response = await this.#fetch(method, path, body, headers)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

  /** Opens the stream of the conversation. */
  async listen(headers: Record<string, string> = {}): Promise<TestStream> {
    return TestStream.of(await this.listenRaw(headers))
  }

  listenRaw(headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return this.#fetch('GET', `${this.path}/events?lang=en`, undefined, { accept: STREAM, ...headers }, signal)
  }

  /** Sends a message as the script does: the response is the stream of the answer. */
  async ask(fields: Fields, headers: Record<string, string> = {}): Promise<TestStream> {
    const path = `${this.path}/messages?lang=en`
    return TestStream.of(await this.#fetch('POST', path, toBody(fields), { accept: STREAM, ...headers }))
  }

  /** An empty header is not sent. */
  async #fetch(
    method: string,
    path: string,
    body: NonNullable<RequestInit['body']> | undefined,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const response = await fetch(this.#harness.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: Object.entries({
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'sec-fetch-site': method === 'GET' ? 'none' : 'same-origin',
        'x-forwarded-for': this.address,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      }).filter(([, value]) => value !== ''),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    for (const set of response.headers.getSetCookie()) this.#keep(set)
    return response
  }

  #keep(setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
    if (/Max-Age=0;/.test(setCookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
    if (value !== '') rememberToken(value)
  }
}

const STREAM = 'text/event-stream'

const randomAddress = (): string =>
  `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`

function toBody(fields: Fields): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one)
  return body
}

/** A raw client of server-sent events. */
export class TestStream {
  readonly events: SentEvent[] = []
  /** How many heartbeats arrived. */
  beats = 0
  isEnded = false
  readonly #reader: ReadableStreamDefaultReader<string>

  private constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as never
    void this.#read().catch(() => {
      this.isEnded = true
    })
  }

  static of(response: Response): TestStream {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    return new TestStream(response.body as ReadableStream<Uint8Array>)
  }

  named(event: string): any[] {
    return this.events.filter((one) => one.event === event).map(({ data }) => data)
  }

  /** What the messages say, without markup. */
  get texts(): string[] {
    return this.named('message').map(({ html }) =>
      html
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  }

  until<T>(check: (stream: TestStream) => T | undefined | false): Promise<T> {
    return eventually(() => check(this))
  }

  ended(): Promise<boolean> {
    return this.until(({ isEnded }) => isEnded)
  }

  close(): Promise<void> {
    return this.#reader.cancel()
  }

  async #read(): Promise<void> {
    for (let rest = ''; ; ) {
      const { value, done } = await this.#reader.read()
      if (done) break
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) this.#add(block)
    }
    this.isEnded = true
  }

  #add(block: string): void {
    if (block.startsWith(':')) {
      this.beats++
      return
    }
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
    this.events.push({ event: fields.event, id: fields.id, data: JSON.parse(fields.data) })
  }
}
