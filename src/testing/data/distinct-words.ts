const LETTERS = 'bcdfghjklmnpqrstvwxyz'

/** Returns a text of about this length in which every word is another one. `seed` makes it differ from other texts. */
export function distinctWords(length: number, seed = 0): string {
  const words: string[] = []
  let left = length
  for (let n = seed * 1_000_000; left > 9; n++) {
    let word = ''
    // The multiplication spreads neighbours over the alphabet, as in a text of random words.
    for (let rest = (n * 48_271) % 1_801_088_541; word.length < 8; rest = Math.floor(rest / 21))
      word += LETTERS[rest % 21]
    words.push(word)
    left -= word.length + 1
  }
  return words.join(' ')
}
