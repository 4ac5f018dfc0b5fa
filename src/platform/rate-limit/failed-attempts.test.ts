import { expect, test } from 'vitest'
import { FailedAttempts } from './failed-attempts.ts'

const START_MS = 1_800_000_000_123

const fail = (attempts: FailedAttempts, key: string, nowMs: number, times: number) =>
  Array.from({ length: times }, () => attempts.count(key, nowMs))

test('admits 60 failures a minute per key, and one more after the time it returns', () => {
  const attempts = new FailedAttempts()
  expect(fail(attempts, 'a', START_MS, 60)).toEqual(Array(60).fill(0))
  expect(attempts.count('a', START_MS + 20_500)).toBe(40)
  expect(attempts.count('b', START_MS + 20_500)).toBe(0)
  expect(attempts.count('a', START_MS + 59_999)).toBe(1)
  expect(attempts.count('a', START_MS + 60_000)).toBe(0)
})

test('remembers a limited number of keys, those with the latest failures', () => {
  const attempts = new FailedAttempts()
  fail(attempts, 'busy', START_MS, 61)
  for (let n = 0; n < 100_000; n++) {
    attempts.count(`key ${n}`, START_MS + 1000)
    if (n % 5000 === 0) expect(attempts.count('busy', START_MS + 1000)).toBe(59)
  }
  expect(attempts.size).toBe(10_000)
})

test('waits for a minute at most after the clock went back by an hour', () => {
  const attempts = new FailedAttempts()
  fail(attempts, 'a', START_MS, 61)
  expect(attempts.count('a', START_MS - 3_600_000)).toBe(60)
  expect(attempts.count('a', START_MS - 3_600_000 + 60_000)).toBe(0)
})
