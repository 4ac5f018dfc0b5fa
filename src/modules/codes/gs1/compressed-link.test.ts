import { expect, test } from 'vitest'
import { isCompressedLink } from './compressed-link.ts'

test.each([
  ['a shipment', 'AN2yxDhfaiaw'],
  ['a product', 'ARHKVAdpQg'],
  ['a product with a serial number', 'ARFKk4XB0CDKWcnpq'],
  ['a product with an expiry date and a lot', 'AQnYUc1gmiCNV4JG'],
])('recognises %s', (_what, segment) => {
  expect(isCompressedLink(segment)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['a word', 'account-settings'],
  ['a typing mistake', 'no-such-page'],
  ['a code with a letter too many', 'aB3dE5gHx'],
  ['a wrong check digit', 'ARHKVAdpgg'],
  ['a product that is cut off', 'ARHKVAdp'],
  ['other characters', 'ARHKVAdpQg=='],
  ['two segments', 'ARHKVAdpQg/x'],
  ['zeros', 'AAAAAAAAAAAA'],
  ['something long', 'AQnYUc1gmiCNV4JG'.repeat(100)],
])('does not take %s for a compressed link', (_what, segment) => {
  expect(isCompressedLink(segment)).toBe(false)
})
