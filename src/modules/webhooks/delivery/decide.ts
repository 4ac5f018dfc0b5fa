import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock/index.ts'

/** The outcome of one attempt, as far as the decision needs it. */
export interface Attempted {
  /** Number of the attempt within its delivery, from 1. */
  number: number
  isTest: boolean
  /** Null if there was no response. */
  responseStatus: number | null
  /** The `Retry-After` header of the response. */
  retryAfterMs: number | null
}

export type DeliveryDecision =
  | { status: 'delivered' }
  | { status: 'pending'; delayMs: number; isGone: boolean }
  | { status: 'failed'; isGone: boolean }

/** The delay after each attempt: 75 hours and 35 minutes in total, so that a receiver can be down for a weekend. */
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
/** Spreads the retries of deliveries that failed at the same time. It only ever adds to the delay. */
const JITTER = 0.1
const RETRY_AFTER_MAX_MS = DAY_MS
const GONE = 410

/**
 * Returns the status of a delivery after an attempt. `random` is from 0 to 1.
 *
 * - pending → delivered: the response was 2xx.
 * - pending → pending: anything else, up to the ninth attempt.
 * - pending → failed: anything else, from the tenth attempt on; for a test, after the first.
 * - delivered or failed → pending: a replay. Earlier attempts still count.
 */
export function decide({ number, isTest, responseStatus, retryAfterMs }: Attempted, random: number): DeliveryDecision {
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300) return { status: 'delivered' }
  const isGone = responseStatus === GONE && !isTest
  const delayMs = isTest ? undefined : DELAYS_MS[number - 1]
  if (delayMs === undefined) return { status: 'failed', isGone }
  const retryAfter = responseStatus === 429 || responseStatus === 503 ? (retryAfterMs ?? 0) : 0
  return {
    status: 'pending',
    delayMs: Math.max(Math.round(delayMs * (1 + JITTER * random)), Math.min(retryAfter, RETRY_AFTER_MAX_MS)),
    isGone,
  }
}
