import { expect, test } from 'vitest'
import { chooseEncoding } from './encoding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0,gzip;q=0.000', 'identity'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br ; q=0.8 , gzip;q=0.8', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['identity', 'identity'],
  ['identity;q=1, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0', 'identity'],
  ['deflate, compress', 'identity'],
  ['gzip;q=2', 'identity'],
  ['gzip;q=abc, br;q=', 'identity'],
  [',,, gzip', 'gzip'],
  [`${'x,'.repeat(30)}gzip`, 'identity'],
])('Accept-Encoding %j gets %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding)
  // And again, after another header.
  chooseEncoding('other')
  expect(chooseEncoding(header)).toBe(encoding)
})
