import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const NOW_MS = Date.parse('2026-06-09T12:00:00Z')

test.each([
  ['0', 0],
  ['120', 120_000],
  ['999999999', 999_999_999_000],
  ['Tue, 09 Jun 2026 12:05:00 GMT', 300_000],
  ['Tue, 09 Jun 2026 11:00:00 GMT', 0],
])('%s means %i ms', (header, ms) => {
  expect(readRetryAfter(header, NOW_MS)).toBe(ms)
})

test.each([undefined, '', '-5', '1.5e3x', 'soon', '9'.repeat(400)])('%s is ignored', (header) => {
  expect(readRetryAfter(header, NOW_MS)).toBeNull()
})
