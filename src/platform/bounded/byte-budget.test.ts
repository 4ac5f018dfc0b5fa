import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

test('grants bytes up to the limit of a key and the limit of all keys', () => {
  const budget = new ByteBudget({ bytesMax: 100, bytesPerKeyMax: 60 })
  expect(budget.tryTake('a', 60)).toBe(true)
  expect(budget.tryTake('a', 1)).toBe(false)
  expect(budget.tryTake('b', 41)).toBe(false)
  expect(budget.tryTake('b', 40)).toBe(true)
  expect(budget.usedBytes).toBe(100)
  budget.release('a', 30)
  expect(budget.tryTake('b', 20)).toBe(true)
  expect(budget.tryTake('a', 11)).toBe(false)
  budget.release('a', 30)
  budget.release('b', 60)
  expect(budget.usedBytes).toBe(0)
  expect(budget.tryTake('a', 60)).toBe(true)
})
