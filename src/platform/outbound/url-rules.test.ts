import { expect, test } from 'vitest'
import { hostileUrls } from './testing/hostile-urls.ts'
import { checkOutboundUrl } from './url-rules.ts'

const RULES = { ports: [443, 8443], devAllow: ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'images.acme.com:80'] }

test.each([
  ['https://acme.com', 'https://acme.com/'],
  ['HTTPS://ACME.com:443/a b?c=d#e', 'https://acme.com/a%20b?c=d#e'],
  ['https://acme.com:8443/', 'https://acme.com:8443/'],
  ['https://acme.com./image.png', 'https://acme.com/image.png'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://my_bucket.acme.com/', 'https://my_bucket.acme.com/'],
  ['https://localhost.acme.com/', 'https://localhost.acme.com/'],
  ['https://test.acme.com/', 'https://test.acme.com/'],
  ['https://lan.home.corp.acme.com/', 'https://lan.home.corp.acme.com/'],
  ['https://mysvc.com/', 'https://mysvc.com/'],
  ['https://my-local.acme.com/@user', 'https://my-local.acme.com/@user'],
  ['https://notinternal.com/?u=https://user@host', 'https://notinternal.com/?u=https://user@host'],
])('%s is requested as %s', (text, href) => {
  const result = checkOutboundUrl(text, RULES)
  expect('url' in result ? result.url.href : undefined).toBe(href)
})

test.each([
  ['http://acme.com/', 'Must be an HTTPS URL such as https://acme.com/path'],
  ['acme.com', 'Must be an HTTPS URL such as https://acme.com/path'],
  ['https://user:secret@acme.com/', 'Must not contain a user name or password'],
  ['https://0x7f.1/', 'Must name a host such as acme.com, not an IP address'],
  ['https://93.184.215.14/', 'Must name a host such as acme.com, not an IP address'],
  ['https://[2606:4700::1111]/', 'Must name a host such as acme.com, not an IP address'],
  ['https://printer.local./', 'Must name a public host such as acme.com'],
  ['https://localhost.localdomain/', 'Must name a public host such as acme.com'],
  ['https://api.default.svc/', 'Must name a public host such as acme.com'],
  ['https://acme.com:22/', 'Must use port 443 or 8443'],
])('rejects %s: %s', (text, problem) => {
  expect(checkOutboundUrl(text, RULES)).toEqual({ problem })
})

test('rejects at least 200 hostile URLs with an explanation', () => {
  const urls = hostileUrls(8443)
  expect(urls.length).toBeGreaterThanOrEqual(200)
  const accepted = urls.filter((url) => !('problem' in checkOutboundUrl(url, RULES)))
  expect(accepted).toEqual([])
})

test.each([
  'http://localhost:3000/',
  'https://localhost:3000/',
  'http://127.0.0.1:3000/',
  'http://0x7f.1:3000/',
  'http://[::1]:3000/',
  'http://images.acme.com/',
])('%s is exempt because devAllow lists its host and port', (text) => {
  expect(checkOutboundUrl(text, RULES)).toMatchObject({ isExempt: true })
})

test.each([
  'http://localhost:3001/',
  'http://localhost/',
  'http://localhost.:3000/',
  'http://a.localhost:3000/',
  'http://127.0.0.2:3000/',
  'http://images.acme.com:8080/',
  'https://images.acme.com:3000/',
  'http://user@localhost:3000/',
  'ftp://localhost:3000/',
  'http://localhost:3000:3000/',
])('rejects %s: exemptions match host and port exactly, and the other rules apply', (text) => {
  expect(checkOutboundUrl(text, RULES)).toHaveProperty('problem')
})

test('a listed private host may have a private name; its subdomains, other names and other rules are unaffected', () => {
  const rules = { ...RULES, privateHosts: [{ name: 'hooks.acme.internal', ranges: ['10.1.2.3'] }] }
  expect(checkOutboundUrl('https://Hooks.ACME.internal.:8443/x', rules)).toEqual({
    url: new URL('https://hooks.acme.internal:8443/x'),
    isExempt: false,
  })
  for (const text of [
    ...['http://hooks.acme.internal/', 'https://hooks.acme.internal:22/', 'https://a.hooks.acme.internal/'],
    ...[
      'https://acme.internal/',
      'https://user@hooks.acme.internal/',
      'https://10.1.2.3/',
      'https://hooks.acme.internal../',
    ],
  ]) {
    expect(checkOutboundUrl(text, rules), text).toHaveProperty('problem')
  }
  expect(hostileUrls(8443).filter((url) => !('problem' in checkOutboundUrl(url, rules)))).toEqual([])
})
