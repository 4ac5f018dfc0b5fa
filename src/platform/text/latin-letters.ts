/** Letters that Unicode does not take apart into a plain one and its accent. */
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

/** In the letters from a to z, as far as it is written in Latin ones, in lower case and taken apart (NFKD). */
export const plainLatin = (text: string): string => text.replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? '')
