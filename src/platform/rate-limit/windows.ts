import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock/index.ts'

export interface Caps {
  perMinute: number
  perHour: number
}

/** One window's part of a decision, as the response headers tell it. */
interface WindowState {
  limit: number
  remaining: number
  /** The Unix second by which everything counted so far has left the window. */
  resetSeconds: number
}

export interface Decision {
  admitted: boolean
  minute: WindowState
  hour: WindowState
  /** Only of a refusal: after this many seconds one request does succeed. */
  retryAfterSeconds: number
}

/** `[bucket, count]`, oldest first. A bucket is the time divided by the window's step. */
export type Buckets = [bucket: number, count: number][]

/**
 * A rolling window, counted in steps. A request leaves together with the whole step that it fell into, so
 * the window is never shorter than its length and a `Retry-After` computed from it is true.
 */
class RollingWindow {
  readonly #lengthMs: number
  readonly #stepMs: number
  #buckets: Buckets
  #total: number

  constructor(lengthMs: number, stepMs: number, buckets: Buckets) {
    this.#lengthMs = lengthMs
    this.#stepMs = stepMs
    this.#buckets = buckets
    this.#total = buckets.reduce((sum, [, count]) => sum + count, 0)
  }

  get buckets(): Buckets {
    return this.#buckets
  }

  expire(nowMs: number): void {
    let gone = 0
    for (const [bucket, count] of this.#buckets) {
      if (this.#leavesAtMs(bucket) > nowMs) break
      this.#total -= count
      gone++
    }
    if (gone > 0) this.#buckets = this.#buckets.slice(gone)
  }

  hasRoom(limit: number): boolean {
    return this.#total < limit
  }

  add(nowMs: number): void {
    const bucket = Math.floor(nowMs / this.#stepMs)
    const last = this.#buckets.at(-1)
    // Another machine's clock may be ahead of ours: what comes now is never counted before what was counted.
    if (last !== undefined && last[0] >= bucket) last[1]++
    else this.#buckets.push([bucket, 1])
    this.#total++
  }

  /** When one more request fits: at once (0), or when enough of the oldest have left. */
  roomAtMs(limit: number): number {
    let left = this.#total
    let atMs = 0
    for (const [bucket, count] of this.#buckets) {
      if (left < limit) break
      left -= count
      atMs = this.#leavesAtMs(bucket)
    }
    return atMs
  }

  state(limit: number, nowMs: number): WindowState {
    const last = this.#buckets.at(-1)
    const emptyAtMs = last === undefined ? nowMs : this.#leavesAtMs(last[0])
    return {
      limit,
      remaining: Math.max(0, limit - this.#total),
      resetSeconds: Math.ceil(emptyAtMs / SECOND_MS),
    }
  }

  #leavesAtMs(bucket: number): number {
    return (bucket + 1) * this.#stepMs + this.#lengthMs
  }
}

/** Everything counted for one organisation (or one address): a minute in seconds, an hour in ten-second steps. */
export class Windows {
  readonly #minute: RollingWindow
  readonly #hour: RollingWindow

  constructor(minute: Buckets = [], hour: Buckets = []) {
    this.#minute = new RollingWindow(MINUTE_MS, SECOND_MS, minute)
    this.#hour = new RollingWindow(HOUR_MS, 10 * SECOND_MS, hour)
  }

  static parse(text: string): Windows {
    const [minute, hour] = JSON.parse(text) as [Buckets, Buckets]
    return new Windows(minute, hour)
  }

  toString(): string {
    return JSON.stringify([this.#minute.buckets, this.#hour.buckets])
  }

  isEmpty(nowMs: number): boolean {
    this.#hour.expire(nowMs)
    return this.#hour.buckets.length === 0
  }

  /** Counts one request when both windows have room. A refused one does not count. */
  take(caps: Caps, nowMs: number): Decision {
    this.#minute.expire(nowMs)
    this.#hour.expire(nowMs)
    const admitted = this.#minute.hasRoom(caps.perMinute) && this.#hour.hasRoom(caps.perHour)
    if (admitted) {
      this.#minute.add(nowMs)
      this.#hour.add(nowMs)
    }
    return {
      admitted,
      minute: this.#minute.state(caps.perMinute, nowMs),
      hour: this.#hour.state(caps.perHour, nowMs),
      retryAfterSeconds: admitted ? 0 : this.#retryAfterSeconds(caps, nowMs),
    }
  }

  #retryAfterSeconds(caps: Caps, nowMs: number): number {
    const roomAtMs = Math.max(this.#minute.roomAtMs(caps.perMinute), this.#hour.roomAtMs(caps.perHour))
    return Math.max(1, Math.ceil((roomAtMs - nowMs) / SECOND_MS))
  }
}
