import { randomInt } from 'node:crypto'

/** Without those that look alike in print: 0 and O, 1 and l and I. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 8

export const SLUG_PATTERN = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

export function newSlug(): string {
  let slug = ''
  while (slug.length < LENGTH) slug += ALPHABET[randomInt(ALPHABET.length)]
  return slug
}
