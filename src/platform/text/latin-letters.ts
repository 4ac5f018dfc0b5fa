/** Letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
}
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Replaces Latin letters with those from a to z. Expects lower-case text in NFKD. */
export const plainLatin = (text: string): string => text.replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? '')
