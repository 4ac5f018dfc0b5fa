import { expect, test } from 'vitest'
import { changeOf } from './article-change.ts'

const STORED = {
  title: 'Oiling',
  status: 'published',
  visibility: 'internal',
  language: 'de',
  category: 'care',
  tags: ['Care', 'Öl'],
  related: ['waxing', 'cleaning'],
} as const

test('missing fields are no change', () => {
  expect(changeOf({ title: 'Oiling' }, STORED)).toEqual({})
})

test('returns all fields that differ', () => {
  const other = { title: 'Waxing', status: 'draft', visibility: 'public', language: 'en', category: null } as const
  const lists = { tags: ['Care'], related: [] }
  expect(changeOf({ ...other, ...lists }, STORED)).toEqual({ ...other, ...lists })
})

test('ignores case and order of tags, but not the order of relations', () => {
  expect(changeOf({ title: 'Oiling', tags: ['ÖL', 'care'], related: ['waxing', 'cleaning'] }, STORED)).toEqual({})
  const related = ['cleaning', 'waxing']
  expect(changeOf({ title: 'Oiling', related }, STORED)).toEqual({ related })
})
