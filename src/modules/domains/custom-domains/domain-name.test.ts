import { expect, test } from 'vitest'
import { ApiError } from '../../../platform/errors/index.ts'
import { isApex, normaliseDomain } from './domain-name.ts'

const OWN = ['waymark.example']

test.each([
  ['acme.com', 'acme.com'],
  ['  Shop.ACME.com. ', 'shop.acme.com'],
  ['www.acme.com', 'acme.com'],
  ['WWW.acme.co.uk', 'acme.co.uk'],
  ['www.shop.acme.com', 'www.shop.acme.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['例え.jp', 'xn--r8jz45g.jp'],
  ['acme.github.io', 'acme.github.io'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
])('normalises %s to %s', (sent, domain) => {
  expect(normaliseDomain(sent, OWN)).toBe(domain)
})

test.each([
  'com',
  'co.uk',
  'github.io',
  'localhost',
  '127.0.0.1',
  '[::1]',
  '::1',
  '0x7f.1',
  '2130706433',
  '*.acme.com',
  'waymark.example',
  'www.waymark.example',
  'acme..com',
  '.acme.com',
  '-acme.com',
  'acme-.com',
  'ac me.com',
  'acme.com/path',
  'acme.com:443',
  'user@acme.com',
  'https://acme.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`,
  'a_b.acme.com',
  '...',
])('rejects %s', (sent) => {
  expect(() => normaliseDomain(sent, OWN)).toThrow(ApiError)
})

test('distinguishes an apex domain from a subdomain, even under a suffix of several labels', () => {
  expect(isApex('acme.com')).toBe(true)
  expect(isApex('acme.co.uk')).toBe(true)
  expect(isApex('shop.acme.co.uk')).toBe(false)
})
