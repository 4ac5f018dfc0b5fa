import { z } from 'zod'
import { SECOND_MS } from '../clock/index.ts'
import { LlmError, toStatusError } from './llm-error.ts'
import type { LlmSettings } from './settings.ts'
import { SseReader } from './sse-reader.ts'

export interface ChatMessage {
  role: 'system' | 'user'
  content: string
}

/** With an event for each word, this is an answer of some ten thousand words. */
const STREAM_BYTES_MAX = 4 * 1024 * 1024
const EVENT_LENGTH_MAX = 256 * 1024
/** Holds a batch of vectors: 64 with 4,096 numbers of 20 characters each. */
const VECTORS_BYTES_MAX = 8 * 1024 * 1024
const EMBEDDING_MS_MAX = 30 * SECOND_MS

/** What is used of an event. Calls of tools are not read, because none is ever offered. */
const Event = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish() }).nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
})

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
})

/**
 * The HTTP client for an OpenAI-compatible endpoint. The operator chose its address, so it may be in a private network; that
 * is why this does not use the guarded client of `platform/outbound`.
 *
 * Its errors are an `LlmError`, or the reason of the signal. Neither has the key or anything that the endpoint sent.
 */
export class LlmClient {
  readonly #settings: LlmSettings
  readonly #closing = new AbortController()

  constructor(settings: LlmSettings) {
    this.#settings = settings
  }

  /** Aborts all requests. */
  close(): void {
    this.#closing.abort(new LlmError('connect', 'the service is stopping'))
  }

  /**
   * Yields the answer piece by piece. Throws if it is not complete in the end. If the caller stops reading or the signal is
   * aborted, the request is cancelled.
   */
  async *chat(model: string, messages: readonly ChatMessage[], signal: AbortSignal): AsyncGenerator<string, void> {
    const { answerMsMax, silenceMsMax } = this.#settings
    using request = new LimitedRequest(signal, this.#closing.signal, answerMsMax)
    request.expectSoon(silenceMsMax)
    const body = await this.#post(request, '/chat/completions', { model, messages, stream: true })
    const events = new SseReader(EVENT_LENGTH_MAX)
    let isFinished = false
    for await (const text of request.read(body, STREAM_BYTES_MAX)) {
      for (const data of events.read(text)) {
        // Not for comments, with which some servers keep a connection open that has no answer.
        request.expectSoon(silenceMsMax)
        if (data === '[DONE]') {
          if (!isFinished) throw new LlmError('malformed', 'the stream ended without a reason')
          return
        }
        const choice = parse(Event, data).choices[0]
        if (choice?.delta?.content) yield choice.delta.content
        if (choice?.finish_reason === 'content_filter') throw new LlmError('bad_request', 'the answer was filtered')
        if (choice?.finish_reason) isFinished = true
      }
    }
    if (!isFinished) throw new LlmError('malformed', 'the stream ended before the answer did')
  }

  /** Returns a vector for each text. */
  async embed(texts: readonly string[], signal: AbortSignal, timeoutMs = EMBEDDING_MS_MAX): Promise<number[][]> {
    using request = new LimitedRequest(signal, this.#closing.signal, timeoutMs)
    const model = this.#settings.embeddingsModel
    const body = await this.#post(request, '/embeddings', { model, input: texts, encoding_format: 'float' })
    let json = ''
    for await (const text of request.read(body, VECTORS_BYTES_MAX)) json += text
    const { data } = parse(Embeddings, json)
    const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
    const length = vectors[0]?.length ?? 0
    if (vectors.length !== texts.length || length === 0 || vectors.some((vector) => vector.length !== length)) {
      throw new LlmError('malformed', 'the endpoint did not send one vector for each text')
    }
    return vectors
  }

  async #post(request: LimitedRequest, path: string, json: object): Promise<AsyncIterable<Uint8Array>> {
    const { baseUrl, apiKey } = this.#settings
    const response = await request.send(baseUrl + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // A compressed response could expand to a thousand times the size limit.
        'accept-encoding': 'identity',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(json),
      // The key must not reach any other address.
      redirect: 'manual',
    })
    if (response.status === 200 && response.body !== null) return response.body
    void response.body?.cancel().catch(() => {})
    throw toStatusError(response.status)
  }
}

function parse<T>(schema: z.ZodType<T>, json: string): T {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new LlmError('malformed', 'the endpoint sent invalid JSON')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LlmError('malformed', 'the endpoint sent something else than the interface describes')
}

/** One request with its limits of time and bytes. */
class LimitedRequest {
  readonly #stop = new AbortController()
  readonly #signals: readonly AbortSignal[]
  readonly #timer: NodeJS.Timeout
  #silenceTimer: NodeJS.Timeout | undefined

  constructor(signal: AbortSignal, closing: AbortSignal, timeoutMs: number) {
    this.#signals = [signal, closing]
    this.#timer = setTimeout(() => this.#expire('too_long', 'a complete response', timeoutMs), timeoutMs)
    for (const one of this.#signals) {
      if (one.aborted) this.#stop.abort(one.reason)
      one.addEventListener('abort', this.#onAbort)
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#silenceTimer)
    for (const one of this.#signals) one.removeEventListener('abort', this.#onAbort)
    // Ends the connection if the response was not read to its end.
    this.#stop.abort()
  }

  /** Something must arrive within this time. */
  expectSoon(ms: number): void {
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = setTimeout(() => this.#expire('timeout', 'anything', ms), ms)
  }

  async send(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { ...init, signal: this.#stop.signal })
    } catch {
      throw this.#reasonOr(new LlmError('connect', 'the endpoint could not be reached'))
    }
  }

  /** Yields text. Throws if it is too long, not UTF-8, or does not arrive completely. */
  async *read(body: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<string, void> {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const decode = (chunk?: Uint8Array): string => {
      try {
        return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
      } catch {
        throw new LlmError('malformed', 'the endpoint sent something that is not UTF-8')
      }
    }
    let bytes = 0
    const chunks = body[Symbol.asyncIterator]()
    for (;;) {
      const next = await this.#next(chunks)
      if (next.done) break
      bytes += next.value.length
      if (bytes > bytesMax) throw new LlmError('too_large', `the response has more than ${bytesMax} bytes`)
      yield decode(next.value)
    }
    yield decode()
  }

  async #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await chunks.next()
    } catch {
      throw this.#reasonOr(new LlmError('connect', 'the endpoint closed the connection'))
    }
  }

  readonly #onAbort = (event: { target: EventTarget | null }): void =>
    this.#stop.abort((event.target as AbortSignal | null)?.reason)

  #expire(kind: 'timeout' | 'too_long', what: string, ms: number): void {
    this.#stop.abort(new LlmError(kind, `the endpoint did not send ${what} within ${ms} ms`))
  }

  #reasonOr(error: LlmError): unknown {
    return this.#stop.signal.aborted ? this.#stop.signal.reason : error
  }
}
