import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock/index.ts'

/** What became of one attempt. */
export interface Attempted {
  /** Which attempt of its delivery it was, from 1. */
  number: number
  isTest: boolean
  /** What the receiver answered; null when it did not. */
  responseStatus: number | null
  /** For how long the receiver asked to be left alone. */
  retryAfterMs: number | null
}

export type Decision =
  | { status: 'delivered' }
  | { status: 'pending'; delayMs: number; isGone: boolean }
  | { status: 'failed'; isGone: boolean }

/** How long after each attempt the next one comes: 75 hours and 35 minutes in all, so a weekend loses nothing. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** What failed together is not tried again all together. Only ever added. */
const JITTER = 0.1
const RETRY_AFTER_MAX_MS = DAY_MS
const GONE = 410

/**
 * What comes after an attempt. `random` is from 0 to 1.
 *
 * pending ─(2xx)→ delivered
 * pending ─(anything else)→ pending, until the tenth attempt ─→ failed
 * A test is tried once. A replay of what is delivered or failed makes it pending again, with its attempts counted on.
 */
export function decide({ number, isTest, responseStatus, retryAfterMs }: Attempted, random: number): Decision {
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300) return { status: 'delivered' }
  const isGone = responseStatus === GONE && !isTest
  const delayMs = isTest ? undefined : DELAYS_MS[number - 1]
  if (delayMs === undefined) return { status: 'failed', isGone }
  const asked = responseStatus === 429 || responseStatus === 503 ? (retryAfterMs ?? 0) : 0
  return {
    status: 'pending',
    delayMs: Math.max(Math.round(delayMs * (1 + JITTER * random)), Math.min(asked, RETRY_AFTER_MAX_MS)),
    isGone,
  }
}
