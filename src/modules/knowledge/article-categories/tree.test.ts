import { expect, test } from 'vitest'
import { isWithin, type Place, treeOf } from './tree.ts'

const PLACES: Place[] = [
  { id: 'b2', parent_id: 'b' },
  { id: 'a', parent_id: null },
  { id: 'b', parent_id: null },
  { id: 'b1x', parent_id: 'b1' },
  { id: 'b1', parent_id: 'b' },
]
const LONG = 100_000
const chain = Array.from({ length: LONG }, (_, n) => ({ id: `${n}`, parent_id: n === 0 ? null : `${n - 1}` }))
const ids = (places: Place[]) => places.map(({ id }) => id)

test('a tree is everything below a category, the deepest first', () => {
  expect(ids(treeOf(PLACES, 'b'))).toEqual(['b1x', 'b1', 'b2', 'b'])
  expect(ids(treeOf(PLACES, 'b1'))).toEqual(['b1x', 'b1'])
  expect(ids(treeOf(PLACES, 'a'))).toEqual(['a'])
})

test('a category is within itself and whatever it is below', () => {
  const within = (id: string) => PLACES.filter((other) => isWithin(PLACES, id, other.id)).map((other) => other.id)
  expect(within('b1x')).toEqual(['b', 'b1x', 'b1'])
  expect(within('b')).toEqual(['b'])
})

test('no tree is too deep', () => {
  expect(ids(treeOf(chain, '0'))).toEqual(ids(chain.toReversed()))
  expect(isWithin(chain, `${LONG - 1}`, '0')).toBe(true)
  expect(isWithin(chain, '0', `${LONG - 1}`)).toBe(false)
})
