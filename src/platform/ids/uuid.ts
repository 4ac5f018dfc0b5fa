import { randomHex } from './random.ts'

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** The form that the service itself writes, and that nearly all clients send back. */
export const LOWER_CASE_UUID = new RegExp(UUID_PATTERN.source)

const VARIANTS = ['8', '9', 'a', 'b']
const TIME_MAX_MS = 2 ** 48 - 1
const SEQUENCE_MAX = 0xfff

let lastMs = 0
let sequence = 0

/**
 * Returns a version 7 UUID. The twelve bits after the time count up within a millisecond, because lists break ties by
 * id: of two ids that one process creates, the later one must sort later.
 */
export function newId(): string {
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    sequence = Number.parseInt(randomHex(1), 16)
  } else {
    sequence++
    if (sequence > SEQUENCE_MAX) {
      lastMs++
      sequence = 0
    }
  }
  return assemble(lastMs, sequence.toString(16).padStart(3, '0'), randomHex(8))
}

/** Returns a version 7 UUID of this moment. Ids of the same millisecond are in no particular order. */
export function newIdAt(ms: number): string {
  const random = randomHex(10)
  return assemble(ms, random.slice(0, 3), random.slice(4))
}

/** A lower bound: ids of this moment and later sort after it, ids of earlier moments before it. */
export const firstIdAt = (ms: number): string =>
  `${timePart(Math.min(Math.max(ms, 0), TIME_MAX_MS))}-0000-0000-000000000000`

function assemble(ms: number, afterVersion: string, random: string): string {
  const variant = VARIANTS[Number.parseInt(random[0] as string, 16) & 3]
  return `${timePart(ms)}-7${afterVersion}-${variant}${random.slice(1, 4)}-${random.slice(4, 16)}`
}

function timePart(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}
