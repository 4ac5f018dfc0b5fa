import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanReferrer } from './referrer.ts'

test.each([
  ['https://acme.com', 'https://acme.com/'],
  ['https://acme.com/', 'https://acme.com/'],
  ['http://acme.com:8080/a/b', 'http://acme.com:8080/a/b'],
  ['https://www.acme.com/search?q=a+private+matter', 'https://www.acme.com/search'],
  ['https://acme.com/page#access_token=secret', 'https://acme.com/page'],
  ['https://user:password@acme.com/page', 'https://acme.com/page'],
  ['HTTPS://ACME.com/Page', 'https://acme.com/Page'],
  ['https://bücher.example/über', 'https://xn--bcher-kva.example/%C3%BCber'],
  ['https://acme.com/a\u0000b', 'https://acme.com/a%00b'],
  ['android-app://com.google.android.gm', 'android-app://com.google.android.gm/'],
  ['android-app://com.google.android.googlequicksearchbox/', 'android-app://com.google.android.googlequicksearchbox/'],
  ['android-app://com.acme.app/https/acme.com/orders/17', 'android-app://com.acme.app/'],
  [`https://acme.com/${'a'.repeat(495)}`, `https://acme.com/${'a'.repeat(495)}`],
  [`https://acme.com/?${'a'.repeat(5_000)}`, 'https://acme.com/'],
])('%s is stored as %s', (header, referrer) => {
  expect(cleanReferrer(header)).toBe(referrer)
})

test.each([
  undefined,
  '',
  'about:blank',
  'acme.com',
  '/page',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/hosts',
  'ftp://acme.com/',
  'blob:https://acme.com/0f6c',
  'https://',
  'https://[::1',
  'android-app://',
  'android-app://com.acme.app?id=17',
  'android-app://user@com.acme.app/',
  `android-app://com.${'a'.repeat(512)}/`,
  `https://acme.com/${'a'.repeat(496)}`,
])('%s is not stored', (header) => {
  expect(cleanReferrer(header)).toBeNull()
})

test('never stores a query, fragment or user info, nor more than 512 characters', () => {
  const address = fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] })
  fc.assert(
    fc.property(address, fc.string({ maxLength: 20 }), (url, rest) => {
      const referrer = cleanReferrer(url.replace('://', '://name:secret@') + rest)
      expect(referrer ?? '').not.toMatch(/[?#\0]|secret/)
      expect((referrer ?? '').length).toBeLessThanOrEqual(512)
    }),
  )
})
