import { plainLatin } from '../../../../platform/text/latin-letters.ts'

/** Latin letters without accents, kana, the common Chinese characters, Korean syllables. */
const PLAIN = /^(?:[a-z0-9]*|[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]*)$/

/** Whether there is nothing to fold, and each character is one unit of its string. */
export const isPlain = (text: string): boolean => PLAIN.test(text)

/**
 * The form in which words are compared: without case, accents, or the width of a letter. Only the accents of European
 * scripts go: what stands on a kana makes it another sound, and a Korean syllable is not taken apart.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isPlain(lower)) return lower
  const bare = lower
    .normalize('NFKD')
    // Up and down again, so that all forms of a letter meet: ß is ss.
    .toUpperCase()
    .toLowerCase()
    // Taken apart, some characters have signs and spaces in them, which a term must not have: ⑴ is (1).
    .replace(/[\u0300-\u036f]|[^\p{L}\p{N}\p{M}]/gu, '')
  return plainLatin(bare).replaceAll('ς', 'σ').normalize('NFC')
}
