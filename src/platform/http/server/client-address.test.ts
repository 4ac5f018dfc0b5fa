import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientAddressReader } from './client-address.ts'

const read = (trustProxy: boolean | string, remoteAddress: string | undefined, forwarded?: string) =>
  clientAddressReader(trustProxy)({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage)

/** name, trusted proxies, peer address, X-Forwarded-For, expected client address */
test.each<[string, boolean | string, string | undefined, string | undefined, string]>([
  ['no proxy, no header', false, '203.0.113.9', undefined, '203.0.113.9'],
  ['no proxy: the header is ignored', false, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['no proxy, IPv6', false, '2001:db8::9', '198.51.100.1', '2001:db8::9'],
  ['a closed socket', false, undefined, undefined, ''],
  ['a closed socket behind a proxy', '10.0.0.1', undefined, '198.51.100.1', ''],

  ['all are trusted, no header', true, '10.0.0.1', undefined, '10.0.0.1'],
  ['all are trusted', true, '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['all are trusted: the farthest hop', true, '10.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.2', '198.51.100.1'],
  ['all are trusted, IPv6', true, '::1', '2001:db8::1', '2001:db8::1'],
  ['all are trusted, an empty header', true, '10.0.0.1', '', '10.0.0.1'],
  ['all are trusted, a header of commas', true, '10.0.0.1', ' , ,, ', '10.0.0.1'],
  ['all are trusted, the farthest hop is invalid', true, '10.0.0.1', 'unknown, 203.0.113.9', '203.0.113.9'],

  ['a trusted address', '10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a header from an untrusted peer', '10.0.0.1', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a trusted range', '10.0.0.0/8', '10.9.8.7', '198.51.100.1', '198.51.100.1'],
  ['outside the trusted range', '10.0.0.0/9', '10.200.0.1', '198.51.100.1', '10.200.0.1'],
  ['one of a list', '192.0.2.1, 10.0.0.0/8', '192.0.2.1', '198.51.100.1', '198.51.100.1'],
  ['a list without spaces', '192.0.2.1,10.0.0.0/8', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a chain of proxies', '10.0.0.0/8', '10.0.0.1', '198.51.100.1, 10.0.0.3, 10.0.0.2', '198.51.100.1'],
  ['a chain of only proxies', '10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a spoofed hop before the real one', '10.0.0.1', '10.0.0.1', '198.51.100.66, 203.0.113.9', '203.0.113.9'],
  ['a spoofed proxy before the real one', '10.0.0.0/8', '10.0.0.1', '10.0.0.66, 203.0.113.9', '203.0.113.9'],
  ['a trusted proxy without the header', '10.0.0.1', '10.0.0.1', undefined, '10.0.0.1'],
  ['spaces and tabs', '10.0.0.1', '10.0.0.1', '\t198.51.100.66 ,\t203.0.113.9 ', '203.0.113.9'],

  // An invalid hop hides the client; the entries before it may be forged.
  ['an obfuscated hop', '10.0.0.1', '10.0.0.1', '198.51.100.66, unknown', '10.0.0.1'],
  ['a hop with a port', '10.0.0.1', '10.0.0.1', '198.51.100.66, 203.0.113.9:4711', '10.0.0.1'],
  ['a hop in brackets', '10.0.0.1', '10.0.0.1', '198.51.100.66, [2001:db8::9]', '10.0.0.1'],
  ['an empty hop', '10.0.0.1', '10.0.0.1', '198.51.100.66,', '10.0.0.1'],
  ['an invalid IPv4 address', '10.0.0.1', '10.0.0.1', '198.51.100.66, 256.0.0.1', '10.0.0.1'],
  ['a hexadecimal IPv4 address', '10.0.0.1', '10.0.0.1', '198.51.100.66, 0x7f.1', '10.0.0.1'],

  ['a trusted IPv6 address', '2001:db8::1', '2001:db8::1', '2001:db8::9', '2001:db8::9'],
  ['a trusted IPv6 address in its long form', '2001:db8::1', '2001:0db8:0:0:0:0:0:1', '2001:db8::9', '2001:db8::9'],
  ['a trusted IPv6 range', '2001:db8::/32', '2001:db8:1::1', '198.51.100.1', '198.51.100.1'],
  ['outside the trusted IPv6 range', '2001:db8::/32', '2001:db9::1', '198.51.100.1', '2001:db9::1'],
  ['an address with a zone', 'fe80::/10', 'fe80::1%eth0', '198.51.100.1', '198.51.100.1'],
  ['IPv4 on a dual-stack socket', '10.0.0.1', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['IPv4 on a dual-stack socket, in upper case', '10.0.0.0/8', '::FFFF:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['IPv4 on a dual-stack socket, in hexadecimal', '10.0.0.0/8', '::ffff:a00:1', '198.51.100.1', '198.51.100.1'],
  ['a trusted IPv4 address in IPv6 notation', '::ffff:10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['an untrusted peer on a dual-stack socket', '10.0.0.1', '::ffff:203.0.113.9', '198.51.100.1', '::ffff:203.0.113.9'],
])('%s', (_what, trustProxy, connected, forwarded, expected) => {
  expect(read(trustProxy, connected, forwarded)).toBe(expected)
})

test('no text that a client puts before its address changes the result', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (forged) => {
      expect(read('10.0.0.0/8', '10.0.0.1', `${forged}, 203.0.113.9`)).toBe('203.0.113.9')
    }),
  )
})

test('never throws, for any header and any trusted proxies', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
      fc.constantFrom(true, false, '10.0.0.0/8'),
      (header, trustProxy) => {
        expect(read(trustProxy, '10.0.0.1', header)).toBeTypeOf('string')
      },
    ),
  )
})
