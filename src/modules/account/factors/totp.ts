import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../../../platform/clock/index.ts'
import { randomBytes } from '../../../platform/ids/index.ts'

/** Time-based codes as in RFC 6238, with the settings that every authenticator app supports. */
const STEP_MS = 30 * SECOND_MS
const DIGITS = 6
const SEED_BYTES = 20
/** Accepts the code before and after the current one: clocks differ, and people need a moment to type. */
const STEPS_AROUND = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret, in base32 as apps expect it. */
export const newSeed = (): string => toBase32(randomBytes(SEED_BYTES))

/** The URI that a QR code shows to an authenticator app. */
export function seedUri(seed: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${seed}&issuer=${encodeURIComponent(issuer)}`
}

/** The time step whose code this is. Undefined if it is not the code of a step around now. */
export function findStep(seed: string, code: string, nowMs: number): number | undefined {
  const sent = Buffer.from(code)
  const current = Math.floor(nowMs / STEP_MS)
  for (let step = current - STEPS_AROUND; step <= current + STEPS_AROUND; step++) {
    const expected = Buffer.from(codeOfStep(seed, step))
    if (sent.length === expected.length && timingSafeEqual(sent, expected)) return step
  }
  return undefined
}

/** The code that an app shows at this time. */
export const codeAt = (seed: string, nowMs: number): string => codeOfStep(seed, Math.floor(nowMs / STEP_MS))

function codeOfStep(seed: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(seed)).update(counter).digest()
  const offset = (digest.at(-1) as number) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
