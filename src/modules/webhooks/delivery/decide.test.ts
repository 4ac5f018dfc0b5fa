import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock/index.ts'
import { type Attempted, type DeliveryDecision, decide } from './decide.ts'

const outcome = (changes: Partial<Attempted>, random = 0): DeliveryDecision =>
  decide({ number: 1, isTest: false, responseStatus: null, retryAfterMs: null, ...changes }, random)
const later = (delayMs: number): DeliveryDecision => ({ status: 'pending', delayMs, isGone: false })

test.each([200, 201, 204, 299])('%i delivers, on any attempt', (responseStatus) => {
  for (const number of [1, 2, 10, 37]) expect(outcome({ responseStatus, number })).toEqual({ status: 'delivered' })
  expect(outcome({ responseStatus, isTest: true })).toEqual({ status: 'delivered' })
})

test.each([
  [1, 5 * SECOND_MS],
  [2, 5 * MINUTE_MS],
  [3, 30 * MINUTE_MS],
  [4, 2 * HOUR_MS],
  [5, 5 * HOUR_MS],
  [6, 10 * HOUR_MS],
  [7, 14 * HOUR_MS],
  [8, 20 * HOUR_MS],
  [9, 24 * HOUR_MS],
])('after attempt %i fails, the next one comes %i ms later, plus at most a tenth', (number, delayMs) => {
  for (const responseStatus of [null, 100, 199, 300, 302, 400, 401, 404, 500, 502]) {
    expect(outcome({ number, responseStatus })).toEqual(later(delayMs))
  }
  expect(outcome({ number }, 1)).toEqual(later(Math.round(delayMs * 1.1)))
  expect(outcome({ number }, 0.5)).toEqual(later(Math.round(delayMs * 1.05)))
})

test('ten attempts span 75 hours and 35 minutes', () => {
  const delays = Array.from({ length: 9 }, (_, index) => outcome({ number: index + 1 }) as { delayMs: number })
  const sum = delays.reduce((total, { delayMs }) => total + delayMs, 0)
  expect(sum).toBe(75 * HOUR_MS + 35 * MINUTE_MS + 5 * SECOND_MS)
})

test.each([10, 11, 50])('after attempt %i fails, the delivery has failed', (number) => {
  expect(outcome({ number })).toEqual({ status: 'failed', isGone: false })
  expect(outcome({ number, responseStatus: 503, retryAfterMs: 1000 })).toEqual({ status: 'failed', isGone: false })
})

test('a test is attempted once, and never disables its endpoint', () => {
  for (const responseStatus of [null, 404, 410, 503]) {
    expect(outcome({ isTest: true, responseStatus })).toEqual({ status: 'failed', isGone: false })
  }
})

describe('Retry-After', () => {
  test.each([429, 503])('on %i delays the retry, up to a day', (responseStatus) => {
    expect(outcome({ responseStatus, retryAfterMs: 60_000 })).toEqual(later(60_000))
    expect(outcome({ responseStatus, retryAfterMs: 400 * DAY_MS })).toEqual(later(DAY_MS))
    expect(outcome({ responseStatus, retryAfterMs: null })).toEqual(later(5 * SECOND_MS))
  })

  test('never makes a retry come earlier', () => {
    expect(outcome({ number: 4, responseStatus: 503, retryAfterMs: 1000 })).toEqual(later(2 * HOUR_MS))
    expect(outcome({ number: 9, responseStatus: 429, retryAfterMs: DAY_MS }, 1)).toEqual(
      later(Math.round(1.1 * DAY_MS)),
    )
  })

  test.each([200, 301, 400, 500, 502, 504])('on %i is ignored', (responseStatus) => {
    const decision = outcome({ responseStatus, retryAfterMs: HOUR_MS })
    expect(decision).toEqual(responseStatus === 200 ? { status: 'delivered' } : later(5 * SECOND_MS))
  })
})

test('410 marks the endpoint as gone and keeps the delivery pending', () => {
  expect(outcome({ responseStatus: 410 })).toEqual({ status: 'pending', delayMs: 5 * SECOND_MS, isGone: true })
  expect(outcome({ responseStatus: 410, number: 10 })).toEqual({ status: 'failed', isGone: true })
})
