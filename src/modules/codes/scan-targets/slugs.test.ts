import { expect, test } from 'vitest'
import { SLUG_PATTERN } from './contract.ts'
import { newSlug } from './slugs.ts'

test('slugs are eight signs that nobody takes for another in print, each as likely as the next', () => {
  const drawn = Array.from({ length: 20_000 }, newSlug)
  const counts = new Map<string, number>()
  for (const slug of drawn) {
    if (!SLUG_PATTERN.test(slug)) expect(slug).toMatch(SLUG_PATTERN)
    for (const sign of slug) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  expect(new Set(drawn).size).toBe(drawn.length)
  expect([...counts.keys()].sort().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
  // 2,807 of each on average, with a standard deviation of 53: eight of them is out of reach.
  for (const [sign, count] of counts)
    expect(Math.abs(count - 2807), `${sign} was drawn ${count} times`).toBeLessThan(424)
})

test.each([
  '',
  'aB3dE5g',
  'aB3dE5gHx',
  'aB3dE5g0',
  'aB3dE5gO',
  'aB3dE5g1',
  'aB3dE5gl',
  'aB3dE5gI',
  'aB3dE5g\n',
  'aB3dE5gH\n',
  ' aB3dE5gH',
  'aB3dE5gé',
])('%j is no slug', (text) => {
  expect(SLUG_PATTERN.test(text)).toBe(false)
})
