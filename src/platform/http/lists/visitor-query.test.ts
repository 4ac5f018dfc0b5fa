import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visitorQuery } from './visitor-query.ts'

const stored = (search: string) => Object.entries(visitorQuery(search).stored)

test('passes all pairs on in order, decoded and with duplicates', () => {
  expect(visitorQuery('?b=2&a=1&b=3&c&d=%C3%A9+x').pairs).toEqual([
    ['b', '2'],
    ['a', '1'],
    ['b', '3'],
    ['c', ''],
    ['d', 'é x'],
  ])
})

test('accepts a query with or without the question mark, and an empty one', () => {
  expect(visitorQuery('a=1')).toEqual(visitorQuery('?a=1'))
  expect(visitorQuery('').pairs).toEqual([])
  expect(visitorQuery('?').pairs).toEqual([])
  expect(stored('?')).toEqual([])
})

test('stores the first of several values', () => {
  expect(stored('?utm_source=poster&utm_source=app&x=1')).toEqual([
    ['utm_source', 'poster'],
    ['x', '1'],
  ])
})

test('names of built-in object properties are ordinary keys', () => {
  const { stored } = visitorQuery('?__proto__=evil&constructor=c&toString=t')
  expect(JSON.stringify(stored)).toBe('{"__proto__":"evil","constructor":"c","toString":"t"}')
  expect(({} as Record<string, unknown>).evil).toBeUndefined()
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
})

test('stores at most 50 keys, and passes all on', () => {
  const search = Array.from({ length: 500 }, (_, n) => `key${n}=${n}`).join('&')
  expect(visitorQuery(search).pairs).toHaveLength(500)
  expect(stored(search)).toHaveLength(50)
  expect(stored(search).at(-1)).toEqual(['key49', '49'])
})

test('stores at most 4 KB of UTF-8, and skips a pair that does not fit without losing later ones', () => {
  const large = `large=${'x'.repeat(4_092)}`
  expect(stored(`?a=1&${large}&utm_source=poster`)).toEqual([
    ['a', '1'],
    ['utm_source', 'poster'],
  ])
  expect(stored(`?a=${'x'.repeat(4_095)}`)).toHaveLength(1)
  expect(stored(`?a=${'x'.repeat(4_096)}`)).toHaveLength(0)
  expect(stored(`?a=${'é'.repeat(2_047)}x`)).toHaveLength(1)
  expect(stored(`?a=${'é'.repeat(2_048)}`)).toHaveLength(0)
  expect(visitorQuery(`?${large}`).pairs).toEqual([['large', 'x'.repeat(4_092)]])
})

test('replaces characters that cannot be stored, in keys and values', () => {
  expect(stored('?a%00b=c%00&a%00b=again&d=\ud800')).toEqual([
    ['a\ufffdb', 'c\ufffd'],
    ['d', '\ufffd'],
  ])
})

test('for any query, the stored pairs stay within the limits and survive JSON', () => {
  const pair = fc.tuple(fc.string({ maxLength: 100 }), fc.string({ maxLength: 300 }))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 80 }), (pairs) => {
      const query = visitorQuery(
        pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&'),
      )
      const entries = Object.entries(query.stored)
      expect(query.pairs).toEqual(pairs)
      expect(entries.length).toBeLessThanOrEqual(50)
      expect(Buffer.byteLength(entries.flat().join(''))).toBeLessThanOrEqual(4_096)
      expect(Object.entries(JSON.parse(JSON.stringify(query.stored)))).toEqual(entries)
    }),
  )
})
