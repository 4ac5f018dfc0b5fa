import type { IncomingMessage } from 'node:http'

/** Node itself drops a shorter body, as soon as the response has ended. Nothing of it is kept in memory. */
const LONG_BYTES = 64 * 1024
/** Together, at most this much is read in this time: 25 MB a second. */
const INTERVAL_BYTES = 128 * 1024
const INTERVAL_MS = 5
/** A request that waits has up to 64 KiB in memory, which it emits at once. */
const TURNS_PER_INTERVAL = 2
/** A chunk costs 3 µs however short it is. Most clients send chunks of 1 KiB or more. */
const SHORT_CHUNK_BYTES = 256
const SHORT_CHUNKS_MAX = 1_000

/** Whether a body may be so long that it has to be dropped slowly. */
export const isLong = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length']) > LONG_BYTES || headers['transfer-encoding'] !== undefined

/**
 * Reads the rest of bodies that nobody wants and drops it, because many clients look for the response only after they have
 * sent the whole body. Anyone can send such bodies, so it is done slowly, and requests take turns.
 */
export class Drain {
  readonly #waiting = new Set<IncomingMessage>()
  #bytesLeft = INTERVAL_BYTES
  #timer: NodeJS.Timeout | undefined

  get waiting(): number {
    return this.#waiting.size
  }

  /** 1 while there are such bodies. */
  get running(): number {
    return this.#timer === undefined ? 0 : 1
  }

  /**
   * Call it before the response ends. After that, Node itself would read the body, as fast as it arrives. Call `forget`
   * when the connection is closed.
   */
  add(request: IncomingMessage): void {
    let shortChunks = 0
    request.on('data', (chunk: Buffer) => {
      const { length } = chunk
      this.#bytesLeft -= length
      free(chunk)
      this.#timer ??= setInterval(() => this.#readSome(), INTERVAL_MS).unref()
      // What is left of a complete body is in memory: the sooner it is dropped, the better.
      if (request.complete || request.socket.destroyed) return
      if (length < SHORT_CHUNK_BYTES && ++shortChunks > SHORT_CHUNKS_MAX) {
        request.socket.destroy()
      } else if (this.#bytesLeft <= 0) {
        request.pause()
        this.#waiting.add(request)
      }
    })
  }

  /** After its response, the request itself emits nothing when the connection is closed. */
  forget(request: IncomingMessage): void {
    this.#waiting.delete(request)
    // Frees what is in memory.
    request.resume()
  }

  #readSome(): void {
    this.#bytesLeft = INTERVAL_BYTES
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    let turns = TURNS_PER_INTERVAL
    for (const request of this.#waiting) {
      if (turns-- === 0) return
      this.#waiting.delete(request)
      request.resume()
    }
  }
}

/** Frees the memory at once. Until the next garbage collection, it could be a hundred megabytes. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
