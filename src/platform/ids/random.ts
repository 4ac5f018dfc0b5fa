import { randomFillSync } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 in a byte. Using larger bytes would make the first characters more likely. */
const FAIR_BYTES = 248

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

/** Unguessable letters and digits. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = pool[reserve(1)] ?? 0
    if (byte < FAIR_BYTES) text += BASE62[byte % 62]
  }
  return text
}

/** Writes a number in base62, padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return text
}
