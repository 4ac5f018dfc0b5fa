import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { Caps, RateLimiter } from '../../../platform/rate-limit/index.ts'
import type { UploadTarget } from './upload-target.ts'

/** Ten full forms of ten files in an hour. */
const VISITOR_FILES: Caps = { perMinute: 30, perHour: 100 }
/** MiB. Allows two full forms in a minute. */
const VISITOR_MEBIBYTES: Caps = { perMinute: 300, perHour: 1000 }
const TARGET_FILES: Caps = { perMinute: 300, perHour: 6000 }
/** What the disk and the network of a small server take without others noticing. */
const TARGET_MEBIBYTES: Caps = { perMinute: 2000, perHour: 20_000 }

const MIB = 1024 * 1024

/** Counts the files that visitors send, over all processes. */
export class UploadLimits {
  readonly #limiter: RateLimiter

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter
  }

  /** Counts a file. Returns 0 if it may be received, and otherwise the seconds until then. */
  async admit({ id }: UploadTarget, address: string, bytes: number, nowMs: number): Promise<number> {
    const visitor = addressBlock(address)
    const mebibytes = Math.max(1, Math.ceil(bytes / MIB))
    const counts: [key: string, caps: Caps, weight: number][] = [
      [`form files ${id} ${visitor}`, VISITOR_FILES, 1],
      [`form bytes ${id} ${visitor}`, VISITOR_MEBIBYTES, mebibytes],
      [`form files ${id}`, TARGET_FILES, 1],
      [`form bytes ${id}`, TARGET_MEBIBYTES, mebibytes],
    ]
    for (const [key, caps, weight] of counts) {
      const { retryAfterSeconds } = await this.#limiter.take(key, caps, nowMs, weight)
      if (retryAfterSeconds > 0) return retryAfterSeconds
    }
    return 0
  }
}
