import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientAddressReader } from './client-address.ts'

const read = (trustProxy: boolean | string, remoteAddress: string | undefined, forwarded?: string) =>
  clientAddressReader(trustProxy)({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage)

/** trusted, who is connected, what the header says, who asks */
test.each<[string, boolean | string, string | undefined, string | undefined, string]>([
  ['no proxy, no header', false, '203.0.113.9', undefined, '203.0.113.9'],
  ['no proxy: the header is anybody’s invention', false, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['no proxy, IPv6', false, '2001:db8::9', '198.51.100.1', '2001:db8::9'],
  ['a socket that is gone', false, undefined, undefined, ''],
  ['a socket that is gone behind a proxy', '10.0.0.1', undefined, '198.51.100.1', ''],

  ['all are trusted, no header', true, '10.0.0.1', undefined, '10.0.0.1'],
  ['all are trusted', true, '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['all are trusted: the farthest', true, '10.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.2', '198.51.100.1'],
  ['all are trusted, IPv6', true, '::1', '2001:db8::1', '2001:db8::1'],
  ['all are trusted, an empty header', true, '10.0.0.1', '', '10.0.0.1'],
  ['all are trusted, nothing but commas', true, '10.0.0.1', ' , ,, ', '10.0.0.1'],
  ['all are trusted, the farthest hides', true, '10.0.0.1', 'unknown, 203.0.113.9', '203.0.113.9'],

  ['a trusted address', '10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['somebody else claims to be a proxy', '10.0.0.1', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a trusted range', '10.0.0.0/8', '10.9.8.7', '198.51.100.1', '198.51.100.1'],
  ['beside the range', '10.0.0.0/9', '10.200.0.1', '198.51.100.1', '10.200.0.1'],
  ['one of a list', '192.0.2.1, 10.0.0.0/8', '192.0.2.1', '198.51.100.1', '198.51.100.1'],
  ['a list without spaces', '192.0.2.1,10.0.0.0/8', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a chain of proxies', '10.0.0.0/8', '10.0.0.1', '198.51.100.1, 10.0.0.3, 10.0.0.2', '198.51.100.1'],
  ['nobody but proxies', '10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a spoofed hop before the real one', '10.0.0.1', '10.0.0.1', '198.51.100.66, 203.0.113.9', '203.0.113.9'],
  ['a spoofed proxy before the real one', '10.0.0.0/8', '10.0.0.1', '10.0.0.66, 203.0.113.9', '203.0.113.9'],
  ['a proxy that names nobody', '10.0.0.1', '10.0.0.1', undefined, '10.0.0.1'],
  ['spaces and tabs', '10.0.0.1', '10.0.0.1', '\t198.51.100.66 ,\t203.0.113.9 ', '203.0.113.9'],

  // What a proxy wrote that is no address hides who asked; what stands before it is anybody's invention.
  ['a hop that hides', '10.0.0.1', '10.0.0.1', '198.51.100.66, unknown', '10.0.0.1'],
  ['a hop with a port', '10.0.0.1', '10.0.0.1', '198.51.100.66, 203.0.113.9:4711', '10.0.0.1'],
  ['a hop in brackets', '10.0.0.1', '10.0.0.1', '198.51.100.66, [2001:db8::9]', '10.0.0.1'],
  ['an empty hop', '10.0.0.1', '10.0.0.1', '198.51.100.66,', '10.0.0.1'],
  ['a number that is no address', '10.0.0.1', '10.0.0.1', '198.51.100.66, 256.0.0.1', '10.0.0.1'],
  ['an address of another notation', '10.0.0.1', '10.0.0.1', '198.51.100.66, 0x7f.1', '10.0.0.1'],

  ['a trusted IPv6 address', '2001:db8::1', '2001:db8::1', '2001:db8::9', '2001:db8::9'],
  ['the same, written at length', '2001:db8::1', '2001:0db8:0:0:0:0:0:1', '2001:db8::9', '2001:db8::9'],
  ['a trusted IPv6 range', '2001:db8::/32', '2001:db8:1::1', '198.51.100.1', '198.51.100.1'],
  ['beside the IPv6 range', '2001:db8::/32', '2001:db9::1', '198.51.100.1', '2001:db9::1'],
  ['an address with a zone', 'fe80::/10', 'fe80::1%eth0', '198.51.100.1', '198.51.100.1'],
  ['IPv4 on a socket for both', '10.0.0.1', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['IPv4 on a socket for both, in capitals', '10.0.0.0/8', '::FFFF:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['the same in hexadecimal', '10.0.0.0/8', '::ffff:a00:1', '198.51.100.1', '198.51.100.1'],
  ['IPv4 trusted in the other notation', '::ffff:10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['somebody else on a socket for both', '10.0.0.1', '::ffff:203.0.113.9', '198.51.100.1', '::ffff:203.0.113.9'],
])('%s', (_what, trustProxy, connected, forwarded, expected) => {
  expect(read(trustProxy, connected, forwarded)).toBe(expected)
})

test('whatever somebody writes in front, behind a trusted proxy it is they who asked', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (invention) => {
      expect(read('10.0.0.0/8', '10.0.0.1', `${invention}, 203.0.113.9`)).toBe('203.0.113.9')
    }),
  )
})

test('no header makes it throw, whoever is trusted', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
      fc.constantFrom(true, false, '10.0.0.0/8'),
      (text, whom) => {
        expect(read(whom, '10.0.0.1', text)).toBeTypeOf('string')
      },
    ),
  )
})
