import type { IncomingMessage } from 'node:http'

/** Together, at most this many chunks (of up to 64 KiB) are read in this time: 25 MB a second. */
const CHUNKS_MAX = 2
const INTERVAL_MS = 5

/**
 * Reads the rest of bodies that nobody wants and drops it, because many clients look for the response only after they have
 * sent the whole body. Anyone can send such bodies, so it is done slowly, and requests take turns.
 */
export class Drain {
  readonly #waiting = new Set<IncomingMessage>()
  #timer: NodeJS.Timeout | undefined

  get waiting(): number {
    return this.#waiting.size
  }

  /** 1 while there are such bodies. */
  get running(): number {
    return this.#timer === undefined ? 0 : 1
  }

  /** Call it before the response ends. After that, Node itself would read the body, as fast as it arrives. */
  add(request: IncomingMessage): void {
    const { socket } = request
    const forget = () => {
      this.#waiting.delete(request)
      socket.off('close', forget)
      // Frees what is in memory.
      request.resume()
    }
    request.once('end', forget)
    // After its response, the request itself emits nothing when the connection is closed.
    socket.once('close', forget)
    request.on('data', (chunk: Buffer) => {
      free(chunk)
      if (socket.destroyed) return
      request.pause()
      this.#waiting.add(request)
      this.#timer ??= setInterval(() => this.#readSome(), INTERVAL_MS).unref()
    })
  }

  #readSome(): void {
    let left = CHUNKS_MAX
    for (const request of this.#waiting) {
      if (left-- === 0) return
      this.#waiting.delete(request)
      request.resume()
    }
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Frees the memory at once. Until the next garbage collection, it could be a hundred megabytes. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
