import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from './failures.ts'
import { withTimeout } from './timeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('returns a result that arrives in time and leaves no timer', async () => {
  expect(await withTimeout(Promise.resolve('answer'), 1000)).toBe('answer')
  await expect(withTimeout(Promise.reject(new TypeError('broken')), 1000)).rejects.toThrow(TypeError)
  expect(vi.getTimerCount()).toBe(0)
})

test('rejects after the timeout and ignores the late outcome', async () => {
  const works = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const
  const outcomes = works.map(({ promise }) => withTimeout(promise, 1000).catch((error: unknown) => error))
  await vi.advanceTimersByTimeAsync(1000)
  for (const outcome of await Promise.all(outcomes)) expect(outcome).toBeInstanceOf(DatabaseUnavailable)
  works[0].resolve('late')
  // An unhandled rejection would fail the run.
  works[1].reject(new Error('late failure'))
  await vi.advanceTimersByTimeAsync(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('does not time out a millisecond early', async () => {
  const work = Promise.withResolvers<string>()
  const outcome = withTimeout(work.promise, 1000)
  await vi.advanceTimersByTimeAsync(999)
  work.resolve('just in time')
  expect(await outcome).toBe('just in time')
})
