import { PRIMARY_KEYS } from './ai-table.ts'
import { endsWithCheckDigit } from './ai-values.ts'

const BASE64URL = /^[A-Za-z0-9_-]{10,200}$/
/** How many bits the digits of a key take in a compressed link, for keys that end with a check digit. */
const KEY_DIGITS = new Map([
  ['00', 18],
  ['01', 14],
  ['253', 13],
  ['255', 13],
  ['414', 13],
  ['8017', 18],
  ['8018', 18],
])

/**
 * Whether a path segment is a compressed GS1 Digital Link. We do not resolve those, and recognise them only to say so: such a
 * link is base64url of the digits of a key, four bits each, and of its value as a binary number. The check digit of the value
 * tells it from other words. A first byte with a letter encodes a frequent sequence of keys, which begins with a GTIN.
 */
export function isCompressedLink(segment: string): boolean {
  if (!BASE64URL.test(segment)) return false
  const bits = [...Buffer.from(segment, 'base64url')].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const hex = Array.from({ length: 4 }, (_, n) => Number.parseInt(bits.slice(4 * n, 4 * n + 4), 2).toString(16)).join(
    '',
  )
  const key = /^\d\d/.test(hex) ? PRIMARY_KEYS.find((each) => hex.startsWith(each)) : '01'
  const count = key === undefined ? undefined : KEY_DIGITS.get(key)
  if (key === undefined || count === undefined) return false
  const start = /^\d\d/.test(hex) ? 4 * key.length : 8
  const width = Math.ceil(count * Math.log2(10))
  if (bits.length < start + width) return false
  const value = BigInt(`0b${bits.slice(start, start + width)}`)
    .toString()
    .padStart(count, '0')
  return value.length === count && !/^0+$/.test(value) && endsWithCheckDigit(value)
}
