import { randomFillSync } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Random bytes are drawn in bulk: every request needs some, and a call per request is several times slower. */
const pool = Buffer.alloc(4096)
let offset = pool.length

function reserve(bytes: number): number {
  if (offset + bytes > pool.length) {
    randomFillSync(pool)
    offset = 0
  }
  const start = offset
  offset += bytes
  return start
}

/** Unguessable hexadecimal digits, two per byte. */
export function randomHex(bytes: number): string {
  const start = reserve(bytes)
  return pool.toString('hex', start, start + bytes)
}

/** Unguessable bytes. Never the same ones twice. */
export function randomBytes(bytes: number): Buffer {
  const start = reserve(bytes)
  return Buffer.from(pool.subarray(start, start + bytes))
}

/** Unguessable letters and digits. */
export const randomBase62 = (length: number): string => randomText(BASE62, length)

/** Unguessable characters of the alphabet. */
export function randomText(alphabet: string, length: number): string {
  // The largest multiple in a byte. Using larger bytes would make the first characters more likely.
  const fairBytes = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = pool[reserve(1)] ?? 0
    if (byte < fairBytes) text += alphabet[byte % alphabet.length]
  }
  return text
}

/** Writes a number in base62, padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return text
}
