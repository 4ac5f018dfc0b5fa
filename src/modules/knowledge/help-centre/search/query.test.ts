import { expect, test } from 'vitest'
import { parseQuery } from './query.ts'

test('missing, unknown and malformed parameters give the first page', () => {
  const firstPage = {
    position: { after: undefined, before: undefined },
    positionParam: '',
    parentSlug: undefined,
    q: '',
    isExact: false,
    page: 1,
  }
  expect(parseQuery({})).toEqual(firstPage)
  expect(
    parseQuery({
      scan: 'x',
      utm_source: 'y',
      after: 'Not A Slug',
      before: ['', 'a'],
      in: {},
      exact: 'true',
      page: '-1',
    }),
  ).toEqual(firstPage)
})

test.each([
  ['  oak   table ', 'oak table'],
  ['oak\u0000\u0007\n table', 'oak table'],
  ['\ud800oak', '\ufffdoak'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['🪑'.repeat(300), '🪑'.repeat(200)],
  ['日本語　テーブル', '日本語 テーブル'],
])('the search text %j is normalised to %j', (sent, q) => {
  expect(parseQuery({ q: sent }).q).toBe(q)
  expect(parseQuery({ q: [sent, 'other'] }).q).toBe(q)
})

test.each([
  ['1', 1],
  ['7', 7],
  ['50', 50],
  ['99', 50],
  ['0', 1],
  ['1e3', 1],
  ['100', 1],
])('page=%s gives page %i', (page, expected) => {
  expect(parseQuery({ page }).page).toBe(expected)
})

test('only exact=1 keeps the words as they were typed', () => {
  expect(parseQuery({ q: 'oak', exact: '1' })).toMatchObject({ q: 'oak', isExact: true })
  for (const exact of ['', '0', 'true', {}]) expect(parseQuery({ q: 'oak', exact }).isExact).toBe(false)
})

test('a position is either after or before a slug; `after` takes precedence', () => {
  expect(parseQuery({ after: 'oak' })).toMatchObject({ position: { after: 'oak' }, positionParam: 'after=oak' })
  expect(parseQuery({ before: 'oak' })).toMatchObject({ position: { before: 'oak' }, positionParam: 'before=oak' })
  expect(parseQuery({ after: 'a', before: 'b' }).positionParam).toBe('after=a')
})
