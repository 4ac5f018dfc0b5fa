import type { IncomingMessage } from 'node:http'
import { ByteBudget, FairQueue, QueueFull } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import { ApiError } from '../../errors/index.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { ClientLeft } from '../server/client-left.ts'

export const BODY_BYTES_MAX = 1024 * 1024

export interface BodyLimits {
  /** Bytes of bodies in memory, over all requests in progress. */
  bytesMax: number
  bytesPerOrganisationMax: number
  /** How long a client may take to send a body. */
  timeoutMs: number
}

export const BODY_LIMITS: BodyLimits = {
  bytesMax: 64 * 1024 * 1024,
  bytesPerOrganisationMax: 16 * 1024 * 1024,
  timeoutMs: 20 * SECOND_MS,
}

/** The first buffer for a body whose length is unknown. A body that may be longer is large. */
const FIRST_BYTES = 64 * 1024

/**
 * Requests with a large body, from the first byte of it to the response. Their clients wait with sending meanwhile, so
 * those that wait take no memory.
 */
const LARGE_BODIES = { runningMax: 32, runningPerKeyMax: 2, waitingPerKeyMax: 100, waitMsMax: 5 * SECOND_MS }

/** A chunk costs 3 µs however short it is. Chunks of one byte would make 1 MiB cost three seconds. */
const CHUNKS_MAX = 10_000

/** A body in memory. */
export interface Body {
  readonly content: Buffer
  /** Must be called when the request has ended. */
  release(): void
}

const NO_BODY: Body = { content: Buffer.alloc(0), release: () => {} }

export function bodyTooLarge(bytesMax: number): ApiError {
  const problem = `The body is larger than ${bytesMax / 1024 / 1024} MiB`
  return new ApiError('invalid_payload', `${problem}.`, {
    status: 413,
    details: { formErrors: [problem], fieldErrors: {} },
  })
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Reads bodies into memory, within limits. */
export class BodyReader {
  readonly #timeoutMs: number
  readonly #budget: ByteBudget
  readonly #metrics: Metrics
  readonly #large = new FairQueue(LARGE_BODIES)

  constructor({ bytesMax, bytesPerOrganisationMax, timeoutMs }: BodyLimits, metrics: Metrics) {
    this.#timeoutMs = timeoutMs
    this.#budget = new ByteBudget({ bytesMax, bytesPerKeyMax: bytesPerOrganisationMax })
    this.#metrics = metrics
    metrics.watchBudget('body_bytes', this.#budget)
    metrics.watchQueue('large_bodies', this.#large)
    this.#large.onRefused = () => metrics.refused.inc({ limit: 'large_bodies' })
  }

  /** Throws `QueueFull` beyond the limits. A large body may wait for its turn until the signal is aborted. */
  read(request: IncomingMessage, key: string, signal: () => AbortSignal): Body | Promise<Body> {
    if (!hasBody(request)) return NO_BODY
    // Most bodies are short and arrive together with the headers.
    if (request.complete) {
      const content = readReceived(request)
      this.#take(key, content.length)
      return this.#toBody(key, content, content.length)
    }
    const length = Number(request.headers['content-length'])
    if (length <= FIRST_BYTES) return this.#receive(request, key, length)
    return this.#receiveInTurn(request, key, length || FIRST_BYTES, signal())
  }

  #receiveInTurn(request: IncomingMessage, key: string, firstBytes: number, signal: AbortSignal): Promise<Body> {
    return new Promise((resolve, reject) => {
      const keepTurn = async () => {
        const body = await this.#receive(request, key, firstBytes)
        await new Promise<void>((release) => {
          resolve({ content: body.content, release: () => release(body.release()) })
        })
      }
      this.#large.run(key, keepTurn, signal).catch(reject)
    })
  }

  #toBody(key: string, content: Buffer, heldBytes: number): Body {
    return { content, release: () => this.#budget.release(key, heldBytes) }
  }

  #receive(request: IncomingMessage, key: string, firstBytes: number): Promise<Body> {
    this.#take(key, firstBytes)
    // One buffer, not a list of chunks: a client could send chunks of one byte, and each takes 100 bytes.
    let buffer: Buffer = Buffer.allocUnsafe(firstBytes)
    let length = 0
    let chunks = 0
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        request.off('data', onData).off('end', onEnd).off('close', onClose)
      }
      const fail = (error: Error) => {
        stop()
        this.#budget.release(key, buffer.length)
        reject(error)
        // The rest is dropped when the response is sent (`Drain`).
        request.pause()
      }
      const onData = (chunk: Buffer) => {
        try {
          if (++chunks > CHUNKS_MAX) throw tooManyChunks()
          if (length + chunk.length > buffer.length) buffer = this.#grow(key, buffer, length + chunk.length)
        } catch (error) {
          fail(error as Error)
          return
        }
        chunk.copy(buffer, length)
        length += chunk.length
      }
      const onEnd = () => {
        stop()
        resolve(this.#toBody(key, buffer.subarray(0, length), buffer.length))
      }
      const onClose = () => fail(new ClientLeft())
      const timer = setTimeout(() => {
        this.#metrics.refused.inc({ limit: 'body_time' })
        fail(tooSlow(this.#timeoutMs))
      }, this.#timeoutMs)
      request.on('data', onData).on('end', onEnd).on('close', onClose)
    })
  }

  #grow(key: string, buffer: Buffer, neededBytes: number): Buffer {
    if (neededBytes > BODY_BYTES_MAX) throw bodyTooLarge(BODY_BYTES_MAX)
    const bytes = Math.min(BODY_BYTES_MAX, Math.max(neededBytes, buffer.length * 2))
    this.#take(key, bytes - buffer.length)
    const grown = Buffer.allocUnsafe(bytes)
    buffer.copy(grown)
    return grown
  }

  #take(key: string, bytes: number): void {
    if (this.#budget.tryTake(key, bytes)) return
    this.#metrics.refused.inc({ limit: 'body_bytes' })
    throw new QueueFull('too many bytes of bodies are in memory')
  }
}

/** `read` returns one chunk at a time. */
function readReceived(request: IncomingMessage): Buffer {
  const first: Buffer = request.read() ?? Buffer.alloc(0)
  const chunks = [first]
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
  return chunks.length === 1 ? first : Buffer.concat(chunks)
}

export const tooManyChunks = (): ApiError =>
  new ApiError('invalid_payload', `The body has more than ${CHUNKS_MAX} chunks. Send it in larger ones.`)

export const tooSlow = (timeoutMs: number): ApiError =>
  new ApiError('invalid_payload', `The body did not arrive within ${timeoutMs / SECOND_MS} s. Send it again.`, {
    status: 408,
  })
