import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../../platform/ids/index.ts'

export const KEY_PREFIX = 'wm_live_'
const RANDOM_LENGTH = 34
const CHECKSUM_LENGTH = 6
const KEY = /^wm_live_[0-9A-Za-z]{40}$/

const checksum = (random: string): string => toBase62(crc32(random), CHECKSUM_LENGTH)

/** `wm_live_` and 40 characters; the last 6 are a checksum of the others. */
export function newToken(): string {
  const random = randomBase62(RANDOM_LENGTH)
  return `${KEY_PREFIX}${random}${checksum(random)}`
}

/** Detects a typo, or a false positive of a secret scanner, without a lookup. */
export function isWellFormedToken(token: string): boolean {
  if (!KEY.test(token)) return false
  const random = token.slice(KEY_PREFIX.length, -CHECKSUM_LENGTH)
  return token.endsWith(checksum(random))
}
