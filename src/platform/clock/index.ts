declare const canonical: unique symbol

/** A time in the format of the API: `2026-06-09T22:50:58.806+00:00`. Text order is chronological order. */
export type Timestamp = string & { readonly [canonical]: true }

/** Returns milliseconds since 1970. Passed as an argument everywhere, so that tests can fake it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

interface Formatted {
  ms: number
  text: Timestamp
}

let last: Formatted = { ms: Number.NaN, text: '' as Timestamp }
let other = last

/** Formats a time. The last two are cached: under load, many requests share a millisecond, and the end of a window. */
export function timestamp(ms: number): Timestamp {
  if (ms === last.ms) return last.text
  const found = ms === other.ms ? other : { ms, text: `${new Date(ms).toISOString().slice(0, -1)}+00:00` as Timestamp }
  other = last
  last = found
  return found.text
}

export const toMs = (moment: string): number => Date.parse(moment)

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
