import { randomBytes, randomFillSync } from 'node:crypto'

declare const organisation: unique symbol

/** The tenant. The second parameter of every query, so that leaving it out is a type error. */
export type OrgId = string & { readonly [organisation]: true }

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** As the service itself writes them, and nearly everybody sends them back. */
export const LOWER_CASE_UUID = new RegExp(UUID_PATTERN.source)

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 in a byte: what lies above would make the first letters likelier. */
const FAIR_BYTES = 248

let lastMs = 0
let sequence = 0

/**
 * A version 7 UUID. The twelve bits after the time count up within a millisecond, because lists break ties
 * by id: what one process made later in the same millisecond must also sort later.
 */
export function newId(): string {
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    sequence = randomBytes(1)[0] ?? 0
  } else {
    sequence++
    if (sequence > 0xfff) {
      lastMs++
      sequence = 0
    }
  }
  const random = randomBytes(8)
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const tail = random.toString('hex')
  return `${timeOf(lastMs)}-7${sequence.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** A version 7 UUID of exactly this moment. What is made in the same millisecond has no order of its own. */
export function newIdAt(ms: number): string {
  if (poolOffset + 10 > pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  const random = pool.toString('hex', poolOffset, poolOffset + 10)
  poolOffset += 10
  const variant = VARIANTS[Number.parseInt(random[3] as string, 16) & 3]
  return `${timeOf(ms)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

/** No id of this moment or later sorts before it, and none of an earlier moment after it. */
export const firstIdAt = (ms: number): string =>
  `${timeOf(Math.min(Math.max(ms, 0), TIME_MAX_MS))}-0000-0000-000000000000`

const VARIANTS = ['8', '9', 'a', 'b']
const TIME_MAX_MS = 2 ** 48 - 1

function timeOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

const pool = Buffer.alloc(4096)
let poolOffset = pool.length

/** Unguessable letters and digits; drawn from a pool, because every request asks for sixteen. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    if (poolOffset === pool.length) {
      randomFillSync(pool)
      poolOffset = 0
    }
    const byte = pool[poolOffset++] ?? 0
    if (byte < FAIR_BYTES) text += BASE62[byte % 62]
  }
  return text
}

/** A number as base62, filled up with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return text
}

export const newRequestId = (): string => `req_${randomBase62(16)}`
