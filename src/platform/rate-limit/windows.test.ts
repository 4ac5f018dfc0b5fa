import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../clock/index.ts'
import { Windows } from './windows.ts'

const START_MS = 1_800_000_000_123

test('admits exactly the limit, counts the remaining requests, and returns an exact Retry-After', () => {
  const windows = new Windows()
  const caps = { perMinute: 3, perHour: 100 }
  expect([0, 1, 2].map((n) => windows.take(caps, START_MS + n).minute.remaining)).toEqual([2, 1, 0])
  const refused = windows.take(caps, START_MS + 10)
  expect(refused).toMatchObject({
    admitted: false,
    minute: { limit: 3, remaining: 0 },
    hour: { remaining: 97 },
  })
  const later = START_MS + 10 + refused.retryAfterSeconds * 1000
  expect(windows.take(caps, later - 2000).admitted).toBe(false)
  expect(windows.take(caps, later).admitted).toBe(true)
})

test('limits the hour separately', () => {
  const windows = new Windows()
  const caps = { perMinute: 10, perHour: 15 }
  let admitted = 0
  for (let nowMs = START_MS; nowMs < START_MS + 30 * MINUTE_MS; nowMs += MINUTE_MS) {
    for (let n = 0; n < 10; n++) if (windows.take(caps, nowMs).admitted) admitted++
  }
  expect(admitted).toBe(15)
  const refused = windows.take(caps, START_MS + 30 * MINUTE_MS)
  expect(windows.take(caps, START_MS + 30 * MINUTE_MS + refused.retryAfterSeconds * 1000).admitted).toBe(true)
})

test('limits a day only where it is asked to, and keeps its counts for so long', () => {
  const windows = new Windows()
  const caps = { perMinute: 10, perHour: 10, perDay: 3 }
  for (let n = 0; n < 3; n++) expect(windows.take(caps, START_MS + n * 5 * HOUR_MS).admitted).toBe(true)
  const nowMs = START_MS + 20 * HOUR_MS
  const { admitted, retryAfterSeconds } = windows.take(caps, nowMs)
  expect(admitted).toBe(false)
  expect(retryAfterSeconds).toBeGreaterThan(3.9 * 3600)
  expect(retryAfterSeconds).toBeLessThan(4.3 * 3600)
  const stored = Windows.parse(windows.toString())
  expect(stored.isEmpty(nowMs)).toBe(false)
  expect(stored.take(caps, nowMs + (retryAfterSeconds - 2) * 1000).admitted).toBe(false)
  expect(stored.take(caps, nowMs + retryAfterSeconds * 1000).admitted).toBe(true)
  expect(stored.isEmpty(nowMs + 60 * HOUR_MS)).toBe(true)
  // Written by an earlier release.
  expect(Windows.parse('[[[1,2]],[[1,2]]]').isEmpty(START_MS)).toBe(true)
  const hourly = new Windows()
  hourly.take({ perMinute: 10, perHour: 10 }, START_MS)
  expect(hourly.isEmpty(START_MS + 2 * HOUR_MS)).toBe(true)
})

test('no rolling window ever exceeds its limit, and a request after Retry-After always succeeds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 200 }),
      (perMinute, perHour, gaps) => {
        let windows = new Windows()
        const admitted: number[] = []
        let nowMs = START_MS
        for (const [index, gap] of gaps.entries()) {
          nowMs += gap
          if (index % 3 === 0) windows = Windows.parse(windows.toString())
          const decision = windows.take({ perMinute, perHour }, nowMs)
          if (decision.admitted) admitted.push(nowMs)
          else {
            const copy = Windows.parse(windows.toString())
            expect(copy.take({ perMinute, perHour }, nowMs + decision.retryAfterSeconds * 1000).admitted).toBe(true)
          }
          expect(admitted.filter((ms) => ms > nowMs - MINUTE_MS).length).toBeLessThanOrEqual(perMinute)
          expect(admitted.filter((ms) => ms > nowMs - HOUR_MS).length).toBeLessThanOrEqual(perHour)
          expect(decision.minute.resetSeconds * 1000).toBeGreaterThanOrEqual((admitted.at(-1) ?? 0) + MINUTE_MS)
        }
      },
    ),
  )
})

test('a heavy request counts as several, and fits again after Retry-After', () => {
  const windows = new Windows()
  const caps = { perMinute: 10, perHour: 100 }
  expect(windows.take(caps, START_MS, 7)).toMatchObject({ admitted: true, minute: { remaining: 3 } })
  expect(windows.take(caps, START_MS + 5000, 3).admitted).toBe(true)
  expect(windows.take(caps, START_MS + 6000).admitted).toBe(false)
  const refused = windows.take(caps, START_MS + 6000, 4)
  expect(windows.take(caps, START_MS + 6000 + refused.retryAfterSeconds * 1000, 4).admitted).toBe(true)
})

test('says for how long it is full as a refused request would, and counts nothing', () => {
  const windows = new Windows()
  const caps = { perMinute: 2, perHour: 100 }
  for (let n = 0; n < 5; n++) expect(windows.fullForSeconds(caps, START_MS)).toBe(0)
  windows.take(caps, START_MS)
  windows.take(caps, START_MS)
  const fullForSeconds = windows.fullForSeconds(caps, START_MS)
  expect(fullForSeconds).toBe(windows.take(caps, START_MS).retryAfterSeconds)
  expect(windows.fullForSeconds(caps, START_MS + fullForSeconds * 1000)).toBe(0)
})

test('after the clock went back by an hour, counts what was counted for one more window, and no longer', () => {
  const windows = new Windows()
  const caps = { perMinute: 3, perHour: 100 }
  for (let n = 0; n < 3; n++) windows.take(caps, START_MS)
  const back = START_MS - HOUR_MS
  const refused = windows.take(caps, back)
  expect(refused).toMatchObject({ admitted: false, minute: { remaining: 0 }, hour: { remaining: 97 } })
  expect(refused.retryAfterSeconds).toBeLessThanOrEqual(61)
  expect(windows.take(caps, back + refused.retryAfterSeconds * 1000)).toMatchObject({
    admitted: true,
    minute: { remaining: 2 },
  })
  expect(windows.isEmpty(back + 2 * HOUR_MS)).toBe(true)
})

test('after the clock went forward by a day and back again, admits requests as before', () => {
  const windows = new Windows()
  const caps = { perMinute: 3, perHour: 100 }
  for (const atMs of [START_MS, START_MS + 24 * HOUR_MS, START_MS + MINUTE_MS]) windows.take(caps, atMs)
  const decision = windows.take(caps, START_MS + 3 * MINUTE_MS)
  expect(decision).toMatchObject({ admitted: true, minute: { remaining: 2 } })
  expect(decision.minute.resetSeconds).toBeLessThanOrEqual((START_MS + 5 * MINUTE_MS) / 1000)
})
