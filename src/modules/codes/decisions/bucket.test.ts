import { expect, test } from 'vitest'
import { bucketOf, chooser } from './bucket.ts'

const VISITORS = 50_000
const visitor = (n: number) => n.toString(16).padStart(16, '0')
const variants = (...weights: number[]) => weights.map((weight, at) => ({ key: `v${at}`, weight, destination: at }))

/** How often each variant was chosen. */
function count(weights: number[], { salt = 'salt', ruleId = 'rule' } = {}): number[] {
  const choose = chooser(ruleId, variants(...weights))
  const counts = weights.map(() => 0)
  for (let n = 0; n < VISITORS; n++) counts[choose({ salt, visitor: visitor(n) }).destination]! += 1
  return counts
}

// Seven standard deviations: chance exceeds them once in 10^11 runs, and visitors and salts are always the same.
const DEVIATIONS = 7

test.each([[[70, 30]], [[50, 50]], [[1, 999]], [[1, 1, 1]], [[100, 0, 300]], [[5, 15, 25, 55]], [Array(20).fill(7)]])(
  'over many visitors the shares are those of the weights: %j',
  (weights) => {
    const total = weights.reduce((sum: number, weight: number) => sum + weight, 0)
    for (const [at, chosen] of count(weights).entries()) {
      const share = weights[at] / total
      const deviation = Math.sqrt(VISITORS * share * (1 - share))
      expect(Math.abs(chosen - VISITORS * share)).toBeLessThanOrEqual(DEVIATIONS * deviation)
    }
  },
)

test('a visitor stays in the same variant, until the hash or the salt changes', () => {
  expect(bucketOf('salt', 'visitor', 'rule')).toBe(bucketOf('salt', 'visitor', 'rule'))
  const others = [
    bucketOf('other', 'visitor', 'rule'),
    bucketOf('salt', 'other', 'rule'),
    bucketOf('salt', 'visitor', 'other'),
  ]
  expect(new Set([bucketOf('salt', 'visitor', 'rule'), ...others]).size).toBe(4)
})

test('two rules split visitors independently of each other', () => {
  const [first, second] = [chooser('first', variants(50, 50)), chooser('second', variants(50, 50))]
  let both = 0
  for (let n = 0; n < VISITORS; n++) {
    const known = { salt: 'salt', visitor: visitor(n) }
    if (first(known).key === 'v0' && second(known).key === 'v0') both++
  }
  expect(Math.abs(both - VISITORS / 4)).toBeLessThanOrEqual(DEVIATIONS * Math.sqrt((VISITORS * 3) / 16))
})

test('visitors move only to a variant that got more weight', () => {
  const before = chooser('rule', variants(50, 50))
  const after = chooser('rule', variants(60, 40))
  const visitors = Array.from({ length: 1000 }, (_, n) => ({ salt: 'salt', visitor: visitor(n) }))
  const stayed = visitors.filter((known) => before(known).key === 'v0')
  expect(stayed.length).toBeGreaterThan(0)
  expect(new Set(stayed.map((known) => after(known).key))).toEqual(new Set(['v0']))
})

test('a visitor who is unknown gets the first variant that has a weight', () => {
  expect(chooser('rule', variants(0, 0, 3, 9))({ salt: 'salt', visitor: undefined }).key).toBe('v2')
})

test('the values lie between 0 and 1, everywhere', () => {
  const values = Array.from({ length: 10_000 }, (_, n) => bucketOf('salt', visitor(n), 'rule'))
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...values)).toBeLessThan(1)
  expect(new Set(values.map((value) => Math.floor(value * 100))).size).toBe(100)
})
