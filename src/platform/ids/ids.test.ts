import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { firstIdAt, newId, newIdAt, randomBase62, toBase62, UUID_PATTERN } from './index.ts'

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const LAST_MS = 2 ** 48 - 1
const moment = fc.oneof(
  fc.integer({ min: 0, max: LAST_MS }),
  fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
  fc.constantFrom(0, 1, LAST_MS - 1, LAST_MS),
)

const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

test('newIdAt returns a version 7 UUID that contains the moment', () => {
  fc.assert(
    fc.property(moment, (ms) => {
      const id = newIdAt(ms)
      expect(id).toMatch(VERSION_7)
      expect(timeOf(id)).toBe(ms)
    }),
  )
})

test('ids sort by their moment, and firstIdAt separates earlier ids from the rest', () => {
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      const [one, other] = [newIdAt(a), newIdAt(b)]
      expect(firstIdAt(a)).toMatch(UUID_PATTERN)
      expect(one >= firstIdAt(b)).toBe(a >= b)
      if (a !== b) expect(one < other).toBe(a < b)
    }),
    { numRuns: 500 },
  )
})

test('firstIdAt clamps moments outside the range of ids', () => {
  expect(firstIdAt(-1)).toBe(firstIdAt(0))
  expect(newIdAt(0) >= firstIdAt(Number.MIN_SAFE_INTEGER)).toBe(true)
  for (const ms of [LAST_MS + 1, Number.MAX_SAFE_INTEGER]) {
    expect(firstIdAt(ms)).toMatch(UUID_PATTERN)
    expect(newIdAt(LAST_MS - 1) < firstIdAt(ms)).toBe(true)
  }
})

test('100,000 ids of one moment are unique while other code draws from the same pool', () => {
  const ids = new Set<string>()
  for (let n = 0; n < 100_000; n++) {
    if (n % 7 === 0) randomBase62(n % 23)
    ids.add(newIdAt(1_800_000_000_000))
  }
  expect(ids.size).toBe(100_000)
  for (const id of ids) if (!VERSION_7.test(id)) expect(id).toMatch(VERSION_7)
})

test('every digit of the random part varies', () => {
  const digits = Array.from({ length: 36 }, () => new Set<string>())
  for (let n = 0; n < 2000; n++) for (const [at, digit] of [...newIdAt(0)].entries()) digits[at]?.add(digit)
  const sizes = digits.map((seen) => seen.size)
  expect(sizes.slice(0, 15)).toEqual(Array(15).fill(1))
  expect(sizes.slice(15)).toEqual([16, 16, 16, 1, 4, 16, 16, 16, 1, ...Array(12).fill(16)])
})

test('newId sorts in creation order, within a millisecond and when the clock goes back', () => {
  const start = Date.now()
  const now = vi.spyOn(Date, 'now')
  try {
    let last = ''
    for (const ms of [start, start, start + 5, start - 1000, start + 5, start + 6, ...Array(20_000).fill(start + 7)]) {
      now.mockReturnValue(ms)
      const id = newId()
      if (!(id > last)) expect(id > last).toBe(true)
      last = id
    }
    expect(last).toMatch(VERSION_7)
    // One millisecond has room for 4,096 ids; the rest use the following milliseconds.
    expect(timeOf(last)).toBeLessThanOrEqual(start + 7 + 5)
  } finally {
    now.mockRestore()
  }
})

test('base62 text has exactly the requested length', () => {
  expect([0, 61, 62, 3843].map((n) => toBase62(n, 2))).toEqual(['00', '0z', '10', 'zz'])
  for (const length of [0, 1, 16, 5000]) expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
})
