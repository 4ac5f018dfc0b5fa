import { randomInt } from 'node:crypto'
import { SLUG_ALPHABET, SLUG_LENGTH } from './contract.ts'

export function newSlug(): string {
  let slug = ''
  while (slug.length < SLUG_LENGTH) slug += SLUG_ALPHABET[randomInt(SLUG_ALPHABET.length)]
  return slug
}
