import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from './random.ts'

const RANDOM_LENGTH = 34
const CHECKSUM_LENGTH = 6

const checksum = (random: string): string => toBase62(crc32(random), CHECKSUM_LENGTH)

/** Tokens of a prefix and 40 characters, of which the last 6 are a checksum of the others. */
export class CheckedTokens {
  readonly prefix: string
  readonly #pattern: RegExp

  constructor(prefix: string) {
    this.prefix = prefix
    this.#pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)
  }

  create(): string {
    const random = randomBase62(RANDOM_LENGTH)
    return `${this.prefix}${random}${checksum(random)}`
  }

  /** Detects a typo, or a false positive of a secret scanner, without a lookup. */
  isWellFormed(token: string): boolean {
    if (!this.#pattern.test(token)) return false
    return token.endsWith(checksum(token.slice(this.prefix.length, -CHECKSUM_LENGTH)))
  }
}
