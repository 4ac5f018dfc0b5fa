import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { type CheckOutcome, decideVerification, firstCheckAt, type VerificationState } from './verification.ts'

const START = timestamp(Date.UTC(2026, 5, 9))
const at = (ms: number): Timestamp => timestamp(toMs(START) + ms)
const RIGHT: CheckOutcome = { kind: 'right' }
const WRONG: CheckOutcome = { kind: 'wrong', problem: 'There is no TXT record.' }
const FAILED: CheckOutcome = { kind: 'failed' }

const PENDING: VerificationState = {
  verified_at: null,
  check_error: null,
  check_due_at: firstCheckAt(START),
  schedule_from: null,
  wrong_since: null,
  warned_at: null,
  created_at: START,
}
const VERIFIED: VerificationState = { ...PENDING, verified_at: START, check_due_at: at(DAY_MS) }
const wrongSince = (ms: number, warnedMs?: number): VerificationState => ({
  ...VERIFIED,
  wrong_since: at(ms),
  warned_at: warnedMs === undefined ? null : at(warnedMs),
  check_error: 'Wrong.',
})

/** Each row: state before, outcome, hours after the start → what changes, and what else follows. */
const TABLE: [
  name: string,
  before: VerificationState,
  outcome: CheckOutcome,
  hours: number,
  state: object,
  transition: string | null,
][] = [
  [
    'unverified and right',
    PENDING,
    RIGHT,
    1,
    { verified_at: at(HOUR_MS), check_error: null, check_due_at: at(25 * HOUR_MS) },
    'verified',
  ],
  [
    'unverified and wrong',
    PENDING,
    WRONG,
    1,
    { check_error: 'There is no TXT record.', check_due_at: at(2 * HOUR_MS) },
    null,
  ],
  [
    'unverified and failed',
    { ...PENDING, check_error: 'Wrong.' },
    FAILED,
    1,
    { check_error: 'Wrong.', check_due_at: at(2 * HOUR_MS) },
    null,
  ],
  ['verified and right', VERIFIED, RIGHT, 24, { check_due_at: at(2 * DAY_MS) }, null],
  ['verified and failed', VERIFIED, FAILED, 24, { check_due_at: at(25 * HOUR_MS) }, null],
  [
    'verified and wrong',
    VERIFIED,
    WRONG,
    24,
    { wrong_since: at(DAY_MS), check_error: 'There is no TXT record.', check_due_at: at(2 * DAY_MS) },
    null,
  ],
  [
    'wrong for less than 72 hours',
    wrongSince(0),
    WRONG,
    71,
    { wrong_since: START, check_error: 'There is no TXT record.', check_due_at: at(72 * HOUR_MS) },
    null,
  ],
  [
    'wrong for 72 hours',
    wrongSince(0),
    WRONG,
    72,
    {
      warned_at: at(72 * HOUR_MS),
      check_due_at: at(96 * HOUR_MS),
      check_error: `There is no TXT record. Unless this is corrected, the domain is no longer used from ${at(7 * DAY_MS)}.`,
    },
    'warned',
  ],
  [
    'wrong for 72 hours, but DNS fails',
    wrongSince(0),
    FAILED,
    72,
    { check_error: 'Wrong.', check_due_at: at(73 * HOUR_MS) },
    null,
  ],
  ['warned and still wrong', wrongSince(0, 72 * HOUR_MS), WRONG, 160, { check_due_at: at(7 * DAY_MS) }, null],
  [
    'right again after a warning',
    wrongSince(0, 72 * HOUR_MS),
    RIGHT,
    160,
    { wrong_since: null, warned_at: null, check_error: null },
    null,
  ],
  [
    'wrong for 7 days',
    wrongSince(0, 72 * HOUR_MS),
    WRONG,
    168,
    {
      verified_at: null,
      wrong_since: START,
      warned_at: null,
      schedule_from: at(7 * DAY_MS),
      check_due_at: at(7 * DAY_MS + MINUTE_MS),
      check_error: 'There is no TXT record.',
    },
    'lost',
  ],
  ['wrong for 7 days, but DNS fails', wrongSince(0, 72 * HOUR_MS), FAILED, 1000, { wrong_since: START }, null],
  [
    'wrong for 8 days without a warning, because nothing was checked meanwhile',
    wrongSince(0),
    WRONG,
    192,
    { verified_at: START, warned_at: at(8 * DAY_MS) },
    'warned',
  ],
  [
    'then warned for less than 4 days',
    wrongSince(0, 8 * DAY_MS),
    WRONG,
    287,
    { verified_at: START, check_due_at: at(12 * DAY_MS) },
    null,
  ],
  ['then warned for 4 days', wrongSince(0, 8 * DAY_MS), WRONG, 288, { verified_at: null }, 'lost'],
  [
    'asked about after a month of rest',
    { ...PENDING, check_due_at: null },
    WRONG,
    24 * 40,
    { schedule_from: at(40 * DAY_MS), check_due_at: at(40 * DAY_MS + MINUTE_MS) },
    null,
  ],
]

test.each(TABLE)('%s', (_name, before, outcome, hours, state, transition) => {
  const { created_at: _created, ...stored } = before
  const decided = decideVerification(before, outcome, at(hours * HOUR_MS))
  expect(decided).toMatchObject({ state, transition })
  if (outcome.kind === 'failed') {
    expect({ ...decided.state, check_due_at: null }, 'only the next check changes').toEqual({
      ...stored,
      check_due_at: null,
    })
  }
})

test('an unverified domain is checked often at first, then hourly, then daily, and then rests', () => {
  const minutes: number[] = []
  let state = PENDING
  while (state.check_due_at !== null) {
    const now = state.check_due_at as Timestamp
    minutes.push((toMs(now) - toMs(START)) / MINUTE_MS)
    state = { ...state, ...decideVerification(state, WRONG, now).state }
  }
  expect(minutes.filter((minute) => minute <= 60)).toEqual([1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60])
  expect(minutes.filter((minute) => minute > 60 && minute <= 72 * 60)).toHaveLength(71)
  expect(minutes.filter((minute) => minute > 72 * 60)).toHaveLength(30)
  expect(minutes.at(-1)).toBe(33 * 24 * 60)
})
