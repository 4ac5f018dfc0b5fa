import type { IncomingMessage } from 'node:http'
import { SECOND_MS } from '../../clock/index.ts'
import type { ApiError } from '../../errors/index.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { ClientLeft } from '../server/client-left.ts'
import { bodyTooLarge, tooManyChunks, tooSlow } from './body-reader.ts'

/** How long a client may take to send files. */
export interface UploadTimes {
  timeoutMs: number
  /** Longest time without any byte. */
  stalledMs: number
}

export const UPLOAD_TIMES: UploadTimes = {
  /** A phone with one megabit a second sends the largest file in this time. */
  timeoutMs: 120 * SECOND_MS,
  stalledMs: 20 * SECOND_MS,
}

/** Beyond the first ones, chunks must have this many bytes on average: a chunk of one byte costs as much as a large one. */
const CHUNK_BYTES_MIN = 100
const FREE_CHUNKS = 10_000

/** Yields the chunks of a body as they arrive, and pauses the client while nobody takes them. */
export async function* incomingChunks(
  request: IncomingMessage,
  bytesMax: number,
  { timeoutMs, stalledMs }: UploadTimes,
  metrics: Metrics,
): AsyncGenerator<Buffer, void> {
  const startedAtMs = performance.now()
  let bytes = 0
  let chunks = 0
  // Not closed at the end: the response goes over the same connection, and the rest is dropped when it is sent (`Drain`).
  const incoming: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const leftMs = timeoutMs - (performance.now() - startedAtMs)
      const late = () => tooSlow(leftMs < stalledMs ? timeoutMs : stalledMs)
      const { value, done } = await next(request, incoming, Math.min(leftMs, stalledMs), late, metrics)
      if (done) return
      bytes += value.length
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax)
      if (++chunks > FREE_CHUNKS && bytes / chunks < CHUNK_BYTES_MIN) throw tooManyChunks()
      yield value
    }
  } finally {
    // Stops listening, so that the rest can be dropped. Not awaited: it waits for a chunk that may never come.
    void incoming.return?.()
  }
}

async function next(
  request: IncomingMessage,
  incoming: AsyncIterator<Buffer>,
  waitMs: number,
  problemIfLate: () => ApiError,
  metrics: Metrics,
): Promise<IteratorResult<Buffer, undefined>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      metrics.refused.inc({ limit: 'body_time' })
      reject(problemIfLate())
    }, waitMs)
  })
  try {
    return await Promise.race([incoming.next(), late])
  } catch (error) {
    throw request.destroyed && !request.complete ? new ClientLeft() : error
  } finally {
    clearTimeout(timer)
  }
}

/** Chunks are written together once they have this many bytes. */
const WRITTEN_BYTES = 256 * 1024

/** Joins small chunks, so that each write to the disk is worth it. */
export async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const buffer = Buffer.allocUnsafe(WRITTEN_BYTES)
  let bytes = 0
  for await (const chunk of chunks) {
    if (bytes + chunk.length > WRITTEN_BYTES) {
      if (bytes > 0) yield buffer.subarray(0, bytes)
      bytes = 0
    }
    if (chunk.length > WRITTEN_BYTES) yield chunk
    else bytes += chunk.copy(buffer, bytes)
  }
  if (bytes > 0) yield buffer.subarray(0, bytes)
}
