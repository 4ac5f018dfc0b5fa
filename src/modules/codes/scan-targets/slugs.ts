import { randomInt } from 'node:crypto'
import { SLUG_ALPHABET, SLUG_LENGTH } from './contract.ts'

export function newSlug(alphabet = SLUG_ALPHABET): string {
  let slug = ''
  while (slug.length < SLUG_LENGTH) slug += alphabet[randomInt(alphabet.length)]
  return slug
}
