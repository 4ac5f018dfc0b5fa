import { expect, test } from 'vitest'
import { readByteSize, writeByteSize } from './byte-size.ts'

test.each([
  ['1', 1],
  ['1000000', 1_000_000],
  ['4KiB', 4096],
  ['500MiB', 524_288_000],
  ['5GiB', 5_368_709_120],
  ['2TiB', 2_199_023_255_552],
])('%s is %d bytes, and is written the same way', (text, bytes) => {
  expect(readByteSize(text)).toBe(bytes)
  expect(writeByteSize(bytes)).toBe(text)
})

test.each(['', '0', '-1', '1.5GiB', '5GB', '5gib', '5 GiB', 'GiB', '1e9', '9999999TiB'])('%j is malformed', (text) => {
  expect(readByteSize(text)).toBeUndefined()
})
