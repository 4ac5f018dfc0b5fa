import { expect, test } from 'vitest'
import { SharedCache } from './shared-cache.ts'

const MB = 1_000_000
const LIMITS = { bytesMax: MB, bytesPerKeyMax: MB / 4 }

const fill = async (cache: SharedCache<{ n: number }>, owner: string, count: number) => {
  for (let n = 0; n < count; n++) await cache.fetch(owner, `${owner} ${n}`, async () => ({ n }))
}

test('an owner with any number of entries leaves those of others alone, and keeps its latest ones', async () => {
  const cache = new SharedCache<{ n: number }>(LIMITS, () => 1000)
  await fill(cache, 'small', 100)
  await fill(cache, 'large', 10_000)
  for (let n = 0; n < 100; n++) expect(cache.get(`small ${n}`)).toEqual({ n })
  expect(cache.get('large 9999')).toEqual({ n: 9999 })
  expect(cache.get('large 0')).toBeUndefined()
  expect(cache.usedBytes).toBeGreaterThan(MB / 3)
  expect(cache.usedBytes).toBeLessThan(MB / 2)
})

test('keeps to its limit with many owners, and drops the least recently used entries', async () => {
  const cache = new SharedCache<{ n: number }>(LIMITS, () => 1000)
  await fill(cache, 'first', 2)
  for (let n = 0; n < 20; n++) {
    cache.get('first 0')
    await fill(cache, `owner-${n}`, 100)
    expect(cache.usedBytes).toBeLessThanOrEqual(MB)
  }
  expect(cache.usedBytes).toBeGreaterThan(MB * 0.9)
  expect(cache.get('first 0')).toEqual({ n: 0 })
  expect(cache.get('first 1')).toBeUndefined()
  // What was dropped no longer counts towards the share of its owner.
  await fill(cache, 'owner-0', 200)
  expect(cache.get('owner-0 0')).toEqual({ n: 0 })
})

test('makes a value once for all who want it at the same time, and again after a failure', async () => {
  const cache = new SharedCache<{ n: number }>(LIMITS, () => 1)
  let made = 0
  const make = async () => {
    made++
    await new Promise(setImmediate)
    if (made === 1) throw new Error('failed')
    return { n: made }
  }
  const failed = await Promise.allSettled([cache.fetch('a', 'key', make), cache.fetch('a', 'key', make)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const both = await Promise.all([cache.fetch('a', 'key', make), cache.fetch('a', 'key', make)])
  expect(both).toEqual([{ n: 2 }, { n: 2 }])
  expect(await cache.fetch('a', 'key', make)).toEqual({ n: 2 })
  expect(made).toBe(2)
})

test('does not keep a value that may not be kept, is undefined, or exceeds the share of its owner', async () => {
  const cache = new SharedCache<{ n: number }>(LIMITS, ({ n }) => n)
  await cache.fetch(
    'a',
    'refused',
    async () => ({ n: 1 }),
    () => false,
  )
  await cache.fetch('a', 'undefined', async () => undefined)
  await cache.fetch('a', 'large', async () => ({ n: MB / 2 }))
  for (const key of ['refused', 'undefined', 'large']) expect(cache.get(key)).toBeUndefined()
  expect(cache.usedBytes).toBe(0)
})
