import { plainLatin } from '../../../../platform/text/latin-letters.ts'

/** Latin letters without accents, kana, the common Chinese characters, Korean syllables. */
const PLAIN = /^(?:[a-z0-9]*|[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]*)$/

/** Whether `fold` would change nothing and each character is one UTF-16 unit. */
export const isPlain = (text: string): boolean => PLAIN.test(text)

/**
 * Returns the form in which words are compared: without case, accents and letter width. Removes only accents of
 * European scripts: a mark on a kana makes it another sound, and Korean syllables are not decomposed.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isPlain(lower)) return lower
  const bare = lower
    .normalize('NFKD')
    // Going to upper case and back makes all forms of a letter equal: ß becomes ss.
    .toUpperCase()
    .toLowerCase()
    // Some characters decompose into punctuation or spaces, which a term must not contain: ⑴ becomes (1).
    .replace(/[\u0300-\u036f]|[^\p{L}\p{N}\p{M}]/gu, '')
  return plainLatin(bare).replaceAll('ς', 'σ').normalize('NFC')
}
