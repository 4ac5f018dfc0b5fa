import type { IncomingMessage } from 'node:http'
import { FairQueue } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import { invalidPayload } from '../../errors/index.ts'
import type { AssetStore, StagedFile } from '../../files/asset-store.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { hasBody } from './body-reader.ts'
import { gathered, incomingChunks, type UploadTimes } from './incoming-chunks.ts'

/** An upload runs from the first byte of its file to the response. While one waits, its client sends nothing. */
const QUEUE_LIMITS = { runningMax: 16, runningPerKeyMax: 2, waitingPerKeyMax: 20, waitMsMax: 5 * SECOND_MS }

/** A file that a client has sent. It is on the local disk. */
export interface Upload {
  readonly file: StagedFile
  /** Must be called when the request has ended. Removes the file unless it was stored. */
  release(): Promise<void>
}

/** Receives files into the staging area of the store, within limits. They are never in memory as a whole. */
export class UploadReader {
  readonly #store: AssetStore
  readonly #limits: UploadTimes
  readonly #metrics: Metrics
  readonly #queue = new FairQueue(QUEUE_LIMITS)

  constructor(store: AssetStore, limits: UploadTimes, metrics: Metrics) {
    this.#store = store
    this.#limits = limits
    this.#metrics = metrics
    metrics.watchQueue('uploads', this.#queue)
    this.#queue.onRefused = () => metrics.refused.inc({ limit: 'uploads' })
  }

  /** Throws `QueueFull` if the key (organisation) has too many uploads. One may wait for its turn. */
  receive(request: IncomingMessage, key: string, bytesMax: number, signal: AbortSignal): Promise<Upload> {
    return new Promise((resolve, reject) => {
      const keepTurn = async () => {
        const file = await this.#stage(request, bytesMax)
        await new Promise<void>((end) => {
          resolve({ file, release: () => file.discard().finally(end) })
        })
      }
      this.#queue.run(key, keepTurn, signal).catch(reject)
    })
  }

  async #stage(request: IncomingMessage, bytesMax: number): Promise<StagedFile> {
    if (!hasBody(request)) throw missing()
    const file = await this.#store.stage(gathered(incomingChunks(request, bytesMax, this.#limits, this.#metrics)))
    if (file.sizeBytes > 0) return file
    await file.discard()
    throw missing()
  }
}

const missing = () => invalidPayload({}, ['The file is missing. Send it as the body of the request'])
