import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

function create() {
  let nowMs = 1_000_000
  const breaker = new Breaker(() => nowMs)
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) breaker.fail()
  }
  const wait = (seconds: number) => {
    nowMs += seconds * 1000
  }
  return { breaker, fail, wait }
}

test('opens after five failures in a row, not if one request succeeds in between', () => {
  const { breaker, fail } = create()
  fail(4)
  breaker.succeed()
  fail(4)
  expect(breaker.tryBegin()).toBe(true)
  fail(1)
  expect(breaker.tryBegin()).toBe(false)
})

test('lets one request through after a pause, and all others if it succeeds', () => {
  const { breaker, fail, wait } = create()
  fail(5)
  wait(29)
  expect(breaker.tryBegin()).toBe(false)
  wait(1)
  expect([breaker.tryBegin(), breaker.tryBegin()]).toEqual([true, false])
  breaker.succeed()
  expect([breaker.tryBegin(), breaker.tryBegin()]).toEqual([true, true])
})

test('pauses again if that request fails', () => {
  const { breaker, fail, wait } = create()
  fail(5)
  wait(30)
  expect(breaker.tryBegin()).toBe(true)
  breaker.fail()
  wait(29)
  expect(breaker.tryBegin()).toBe(false)
  wait(1)
  expect(breaker.tryBegin()).toBe(true)
})

test('another request may try if that one was cancelled', () => {
  const { breaker, fail, wait } = create()
  fail(5)
  wait(30)
  expect(breaker.tryBegin()).toBe(true)
  breaker.leave()
  expect(breaker.tryBegin()).toBe(true)
})

test('pauses no longer because the clock went back', () => {
  const { breaker, fail, wait } = create()
  fail(5)
  wait(-3600)
  expect(breaker.tryBegin()).toBe(true)
})
