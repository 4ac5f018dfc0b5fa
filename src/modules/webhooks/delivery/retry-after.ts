import { SECOND_MS, toMs } from '../../../platform/clock/index.ts'

/** The HTTP date format: `Tue, 09 Jun 2026 12:05:00 GMT`. */
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Returns the delay of a `Retry-After` header, given in seconds or as a date. Null if it is neither. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS
  const at = DATE.test(header) ? toMs(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}
