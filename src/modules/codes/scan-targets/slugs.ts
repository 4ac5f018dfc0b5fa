import { RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'
import { randomText } from '../../../platform/ids/index.ts'
import { SLUG_ALPHABET, SLUG_LENGTH } from './contract.ts'

export function newSlug(alphabet = SLUG_ALPHABET): string {
  for (;;) {
    const slug = randomText(alphabet, SLUG_LENGTH)
    if (!RESERVED_WORDS.has(slug)) return slug
  }
}
