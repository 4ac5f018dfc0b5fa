import { expect, test } from 'vitest'
import { SLUG_PATTERN } from './contract.ts'
import { newSlug } from './slugs.ts'

test('slugs are eight unambiguous characters, uniformly distributed', () => {
  const drawn = Array.from({ length: 20_000 }, newSlug)
  const counts = new Map<string, number>()
  for (const slug of drawn) {
    if (!SLUG_PATTERN.test(slug)) expect(slug).toMatch(SLUG_PATTERN)
    for (const character of slug) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(new Set(drawn).size).toBe(drawn.length)
  expect([...counts.keys()].sort().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
  // The mean is 2,807 with a standard deviation of 53. Eight standard deviations practically never happen.
  for (const [character, count] of counts)
    expect(Math.abs(count - 2807), `${character} was drawn ${count} times`).toBeLessThan(424)
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
])('%j is not a slug', (text) => {
  expect(SLUG_PATTERN.test(text)).toBe(false)
})
