import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { FairQueue, QueueFull } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import type { Encoding } from './encoding.ts'

/**
 * What is compressed (ADR 19). The length of a compressed response shows whether two parts of it are alike, also to
 * someone who only sees encrypted traffic. So text that a stranger chose must not be compressed together with something
 * that the stranger must not know:
 *
 * - Public responses are compressed: help centres, notices, the API reference. Everything in them may be read by anyone, or by
 *   anyone who scans the same thing, so a search page may show its query.
 * - Responses of the API are compressed if the operation is a GET and does not declare `hasOutsideText`. Secrets are only
 *   shown in the response to the POST that creates them.
 * - Account pages are compressed if nobody else chose a part of them: no form or query that could be repeated in the page, no
 *   operation that the rule above excludes. The token of their forms is masked anew each time. Their style sheet and scripts
 *   are files of their own, which are the same for everybody and always compressed.
 * - Chat pages, images, errors, health checks and metrics are not compressed.
 */
export const BYTES_MIN = 1024

/** Half of the threads that Node has for this, for files and for DNS. */
const QUEUE_LIMITS = { runningMax: 2, waitingPerKeyMax: 200, waitMsMax: 2 * SECOND_MS }

/** The key of bodies that belong to no organisation. */
export const SERVICE = 'service'

const compressWith = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
}

/** `often` is for bodies that are kept: 10 % smaller for twice the time. */
type Effort = 'once' | 'often'

const toOptions = (bytes: number, effort: Effort) => ({
  level: effort === 'often' ? 6 : 1,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: effort === 'often' ? 5 : 1,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
})

/** Compresses bodies in Node's own threads. Organisations take turns. */
export class Compression {
  readonly queue = new FairQueue(QUEUE_LIMITS)

  /** Returns undefined if too many bodies are waiting. The body is then sent as it is. */
  async compress(
    key: string,
    body: Buffer,
    encoding: Exclude<Encoding, 'identity'>,
    effort: Effort,
  ): Promise<Buffer | undefined> {
    try {
      const made = await this.queue.run(key, () => compressWith[encoding](body, toOptions(body.length, effort)))
      // What is made is part of a larger buffer, all of which would stay in memory.
      return effort === 'once' ? made : Buffer.from(new Uint8Array(made).buffer)
    } catch (error) {
      if (error instanceof QueueFull) return undefined
      throw error
    }
  }
}
