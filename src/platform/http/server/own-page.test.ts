import { expect, test } from 'vitest'
import { isFromOwnPage } from './own-page.ts'

const host = 'acme.com'

test('believes what the browser says about where a request comes from', () => {
  for (const [site, get, post] of [
    ['same-origin', true, true],
    ['none', true, false],
    ['same-site', false, false],
    ['cross-site', false, false],
    ['nonsense', false, false],
  ] as const) {
    expect(isFromOwnPage('GET', { host, 'sec-fetch-site': site }), site).toBe(get)
    expect(isFromOwnPage('POST', { host, 'sec-fetch-site': site }), site).toBe(post)
  }
})

test('falls back on the origin, and without both allows only what changes nothing', () => {
  expect(isFromOwnPage('POST', { host, origin: 'https://acme.com' })).toBe(true)
  for (const origin of ['https://evil.example', 'https://acme.com.evil.example', 'https://acme.com:444', 'null', '']) {
    expect(isFromOwnPage('POST', { host, origin }), origin).toBe(false)
  }
  expect(isFromOwnPage('POST', { host })).toBe(false)
  expect(isFromOwnPage('GET', { host })).toBe(true)
  expect(isFromOwnPage('DELETE', { host })).toBe(false)
})
