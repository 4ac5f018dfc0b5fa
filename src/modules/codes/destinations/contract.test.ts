import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DestinationInput } from './contract.ts'

const ID = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'
const URL_REF = { type: 'url', id: null, url: 'https://acme.com/' }

describe('a destination', () => {
  test.each<[string, unknown, unknown]>([
    ['null clears it', null, null],
    ['an empty object clears it', {}, null],
    ['all null clears it', { type: null, chatbot: null, page: null, knowledge_base: null, url: null }, null],
    ['a URL', { url: 'https://acme.com/' }, URL_REF],
    ['a URL and its type', { type: 'url', url: 'https://acme.com/' }, URL_REF],
    ['a URL and a null type', { type: null, url: 'https://acme.com/' }, URL_REF],
    [
      'in the form of a response',
      { type: 'url', chatbot: null, page: null, knowledge_base: null, url: 'https://acme.com/' },
      URL_REF,
    ],
    ['a chatbot', { chatbot: ID }, { type: 'chatbot', id: ID, url: null }],
    ['a page', { type: 'page', page: ID }, { type: 'page', id: ID, url: null }],
    ['a knowledge base', { knowledge_base: ID.toUpperCase() }, { type: 'knowledge_base', id: ID, url: null }],
  ])('%s', (_name, sent, expected) => {
    expect(DestinationInput.parse(sent)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['two destinations', { chatbot: ID, url: 'https://acme.com/' }],
    ['two destinations and a type', { type: 'url', chatbot: ID, url: 'https://acme.com/' }],
    ['a type without its field', { type: 'url' }],
    ['a type with its field null', { type: 'page', page: null }],
    ['a type with another field', { type: 'page', chatbot: ID }],
    ['an unknown type', { type: 'video' }],
    ['an unknown field', { video: ID }],
    ['a malformed id', { chatbot: 'help' }],
    ['an empty id', { chatbot: '' }],
    ['an id as a URL', { url: ID }],
    ['a string', 'https://acme.com/'],
    ['a list', [{ url: 'https://acme.com/' }]],
  ])('%s is refused', (_name, sent) => {
    expect(DestinationInput.safeParse(sent).success).toBe(false)
  })
})

describe('a URL', () => {
  const accepts = (url: unknown) => DestinationInput.safeParse({ url }).success

  test.each([
    'https://acme.com',
    'http://acme.com/',
    'HTTPS://ACME.COM/Care',
    'https://acme.com:8443/a/b?c=d&e#f',
    'https://user:word@acme.com/',
    'https://xn--mller-kva.example/',
    'https://müller.example/ü?ü=ü#ü',
    'https://192.0.2.1/',
    'https://[2001:db8::1]/',
    'http://localhost:3000/',
    'https://acme.com/%zz%',
    'https://acme.com/??a&&b=',
    `https://acme.com/${'x'.repeat(2048 - 'https://acme.com/'.length)}`,
  ])('%s is accepted', (url) => {
    expect(accepts(url)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['an empty string', ''],
    ['a number', 5],
    ['a host alone', 'acme.com'],
    ['a path', '/care'],
    ['no scheme', '//acme.com/'],
    ['another scheme', 'ftp://acme.com/'],
    ['a script', 'javascript:alert(1)'],
    ['a script that looks like a URL', 'javascript://acme.com/%0aalert(1)'],
    ['a data URL', 'data:text/html,<b>x</b>'],
    ['a file', 'file:///etc/passwd'],
    ['no host', 'https://'],
    ['no host, but a path', 'https:///care'],
    ['no host, but a query', 'https://?a'],
    ['no host, but a user', 'https://user@'],
    ['one slash', 'https:/acme.com'],
    ['no slash', 'https:acme.com'],
    ['a space before it', ' https://acme.com/'],
    ['a space after it', 'https://acme.com/ '],
    ['a space in it', 'https://acme.com/a b'],
    ['a line feed in it', 'https://acme.com/\nlocation: x'],
    ['a tab in the scheme', 'ht\ttps://acme.com/'],
    ['a zero-width no-break space', 'https://acme.com/\ufeff'],
    ['a space in the host', 'https://ac me.com/'],
    ['an invalid port', 'https://acme.com:99999/'],
    ['an IP address with five parts', 'https://1.2.3.4.5/'],
    ['2,049 characters', `https://acme.com/${'x'.repeat(2049 - 'https://acme.com/'.length)}`],
  ])('%s is rejected', (_name, url) => {
    expect(accepts(url)).toBe(false)
  })

  test('every accepted URL is http or https and consists of printable ASCII once parsed', () => {
    const nearlyUrl = fc
      .array(
        fc.constantFrom(
          'https:',
          'http:',
          '/',
          '//',
          '\\',
          '@',
          ':',
          'acme.com',
          'ü',
          '🏷',
          '?',
          '#',
          '%',
          '\0',
          '[',
          ']',
          '1',
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          nearlyUrl,
          nearlyUrl.map((rest) => `https://${rest}`),
        ),
        (text) => {
          if (!accepts(text)) return
          const { href, protocol, hostname } = new URL(text)
          expect(['http:', 'https:']).toContain(protocol)
          expect(hostname).not.toBe('')
          expect(href).toMatch(/^[\x21-\x7e]+$/)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
