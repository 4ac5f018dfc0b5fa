const PAD = 129
const DIGIT_PAIRS = 130

/**
 * ASCII encodation: two digits share a codeword, every other character has its own. The other encodations of the standard
 * would save few codewords on a link, which mixes digits, lower case and punctuation.
 */
export function toCodewords(text: string): number[] {
  if (!/^[ -~]*$/.test(text)) throw new RangeError('Only printable ASCII characters can be encoded.')
  return Array.from(text.matchAll(/\d\d|./g), ([part]) =>
    part.length === 2 ? DIGIT_PAIRS + Number(part) : part.charCodeAt(0) + 1,
  )
}

/** Fills the symbol up. All but the first codeword of the padding vary by position, so that no pattern emerges. */
export function pad(words: readonly number[], count: number): number[] {
  const padded = [...words]
  if (padded.length < count) padded.push(PAD)
  while (padded.length < count) {
    const word = PAD + ((149 * (padded.length + 1)) % 253) + 1
    padded.push(word > 254 ? word - 254 : word)
  }
  return padded
}
