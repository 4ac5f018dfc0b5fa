import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addParams } from './add-params.ts'

type Pairs = [string, string][]
const HOST = 'https://acme.com'

test.each<[string, string, Pairs[], string]>([
  ['no layers', '/x?a=1#f', [], '/x?a=1#f'],
  ['empty layers', '/x?a=%20+%zz#f', [[], []], '/x?a=%20+%zz#f'],
  ['no query', '/x', [[['a', '1']]], '/x?a=1'],
  ['no path', '', [[['a', '1']]], '?a=1'],
  ['an empty query', '/x?', [[['a', '1']]], '/x?a=1'],
  ['an empty query before a fragment', '/x?#f', [[['a', '1']]], '/x?a=1#f'],
  ['an empty fragment', '/x#', [[['a', '1']]], '/x?a=1#'],
  ['a fragment that contains a query', '/x#/route?a=0#b', [[['a', '1']]], '/x?a=1#/route?a=0#b'],
  ['a question mark in the query', '/x?q=a?b', [[['b', '1']]], '/x?q=a?b&b=1'],
  ['a later layer', '/x?a=0', [[['a', '1']], [['a', '2']], [['a', '3']]], '/x?a=3'],
  ['a later layer over the first of three', '/x', [[['a', '1']], [['b', '2']], [['a', '3']]], '/x?b=2&a=3'],
  ['an empty layer between', '/x', [[['a', '1']], [], [['b', '2']]], '/x?a=1&b=2'],
  [
    'duplicates in one layer are all kept',
    '/x?a=0&a=00',
    [
      [
        ['a', '1'],
        ['b', ''],
        ['a', '2'],
      ],
    ],
    '/x?a=1&b=&a=2',
  ],
  [
    'one value overrides two of a lower layer',
    '/x',
    [
      [
        ['a', '1'],
        ['a', '2'],
      ],
      [['a', '3']],
    ],
    '/x?a=3',
  ],
  ['an overridden key between two that are kept', '/x?b=1&a=2&c=3', [[['a', '4']]], '/x?b=1&c=3&a=4'],
  ['keys without a value', '/x?a&b=', [[['c', '']]], '/x?a&b=&c='],
  ['a key without a value that is overridden', '/x?a&b=', [[['a', '']]], '/x?b=&a='],
  ['an empty key', '/x?=x&b=1', [[['', 'y']]], '/x?b=1&=y'],
  ['an empty key that is not overridden', '/x?=x', [[['b', '1']]], '/x?=x&b=1'],
  ['empty parts, kept as written', '/x?&&a=1&', [[['b', '2']]], '/x?&&a=1&&b=2'],
  ['a key that begins with a question mark', '/x??a=1', [[['a', '2']]], '/x??a=1&a=2'],
  ['the same key with a question mark', '/x??a=1', [[['?a', '2']]], '/x?%3Fa=2'],
  ['a question mark at the start of a later part', '/x?b=0&?a=1', [[['a', '2']]], '/x?b=0&?a=1&a=2'],
  ['nothing but question marks', '/x??', [[['a', '1']]], '/x??&a=1'],
  ['an encoded key', '/x?%61=1&b%5B%5D=2', [[['a', '3']]], '/x?b%5B%5D=2&a=3'],
  ['an encoded key of brackets', '/x?b%5B%5D=1&b[]=2&b=3', [[['b[]', '4']]], '/x?b=3&b%5B%5D=4'],
  ['a plus, which is a space', '/x?a+b=1&a%20b=2&a%2Bb=3', [[['a b', '4']]], '/x?a%2Bb=3&a+b=4'],
  ['a broken encoding, kept as written', '/x?%=1&%zz=2', [[['a', '3']]], '/x?%=1&%zz=2&a=3'],
  ['a broken encoding that is overridden', '/x?%=1&%zz=2', [[['%', '3']]], '/x?%zz=2&%25=3'],
  ['another case, which is another key', '/x?A=1', [[['a', '2']]], '/x?A=1&a=2'],
  ['separators in an added param', '/x', [[['a&b', 'c=d&e#f?g']]], '/x?a%26b=c%3Dd%26e%23f%3Fg'],
  ['a semicolon, which separates nothing', '/x?a=1;b=2', [[['b', '3']]], '/x?a=1;b=2&b=3'],
  [
    'non-ASCII letters',
    '/x?%C3%BC=1&tag=%F0%9F%8F%B7',
    [
      [
        ['ü', '2'],
        ['日', '🏷'],
      ],
    ],
    '/x?tag=%F0%9F%8F%B7&%C3%BC=2&%E6%97%A5=%F0%9F%8F%B7',
  ],
  ['half a surrogate pair', '/x', [[['a', '\ud83c']]], '/x?a=%EF%BF%BD'],
  [
    'names of built-in object properties',
    '/x?__proto__=1&constructor=2',
    [[['__proto__', '3']]],
    '/x?constructor=2&__proto__=3',
  ],
])('adds params to an address: %s', (_what, target, layers, expected) => {
  expect(addParams(HOST + target, layers, [])).toBe(HOST + expected)
})

test.each<[string, string, Pairs[], Pairs, string]>([
  ['a new key', '/x?a=1', [], [['b', '2']], '/x?a=1&b=2'],
  ['no query', '/x#f', [], [['a', '1']], '/x?a=1#f'],
  ['over a param of a layer', '/x', [[['a', '1']]], [['a', '2']], '/x?a=2'],
  ['never over the address', '/x?next=/home#f', [], [['next', 'https://evil.com']], '/x?next=/home#f'],
  [
    'not over the address, but the rest',
    '/x?a=1',
    [],
    [
      ['a', '2'],
      ['b', '3'],
    ],
    '/x?a=1&b=3',
  ],
  ['not over a param of a layer that overrides the address', '/x?a=1', [[['a', '2']]], [['a', '3']], '/x?a=2'],
  ['not over a key without a value', '/x?a', [], [['a', '1']], '/x?a'],
  [
    'not over an encoded key',
    '/x?%6eext=1&a+b=2',
    [],
    [
      ['next', '2'],
      ['a b', '3'],
    ],
    '/x?%6eext=1&a+b=2',
  ],
  ['not over one of two values', '/x?a=1&a=2', [], [['a', '3']], '/x?a=1&a=2'],
  ['not over an empty key', '/x?=1', [], [['', '2']], '/x?=1'],
  ['an empty key beside an empty part', '/x?a=1&', [], [['', '2']], '/x?a=1&=2'],
  ['another case, which is another key', '/x?a=1', [], [['A', '2']], '/x?a=1&A=2'],
])('adds params of the visitor: %s', (_what, target, layers, visitor, expected) => {
  expect(addParams(HOST + target, layers, visitor)).toBe(HOST + expected)
})

test('keeps five hundred params in order, and each overrides lower ones with its key', () => {
  const of = (value: string, from: number): Pairs => Array.from({ length: 500 }, (_, n) => [`p${from + n}`, value])
  const own = of('own', 0)
    .map(([key, value]) => `${key}=${value}`)
    .join('&')
  const added = addParams(`${HOST}/?${own}#f`, [of('group', 100), of('code', 200)], of('visitor', 250))
  const expected = [
    ...of('own', 0).slice(0, 100),
    ...of('group', 100).slice(0, 100),
    ...of('code', 200).slice(0, 300),
    ...of('visitor', 250).slice(250),
  ]
  expect([...new URL(added).searchParams]).toEqual(expected)
  expect(added.endsWith('#f')).toBe(true)
})

/** Few different keys, so that they collide, with every character that has a meaning in a query string. */
const text = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '', ' ', '+', '%', '%61', '?', '?a', '&', '=', '#', 'ü', '🏷', '__proto__'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
const pairs = fc.array(fc.tuple(text, text), { maxLength: 6 })
const part = fc.oneof(
  fc.constantFrom('', 'a', 'a=', '=x', '=', '?', '?a=1', '%61=1', 'a+b=1', '%', '%zz=1', 'b[]=1', 'c=1=2', ';'),
  fc.tuple(text, text).map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`),
)
const target = fc.record({
  path: fc.constantFrom('', '/', '/a/b', '/a%3Fb', '/%23/;x=1'),
  query: fc.option(
    fc.array(part, { maxLength: 5 }).map((parts) => parts.join('&')),
    { nil: undefined },
  ),
  fragment: fc.constantFrom('', '#', '#f', '#a?b&c=d', '##'),
})

test('for any input, a key keeps only the values of its highest layer, and the rest of the address stays', () => {
  fc.assert(
    fc.property(target, fc.array(pairs, { maxLength: 3 }), pairs, ({ path, query, fragment }, layers, visitor) => {
      const address = `${HOST}${path}${query === undefined ? '' : `?${query}`}${fragment}`
      const result = addParams(address, layers, visitor)
      expect(result.startsWith(`${HOST}${path}`)).toBe(true)
      expect(new URL(result).pathname).toBe(new URL(address).pathname)
      expect(result.slice(result.indexOf('#') >>> 0)).toBe(fragment)
      // The params that the destination reads: those of each layer whose key is in no higher layer.
      const own: Pairs = [...new URLSearchParams(`?${query ?? ''}`)]
      const ownKeys = new Set(own.map(([key]) => key))
      const all = [own, ...layers, visitor.filter(([key]) => !ownKeys.has(key))]
      const expected = all.flatMap((layer, n) => {
        const above = new Set(all.slice(n + 1).flatMap((higher) => higher.map(([key]) => key)))
        return layer.filter(([key]) => !above.has(key))
      })
      expect([...new URL(result).searchParams]).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

test('for any input, a visitor never changes a key that the address has', () => {
  fc.assert(
    fc.property(target, fc.array(pairs, { maxLength: 2 }), pairs, ({ path, query = '' }, layers, visitor) => {
      const address = `${HOST}${path}?${query}`
      const withVisitor = new URL(addParams(address, layers, visitor)).searchParams
      const without = new URL(addParams(address, layers, [])).searchParams
      for (const [key] of new URLSearchParams(`?${query}`)) expect(withVisitor.getAll(key)).toEqual(without.getAll(key))
    }),
  )
})

test('params that are not overridden are kept character for character', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const query = parts.join('&')
      fc.pre(query !== '')
      expect(addParams(`${HOST}/?${query}`, [[['never', 'used']]], [])).toBe(`${HOST}/?${query}&never=used`)
    }),
  )
})
