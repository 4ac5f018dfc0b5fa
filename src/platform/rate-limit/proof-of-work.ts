import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { MINUTE_MS, SECOND_MS } from '../clock/index.ts'
import { randomBase62 } from '../ids/index.ts'
import type { Keyring } from '../keyring/index.ts'
import type { RateLimiter } from './index.ts'

/** 2^17 hashes on average. A phone of today computes that many in about a second. */
const BITS = 17
/** Long enough to fill in a form. The limiter remembers for longer which ones were used. */
const LIFETIME_MS = 30 * MINUTE_MS
const ONCE = { perMinute: 1, perHour: 1 }

/** For scripts of pages: `prove(challenge)` resolves to what they must send. */
export const PROOF_SCRIPT = readFileSync(new URL('./browser/prove.js', import.meta.url), 'utf8')

/** The field of a form that has the proof. */
export const PROOF_FIELD = '_wm_proof'

const CHALLENGE = /^(\d{1,12})\.[0-9A-Za-z]{8}\.(\d{1,9})\.([\w-]{22})$/
const NONCE = /^\d{1,12}$/

/**
 * Lets a visitor's browser prove that it has done some work, so that sending very much costs a lot. We store nothing
 * for a challenge. Whether a proof is right takes two hashes to find out.
 */
export class ProofOfWork {
  readonly #keyring: Keyring
  readonly #limiter: RateLimiter

  constructor(keyring: Keyring, limiter: RateLimiter) {
    this.#keyring = keyring
    this.#limiter = limiter
  }

  /**
   * `place` is the page that asks: a proof for another one is worth nothing. Returns a text to which a browser must add a number, so that the hash of both begins with this many zero bits. Both together
   * are one block of the hash, for which 55 characters are enough.
   */
  challenge(place: string, nowMs: number): { challenge: string; bits: number } {
    const text = `${Math.floor((nowMs + LIFETIME_MS) / SECOND_MS)}.${randomBase62(8)}`
    const { generation, signature } = this.#keyring.sign('proof', `${place} ${text}`)
    return { challenge: `${text}.${generation}.${signature.toString('base64url')}`, bits: BITS }
  }

  /** Whether this is a proof for the place that was not used before. It is used now. */
  async accept(place: string, proof: string | undefined, nowMs: number): Promise<boolean> {
    const challenge = this.#check(place, proof ?? '', nowMs)
    if (challenge === undefined) return false
    return (await this.#limiter.take(`proof ${challenge}`, ONCE, nowMs)).admitted
  }

  #check(place: string, proof: string, nowMs: number): string | undefined {
    const [challenge = '', nonce = ''] = proof.split(':')
    const [, expiresAtSeconds, generation, signature = ''] = CHALLENGE.exec(challenge) ?? []
    if (expiresAtSeconds === undefined || !NONCE.test(nonce)) return undefined
    if (Number(expiresAtSeconds) * SECOND_MS <= nowMs) return undefined
    const text = challenge.split('.', 2).join('.')
    const bytes = Buffer.from(signature, 'base64url')
    if (!this.#keyring.verify('proof', Number(generation), `${place} ${text}`, bytes)) return undefined
    const digest = hash('sha256', `${challenge}:${nonce}`, 'buffer')
    return digest.readUInt32BE() >>> (32 - BITS) === 0 ? challenge : undefined
  }
}
