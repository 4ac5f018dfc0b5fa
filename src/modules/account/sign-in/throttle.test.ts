import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../platform/clock/index.ts'
import { Throttle } from './throttle.ts'

const START_MS = 1_800_000_000_000

test('some failures are free, then each doubles the wait, up to 30 seconds', () => {
  const throttle = new Throttle(3)
  let nowMs = START_MS
  const waits = Array.from({ length: 9 }, () => {
    throttle.begin('kim', nowMs)
    const seconds = throttle.waitSeconds('kim', nowMs)
    nowMs += seconds * 1000
    return seconds
  })
  expect(waits).toEqual([0, 0, 1, 2, 4, 8, 16, 30, 30])
  expect(throttle.waitSeconds('kim', nowMs), 'after the wait').toBe(0)
  expect(throttle.waitSeconds('other', nowMs)).toBe(0)
})

test('free attempts are free in any order', () => {
  const throttle = new Throttle(3)
  throttle.begin('kim', START_MS + 5)
  expect(throttle.waitSeconds('kim', START_MS)).toBe(0)
})

test('the longest wait can be set', () => {
  const throttle = new Throttle(1, 5 * MINUTE_MS)
  for (let n = 0; n < 20; n++) throttle.begin('kim', START_MS)
  expect(throttle.waitSeconds('kim', START_MS)).toBe(300)
})

test('an attempt that did not fail is taken back, and neither the failures before it nor later attempts are', () => {
  const throttle = new Throttle(2)
  throttle.begin('kim', START_MS)
  for (let n = 0; n < 10; n++) throttle.takeBack('kim', throttle.begin('kim', START_MS))
  expect(throttle.waitSeconds('kim', START_MS)).toBe(0)
  const first = throttle.begin('kim', START_MS)
  throttle.begin('kim', START_MS + 1000)
  throttle.takeBack('kim', first)
  expect(throttle.waitSeconds('kim', START_MS + 1000)).toBe(2)
})

test('a success and an hour without an attempt clear the failures', () => {
  const throttle = new Throttle(1)
  throttle.begin('kim', START_MS)
  expect(throttle.waitSeconds('kim', START_MS)).toBe(1)
  throttle.succeed('kim')
  expect(throttle.waitSeconds('kim', START_MS)).toBe(0)
  for (let n = 0; n < 10; n++) throttle.begin('kim', START_MS)
  throttle.begin('kim', START_MS + HOUR_MS)
  expect(throttle.waitSeconds('kim', START_MS + HOUR_MS)).toBe(1)
})

test('after the clock was set back, nobody waits longer than the longest wait', () => {
  const throttle = new Throttle(1)
  for (let n = 0; n < 20; n++) throttle.begin('kim', START_MS)
  const earlierMs = START_MS - HOUR_MS
  expect(throttle.waitSeconds('kim', earlierMs)).toBe(30)
  expect(throttle.waitSeconds('kim', earlierMs + 29_000)).toBe(1)
  expect(throttle.waitSeconds('kim', earlierMs + 30_000)).toBe(0)
})
