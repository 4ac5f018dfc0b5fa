import { expect, test } from 'vitest'
import { allOf, anyOf, FALSE, not, type Ternary, TRUE, UNKNOWN } from './ternary.ts'

const VALUES = [FALSE, UNKNOWN, TRUE] as const
const constant = (value: Ternary) => () => value

test.each([
  [FALSE, [FALSE, FALSE, FALSE], [FALSE, UNKNOWN, TRUE]],
  [UNKNOWN, [FALSE, UNKNOWN, UNKNOWN], [UNKNOWN, UNKNOWN, TRUE]],
  [TRUE, [FALSE, UNKNOWN, TRUE], [TRUE, TRUE, TRUE]],
] as const)('%i with false, unknown and true', (value, together, either) => {
  for (const [at, other] of VALUES.entries()) {
    const pair = [constant(value), constant(other)]
    expect(allOf(pair)(null)).toBe(together[at])
    expect(anyOf(pair)(null)).toBe(either[at])
  }
})

test('the opposite of unknown is unknown', () => {
  expect(VALUES.map((value) => not(constant(value))(null))).toEqual([TRUE, UNKNOWN, FALSE])
})

test('all of nothing is true, any of nothing is false', () => {
  expect(allOf([])(null)).toBe(TRUE)
  expect(anyOf([])(null)).toBe(FALSE)
})

test('what cannot change the result is not tried', () => {
  const never = () => {
    throw new Error('tried')
  }
  expect(allOf([constant(UNKNOWN), constant(FALSE), never])(null)).toBe(FALSE)
  expect(anyOf([constant(UNKNOWN), constant(TRUE), never])(null)).toBe(TRUE)
})
