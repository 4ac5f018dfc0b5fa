const BUCKETS_PER_MS = 100
const LONGEST_MS = 5000

/** Counts latencies in buckets of 0.01 ms, so that memory does not grow with the number of latencies. */
export class LatencyHistogram {
  readonly #buckets = new Uint32Array(LONGEST_MS * BUCKETS_PER_MS + 1)
  count = 0
  maxMs = 0

  add(ms: number): void {
    const bucket = Math.min(Math.floor(ms * BUCKETS_PER_MS), LONGEST_MS * BUCKETS_PER_MS)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
    this.count++
    if (ms > this.maxMs) this.maxMs = ms
  }

  /** Returns a percentile: `at(0.99)` is the p99. */
  at(share: number): number {
    let left = this.count * share
    for (const [bucket, count] of this.#buckets.entries()) {
      left -= count
      if (left <= 0 && count > 0) return (bucket + 1) / BUCKETS_PER_MS
    }
    return this.maxMs
  }
}
