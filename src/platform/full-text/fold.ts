import { plainLatin } from '../latin-letters.ts'

const PLAIN = /^[a-z0-9]*$/

/**
 * The form in which words are compared: without case, accents, or the width of a letter. Only the accents of European
 * scripts go: what stands on a kana makes it another sound, and a Korean syllable is not taken apart.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  const bare = lower
    .normalize('NFKD')
    // Up and down again, so that all forms of a letter meet: ß is ss.
    .toUpperCase()
    .toLowerCase()
    // Taken apart, some characters have signs and spaces in them, which a term must not have: ⑴ is (1).
    .replace(/[\u0300-\u036f]|[^\p{L}\p{N}\p{M}]/gu, '')
  return plainLatin(bare).replaceAll('ς', 'σ').normalize('NFC')
}
