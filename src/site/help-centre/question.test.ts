import { expect, test } from 'vitest'
import { readQuestion } from './question.ts'

test('without anything it is the beginning', () => {
  const beginning = { position: { after: undefined, before: undefined }, asked: '', within: undefined, q: '', page: 1 }
  expect(readQuestion({})).toEqual(beginning)
  expect(
    readQuestion({ scan: 'x', utm_source: 'y', after: 'Not A Slug', before: ['', 'a'], in: {}, page: '-1' }),
  ).toEqual(beginning)
})

test.each([
  ['  oak   table ', 'oak table'],
  ['oak\u0000\u0007\n table', 'oak table'],
  ['\ud800oak', '\ufffdoak'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['🪑'.repeat(300), '🪑'.repeat(200)],
  ['日本語　テーブル', '日本語 テーブル'],
])('%j is searched for as %j', (sent, q) => {
  expect(readQuestion({ q: sent }).q).toBe(q)
  expect(readQuestion({ q: [sent, 'other'] }).q).toBe(q)
})

test.each([
  ['1', 1],
  ['7', 7],
  ['50', 50],
  ['99', 50],
  ['0', 1],
  ['1e3', 1],
  ['100', 1],
])('page %s is page %i', (page, expected) => {
  expect(readQuestion({ page }).page).toBe(expected)
})

test('a position is where the list goes on, and one is enough', () => {
  expect(readQuestion({ after: 'oak' })).toMatchObject({ position: { after: 'oak' }, asked: 'after=oak' })
  expect(readQuestion({ before: 'oak' })).toMatchObject({ position: { before: 'oak' }, asked: 'before=oak' })
  expect(readQuestion({ after: 'a', before: 'b' }).asked).toBe('after=a')
})
