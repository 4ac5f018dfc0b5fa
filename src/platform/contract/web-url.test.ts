import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWebUrl, toUri } from './web-url.ts'

/** The grammar of RFC 3986, appendix A, as far as it concerns the web. */
const pct = '%[0-9A-Fa-f]{2}'
const unreserved = "[A-Za-z0-9._~-]|[!$&'()*+,;=]"
const pchar = `(?:${unreserved}|${pct}|[:@])`
const authority = `(?:(?:${unreserved}|${pct}|:)*@)?(?:\\[[0-9A-Fa-f:.]+\\]|(?:${unreserved}|${pct})*)(?::[0-9]*)?`
const grammar = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?://${authority}(?:/${pchar}*)*(?:\\?(?:${pchar}|[/?])*)?(?:#(?:${pchar}|[/?])*)?$`,
)

test.each([
  'https://acme.com',
  'HTTPS://ACME.COM/Care',
  "https://user:word@acme.com:8443/a;b=(c)/'d'?e=f&&g=/h?#i/?j",
  'https://[2001:db8::1]/',
  'https://acme.com/%D9%84?x=%zz'.replace('%zz', '%20'),
])('%s is a URI and stays as it is', (uri) => {
  expect([isWebUrl(uri), toUri(uri)]).toEqual([true, uri])
})

test.each([
  ['https://müller.example/ü?ü=ü#ü', 'https://xn--mller-kva.example/%C3%BC?%C3%BC=%C3%BC#%C3%BC'],
  ['https://acme.com/دليل', 'https://acme.com/%D8%AF%D9%84%D9%8A%D9%84'],
  ['https://acme.com/🏷/{id}|"x"', 'https://acme.com/%F0%9F%8F%B7/%7Bid%7D%7C%22x%22'],
  ['https://acme.com/?ids[]=1', 'https://acme.com/?ids%5B%5D=1'],
  ['https://acme.com/100%/%zz#a#b', 'https://acme.com/100%25/%25zz#a%23b'],
  ['https://acme.com\\a', 'https://acme.com/a'],
])('%s becomes %s', (typed, uri) => {
  expect([isWebUrl(typed), toUri(typed)]).toEqual([true, uri])
})

test.each([
  'https://a{b}.com',
  'https://u%:p@acme.com/',
  `https://acme.com/${'ü'.repeat(400)}`,
  'https://acme.com/a b',
])('%s cannot be written as a URI and is refused', (typed) => {
  expect(isWebUrl(typed)).toBe(false)
})

test('every address that is accepted becomes a URI of the same host and stays the same', () => {
  const parts = [
    '@',
    ':',
    '/',
    '\\',
    '?',
    '#',
    '%',
    '%41',
    '[',
    ']',
    '{',
    '"',
    '|',
    '^',
    '`',
    'ü',
    'دليل',
    '🏷',
    '1',
    '.',
  ]
  const odd = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((texts) => texts.join(''))
  const typed = fc.oneof(
    fc.webUrl(),
    odd.map((rest) => `https://acme.com/${rest}`),
    odd.map((rest) => `https://${rest}`),
  )
  const check = (text: string) => {
    if (!isWebUrl(text)) return
    const uri = toUri(text)
    expect(uri).toMatch(grammar)
    expect(toUri(uri)).toBe(uri)
    expect(new URL(uri).host).toBe(new URL(text).host)
  }
  fc.assert(fc.property(typed, check), { numRuns: 2000 })
})
