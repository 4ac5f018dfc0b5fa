import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseUrlEncoded } from './url-encoded.ts'

const expectSameAsURLSearchParams = (text: string) => {
  // URLSearchParams strips this question mark; one in `text` then belongs to the first key.
  expect(parseUrlEncoded(text)).toEqual([...new URLSearchParams(`?${text}`)])
}

test.each([
  '',
  'a=1&b=2&a=3',
  'a',
  'a=',
  '=a',
  '=',
  '&&a=1&&',
  '?a=1',
  'a=b=c',
  'a+b=c+d',
  'a%2Bb=c%20d',
  '%61%3d=%26',
  '%3D%3d=%3D',
  'a=%',
  'a=%4',
  'a=%4&b=%zz',
  'a=%%41',
  'a=%e2%82%ac&b=%e2%82',
  'a=%c0%80&b=%ed%a0%80&c=%f0%9f',
  'a=%ef%bb%bfb',
  'é=ü&%C3%A9=1',
  'a=\ud800&b=\udc00\ud800',
  'a=%00',
  '__proto__=1&constructor=2',
])('parses %j like URLSearchParams', expectSameAsURLSearchParams)

test('parses any query like URLSearchParams', () => {
  const pieces = ['%', '&', '=', '+', '?', '#', 'a', '4', '1', 'F', 'e2', '82', 'ac', '%c3', '%a9', '%f0%9f', '\0']
  const text = fc.array(fc.constantFrom(...pieces)).map((chosen) => chosen.join(''))
  fc.assert(fc.property(text, expectSameAsURLSearchParams), { numRuns: 1_000 })
})

test('keeps characters next to a broken escape, which URLSearchParams loses', () => {
  expect(parseUrlEncoded('%a9😀=%e2é')).toEqual([['\ufffd😀', '\ufffdé']])
})
