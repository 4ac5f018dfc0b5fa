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

test('what a file does not say is no change', () => {
  expect(changeOf({ title: 'Oiling' }, STORED)).toEqual({})
})

test('what it says otherwise is', () => {
  const other = { title: 'Waxing', status: 'draft', visibility: 'public', language: 'en', category: null } as const
  const lists = { tags: ['Care'], related: [] }
  expect(changeOf({ ...other, ...lists }, STORED)).toEqual({ ...other, ...lists })
})

test('tags are the same in whatever case and order, and relations are not', () => {
  expect(changeOf({ title: 'Oiling', tags: ['ÖL', 'care'], related: ['waxing', 'cleaning'] }, STORED)).toEqual({})
  const related = ['cleaning', 'waxing']
  expect(changeOf({ title: 'Oiling', related }, STORED)).toEqual({ related })
})
