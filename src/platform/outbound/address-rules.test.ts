import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from './address-rules.ts'
import { PRIVATE_ADDRESSES } from './testing/hostile-urls.ts'

test.each(PRIVATE_ADDRESSES)('%s is not public', (address) => {
  expect(isPublicAddress(address, [])).toBe(false)
})

test.each([
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
  ...['223.255.255.255', '8.8.8.8', '2000::', '2001:200::', '2001:db7:ffff::1', '2001:db9::', '2003::1'],
  ...['2606:4700::1111', '2a00:1450:4001::1', '3ffe:ffff::1', '3fff:1000::', '3fff:ffff:ffff::1'],
])('%s is public', (address) => {
  expect(isPublicAddress(address, [])).toBe(true)
})

test.each([
  '',
  'acme.com',
  '8.8.8',
  '8.8.8.8 ',
  '010.8.8.8',
  '8.8.8.8/32',
  '[2606:4700::1111]',
  '2606:4700::1111%eth0',
])('"%s" is not an address, so it is not public', (text) => {
  expect(isPublicAddress(text, [])).toBe(false)
})

test('no private IPv4 address is public, and no IPv4 address embedded in IPv6', () => {
  const byte = fc.nat(255)
  fc.assert(
    fc.property(fc.constantFrom('10', '127', '0', '192.168', '169.254', '255'), byte, byte, byte, (net, a, b, c) => {
      const address = [...net.split('.'), a, b, c].slice(0, 4).join('.')
      expect(isPublicAddress(address, [])).toBe(false)
    }),
  )
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::'), (address, prefix) => {
      expect(isPublicAddress(`${prefix}${address}`, [])).toBe(false)
    }),
  )
})

test("the machine's own addresses are not public, in any notation", () => {
  const own = ['8.8.4.4', '2606:4700:0:0::1111']
  for (const address of ['8.8.4.4', '2606:4700::1111', '2606:4700:0000::0:1111', '2606:4700::0.0.17.17']) {
    expect(isPublicAddress(address, own)).toBe(false)
  }
  expect(isPublicAddress('8.8.4.5', own)).toBe(true)
  expect(isPublicAddress('2606:4700::1112', own)).toBe(true)
})
