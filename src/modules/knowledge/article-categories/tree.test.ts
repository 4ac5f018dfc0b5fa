import { expect, test } from 'vitest'
import { isWithin, subtreeOf, type TreeNode } from './tree.ts'

const NODES: TreeNode[] = [
  { id: 'b2', parent_id: 'b' },
  { id: 'a', parent_id: null },
  { id: 'b', parent_id: null },
  { id: 'b1x', parent_id: 'b1' },
  { id: 'b1', parent_id: 'b' },
]
const LONG = 100_000
const chain = Array.from({ length: LONG }, (_, n) => ({ id: `${n}`, parent_id: n === 0 ? null : `${n - 1}` }))
const ids = (nodes: TreeNode[]) => nodes.map(({ id }) => id)

test('a subtree is the category with all its descendants, deepest first', () => {
  expect(ids(subtreeOf(NODES, 'b'))).toEqual(['b1x', 'b1', 'b2', 'b'])
  expect(ids(subtreeOf(NODES, 'b1'))).toEqual(['b1x', 'b1'])
  expect(ids(subtreeOf(NODES, 'a'))).toEqual(['a'])
})

test('a category is within itself and all its ancestors', () => {
  const within = (id: string) => NODES.filter((other) => isWithin(NODES, id, other.id)).map((other) => other.id)
  expect(within('b1x')).toEqual(['b', 'b1x', 'b1'])
  expect(within('b')).toEqual(['b'])
})

test('handles a tree 100,000 levels deep', () => {
  expect(ids(subtreeOf(chain, '0'))).toEqual(ids(chain.toReversed()))
  expect(isWithin(chain, `${LONG - 1}`, '0')).toBe(true)
  expect(isWithin(chain, '0', `${LONG - 1}`)).toBe(false)
})
