/** Latin letters that Unicode does not take apart into a plain one and its accent. */
const LETTERS: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
}
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

const PLAIN = /^[a-z0-9]*$/

/**
 * The form in which words are compared: without case, accents, or the width of a letter. Only the accents of European
 * scripts go: what stands on a kana makes it another sound, and a Korean syllable is not taken apart.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  return (
    lower
      .normalize('NFKD')
      // Up and down again, so that all forms of a letter meet: ß is ss.
      .toUpperCase()
      .toLowerCase()
      // Taken apart, some characters have signs and spaces in them, which a term must not have: ⑴ is (1).
      .replace(/[\u0300-\u036f]|[^\p{L}\p{N}\p{M}]/gu, '')
      .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? '')
      .normalize('NFC')
  )
}
