import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock/index.ts'

export interface Caps {
  perMinute: number
  perHour: number
  /** Only some keys are limited by the day: their counts are kept for so long. */
  perDay?: number
}

/** The state of one window, as the response headers report it. */
interface WindowState {
  limit: number
  remaining: number
  /** Unix time in seconds at which all requests counted so far will have left the window. */
  resetSeconds: number
}

export interface RateDecision {
  admitted: boolean
  minute: WindowState
  hour: WindowState
  /** Seconds after which one request succeeds again; 0 if this one was admitted. */
  retryAfterSeconds: number
}

/** How far the clock of another machine may be ahead of ours. */
const CLOCKS_APART_MS_MAX = 10 * SECOND_MS

/** `[bucket, count]`, oldest first. A bucket is the time divided by the window's step. */
export type Buckets = [bucket: number, count: number][]

/**
 * A rolling window, counted in buckets. A request expires together with its whole bucket, so the window is never
 * shorter than its length, and a request after `Retry-After` always succeeds.
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
    this.#returnToPresent(nowMs)
    let expired = 0
    for (const [bucket, count] of this.#buckets) {
      if (this.#expiresAtMs(bucket) > nowMs) break
      this.#total -= count
      expired++
    }
    if (expired > 0) this.#buckets = this.#buckets.slice(expired)
  }

  /** If the clock went back, what was counted until then would not expire before the clock is where it was. */
  #returnToPresent(nowMs: number): void {
    const last = this.#buckets.at(-1)
    if (last === undefined || last[0] * this.#stepMs <= nowMs + CLOCKS_APART_MS_MAX) return
    const present = Math.floor(nowMs / this.#stepMs)
    const earlier = this.#buckets.filter(([bucket]) => bucket < present)
    const counted = earlier.reduce((sum, [, count]) => sum + count, 0)
    this.#buckets = [...earlier, [present, this.#total - counted]]
  }

  hasRoom(limit: number, weight: number): boolean {
    return this.#total + weight <= limit
  }

  add(nowMs: number, weight: number): void {
    const bucket = Math.floor(nowMs / this.#stepMs)
    const last = this.#buckets.at(-1)
    // The clock of another machine may be ahead of ours. Keep the buckets in order.
    if (last !== undefined && last[0] >= bucket) last[1] += weight
    else this.#buckets.push([bucket, weight])
    this.#total += weight
  }

  /** The time at which such a request fits: 0 for now, or when enough of the oldest ones have expired. */
  roomAtMs(limit: number, weight: number): number {
    let left = this.#total
    let atMs = 0
    for (const [bucket, count] of this.#buckets) {
      if (left + weight <= limit) break
      left -= count
      atMs = this.#expiresAtMs(bucket)
    }
    return atMs
  }

  state(limit: number, nowMs: number): WindowState {
    const last = this.#buckets.at(-1)
    const emptyAtMs = last === undefined ? nowMs : this.#expiresAtMs(last[0])
    return {
      limit,
      remaining: Math.max(0, limit - this.#total),
      resetSeconds: Math.ceil(emptyAtMs / SECOND_MS),
    }
  }

  #expiresAtMs(bucket: number): number {
    return (bucket + 1) * this.#stepMs + this.#lengthMs
  }
}

/** The windows of one organisation or IP address: a minute in buckets of 1 s, an hour of 10 s, a day of 15 min. */
export class Windows {
  readonly #minute: RollingWindow
  readonly #hour: RollingWindow
  /** Empty unless the day is limited. */
  readonly #day: RollingWindow

  constructor(minute: Buckets = [], hour: Buckets = [], day: Buckets = []) {
    this.#minute = new RollingWindow(MINUTE_MS, SECOND_MS, minute)
    this.#hour = new RollingWindow(HOUR_MS, 10 * SECOND_MS, hour)
    this.#day = new RollingWindow(DAY_MS, 15 * MINUTE_MS, day)
  }

  static parse(text: string): Windows {
    return new Windows(...(JSON.parse(text) as [Buckets, Buckets, Buckets?]))
  }

  toString(): string {
    const day = this.#day.buckets
    return JSON.stringify([this.#minute.buckets, this.#hour.buckets, ...(day.length > 0 ? [day] : [])])
  }

  isEmpty(nowMs: number): boolean {
    this.#expire(nowMs)
    return this.#hour.buckets.length === 0 && this.#day.buckets.length === 0
  }

  /** Counts one request, as `weight`, if all windows have room. A rejected request does not count. */
  take(caps: Caps, nowMs: number, weight = 1): RateDecision {
    this.#expire(nowMs)
    const admitted = this.#hasRoom(caps, weight)
    if (admitted) {
      this.#minute.add(nowMs, weight)
      this.#hour.add(nowMs, weight)
      if (caps.perDay !== undefined) this.#day.add(nowMs, weight)
    }
    return {
      admitted,
      minute: this.#minute.state(caps.perMinute, nowMs),
      hour: this.#hour.state(caps.perHour, nowMs),
      retryAfterSeconds: admitted ? 0 : this.#retryAfterSeconds(caps, nowMs, weight),
    }
  }

  /** Seconds after which a request fits; 0 if it fits now. Counts nothing. */
  fullForSeconds(caps: Caps, nowMs: number): number {
    this.#expire(nowMs)
    return this.#hasRoom(caps, 1) ? 0 : this.#retryAfterSeconds(caps, nowMs, 1)
  }

  #expire(nowMs: number): void {
    for (const window of [this.#minute, this.#hour, this.#day]) window.expire(nowMs)
  }

  #hasRoom({ perMinute, perHour, perDay = Number.POSITIVE_INFINITY }: Caps, weight: number): boolean {
    return (
      this.#minute.hasRoom(perMinute, weight) &&
      this.#hour.hasRoom(perHour, weight) &&
      this.#day.hasRoom(perDay, weight)
    )
  }

  #retryAfterSeconds({ perMinute, perHour, perDay }: Caps, nowMs: number, weight: number): number {
    const roomAtMs = Math.max(
      this.#minute.roomAtMs(perMinute, weight),
      this.#hour.roomAtMs(perHour, weight),
      perDay === undefined ? 0 : this.#day.roomAtMs(perDay, weight),
    )
    return Math.max(1, Math.ceil((roomAtMs - nowMs) / SECOND_MS))
  }
}
