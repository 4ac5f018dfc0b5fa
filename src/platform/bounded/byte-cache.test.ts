import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ByteCache } from './byte-cache.ts'

const MB = 1_000_000

const fill = (cache: ByteCache<{ n: number }>, count: number, keyOf: (n: number) => string) => {
  for (let n = 0; n < count; n++) cache.set(keyOf(n), { n })
}

test('keeps to its limit with keys of any length, and drops the least recently used entries', () => {
  const cache = new ByteCache<{ n: number }>(MB, () => 100)
  cache.set('used', { n: -1 })
  cache.set('unused', { n: -2 })
  for (const length of [1, 15_000, 300]) {
    fill(cache, 10_000, (n) => {
      cache.get('used')
      return String(n).padEnd(length, 'x')
    })
    expect(cache.usedBytes).toBeLessThanOrEqual(cache.bytesMax)
    expect(cache.usedBytes).toBeGreaterThan(cache.bytesMax * 0.9)
  }
  expect(cache.get('used')).toEqual({ n: -1 })
  expect(cache.get('unused')).toBeUndefined()
  expect(cache.get(String(9_999).padEnd(300, 'x'))).toEqual({ n: 9_999 })
  cache.clear()
  expect(cache.usedBytes).toBe(0)
})

test('does not keep the string that a key is a part of', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const usedBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const cache = new ByteCache<{ n: number }>(10 * MB, () => 100)
  const before = usedBytes()
  fill(cache, 4_000, (n) => Buffer.alloc(16_000, `${n} `).toString().slice(0, 20))
  expect(usedBytes() - before).toBeLessThan(10 * MB)
  expect(cache.get('3999 3999 3999 3999 ')).toEqual({ n: 3_999 })
})
