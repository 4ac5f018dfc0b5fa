import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BytePace } from './byte-pace.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a key moves so many bytes in a second, and others do not wait for it', async () => {
  const pace = new BytePace(1000)
  const moved: string[] = []
  const move = (key: string, bytes: number) => pace.move(key, bytes).then(() => moved.push(`${key} ${bytes}`))
  const all = [move('a', 500), move('a', 501), move('b', 100)]
  await vi.advanceTimersByTimeAsync(100)
  expect(moved).toEqual(['b 100'])
  await vi.advanceTimersByTimeAsync(400)
  expect(moved).toEqual(['b 100', 'a 500'])
  await vi.advanceTimersByTimeAsync(501)
  expect(moved).toEqual(['b 100', 'a 500', 'a 501'])
  await Promise.all(all)
})

test('few bytes rest for no timer', async () => {
  const pace = new BytePace(1000)
  await pace.move('a', 4)
  expect(vi.getTimerCount()).toBe(0)
})
