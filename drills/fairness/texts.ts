const TEXT_BYTES = 500 * 1000
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Half a megabyte that takes long to render: every few characters are markup. */
export const denseMarkdown = (): string => '**a** `b` [c](https://acme.com/d) *e*\n'.repeat(TEXT_BYTES / 38)

/** Half a megabyte of random words, nearly all of them different. */
export function randomWords(): string {
  const words: string[] = []
  for (let bytes = 0; bytes < TEXT_BYTES; ) {
    const length = 4 + Math.floor(Math.random() * 6)
    let word = ''
    for (let n = 0; n < length; n++) word += LETTERS[Math.floor(Math.random() * LETTERS.length)]
    words.push(word)
    bytes += length + 1
  }
  return words.join(' ')
}
