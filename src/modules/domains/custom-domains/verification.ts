import { DAY_MS, HOUR_MS, MINUTE_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'

/**
 * How checks change a domain. `due` is the next check.
 *
 * | domain     | right                      | wrong                                             | failed          |
 * |------------|----------------------------|---------------------------------------------------|-----------------|
 * | unverified | → verified; due in a day   | says what is wrong; due by `SCHEDULE`              | due by schedule |
 * | verified   | forgets that it was wrong; | remembers since when; after 72 hours → warned;     | due in an hour  |
 * |            | due in a day               | after 7 days, 4 of them warned → unverified (lost) |                 |
 *
 * `failed` means that DNS did not answer. It says nothing about the domain, so nothing else changes.
 */

/** What a check found. */
export type CheckOutcome = { kind: 'right' } | { kind: 'wrong'; problem: string } | { kind: 'failed' }

export interface VerificationState {
  verified_at: string | null
  check_error: string | null
  check_due_at: string | null
  schedule_from: string | null
  wrong_since: string | null
  warned_at: string | null
  created_at: string
}

type Change = Omit<VerificationState, 'created_at'>

interface VerificationDecision {
  state: Change
  transition: 'verified' | 'warned' | 'lost' | null
}

const WARN_AFTER_MS = 72 * HOUR_MS
/** The page of the domain shows it, too. */
export const LOSE_AFTER_MS = 7 * DAY_MS
/** Applies even if no check took place in the first days, because the service or DNS was down. */
const WARNED_MS_MIN = LOSE_AFTER_MS - WARN_AFTER_MS

/** How often an unverified domain is checked, by the time since it was connected or lost. After that, it rests. */
const SCHEDULE: readonly { untilMs: number; everyMs: number }[] = [
  { untilMs: 2 * MINUTE_MS, everyMs: MINUTE_MS },
  { untilMs: 5 * MINUTE_MS, everyMs: 3 * MINUTE_MS },
  { untilMs: HOUR_MS, everyMs: 5 * MINUTE_MS },
  { untilMs: 3 * DAY_MS, everyMs: HOUR_MS },
  { untilMs: 33 * DAY_MS, everyMs: DAY_MS },
]

const TAKEN_OVER = 'Another organisation has proven that the domain belongs to it.'

/** When a new domain is checked. */
export const firstCheckAt = (now: Timestamp): Timestamp => timestamp(toMs(now) + (SCHEDULE[0]?.everyMs ?? 0))

/** What follows from a check. */
export function decideVerification(
  before: VerificationState,
  outcome: CheckOutcome,
  now: Timestamp,
): VerificationDecision {
  const { created_at, ...stored } = before
  // A domain that rests is only checked when somebody asks, who has probably changed something.
  const isResting = stored.verified_at === null && stored.check_due_at === null
  const state = isResting ? { ...stored, schedule_from: now } : stored
  const scheduled = (from: string) => nextCheck(toMs(from), toMs(now))
  if (outcome.kind === 'right') {
    const calm = { ...state, check_error: null, wrong_since: null, warned_at: null, check_due_at: after(now, DAY_MS) }
    return state.verified_at === null
      ? { state: { ...calm, verified_at: now }, transition: 'verified' }
      : { state: calm, transition: null }
  }
  if (state.verified_at !== null) return decideVerified(state, outcome, now)
  const check_error = outcome.kind === 'wrong' ? outcome.problem : state.check_error
  return {
    state: { ...state, check_error, check_due_at: scheduled(state.schedule_from ?? created_at) },
    transition: null,
  }
}

/** Decides about a verified domain whose records are wrong, or that could not be checked. */
function decideVerified(
  state: Change,
  outcome: Exclude<CheckOutcome, { kind: 'right' }>,
  now: Timestamp,
): VerificationDecision {
  if (outcome.kind === 'failed') return { state: { ...state, check_due_at: after(now, HOUR_MS) }, transition: null }
  const wrong_since = state.wrong_since ?? now
  const isLate = toMs(now) - toMs(wrong_since) >= WARN_AFTER_MS
  const warned_at = state.warned_at ?? (isLate ? now : null)
  if (warned_at === null) {
    const due = Math.min(toMs(now) + DAY_MS, toMs(wrong_since) + WARN_AFTER_MS)
    const found = { wrong_since, check_error: outcome.problem, check_due_at: timestamp(due) }
    return { state: { ...state, ...found }, transition: null }
  }
  const lostAtMs = Math.max(toMs(wrong_since) + LOSE_AFTER_MS, toMs(warned_at) + WARNED_MS_MIN)
  if (toMs(now) >= lostAtMs)
    return { state: { ...unverifiedFrom(now), wrong_since, check_error: outcome.problem }, transition: 'lost' }
  const check_error = `${outcome.problem} Unless this is corrected, the domain is no longer used from ${timestamp(lostAtMs)}.`
  const check_due_at = timestamp(Math.min(toMs(now) + DAY_MS, lostAtMs))
  const transition = state.warned_at === null ? 'warned' : null
  return { state: { ...state, wrong_since, warned_at, check_error, check_due_at }, transition }
}

/** Decides about a verified domain that another organisation has proven to be its own. */
export const decideTakenOver = (now: Timestamp): Change => ({
  ...unverifiedFrom(now),
  wrong_since: now,
  check_error: TAKEN_OVER,
})

const unverifiedFrom = (now: Timestamp) => ({
  verified_at: null,
  warned_at: null,
  schedule_from: now,
  check_due_at: firstCheckAt(now),
})

function nextCheck(fromMs: number, nowMs: number): Timestamp | null {
  const step = SCHEDULE.find(({ untilMs }) => nowMs - fromMs < untilMs)
  return step === undefined ? null : timestamp(nowMs + step.everyMs)
}

const after = (now: Timestamp, ms: number): Timestamp => timestamp(toMs(now) + ms)
