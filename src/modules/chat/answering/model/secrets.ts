/** What the organisation quotes is meant to be said: 'Always end with "Thank you for choosing Acme"'. */
const QUOTED = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」/gu

export const quotedIn = (prompt: string): string[] => prompt.match(QUOTED) ?? []

/**
 * Recognises texts that must not get out: the system prompt, the rules for the model and the word that marks data. It knows
 * them as they are, backwards, in ROT13, in hexadecimal digits and in Base64. What the visitor may see anyway is no secret,
 * nor is what the prompt quotes.
 */
export class Secrets {
  readonly #sentences = new Runs(lettersOf)
  readonly #codes = new Runs(lettersAndDigitsOf)

  constructor(secrets: readonly string[], visible: readonly string[]) {
    for (const secret of secrets) {
      const letters = lettersOf(secret)
      for (const form of [letters, backwards(letters), rot13(letters)]) this.#sentences.add(form)
      for (const code of secret.split(/\s+/).filter(isCode)) this.#codes.add(lettersAndDigitsOf(code))
      for (const form of encodingsOf(secret)) this.#codes.add(form)
    }
    for (const text of [...visible, ...secrets.flatMap(quotedIn)]) {
      this.#sentences.remove(text)
      this.#codes.remove(text)
    }
  }

  /** Reads the next piece of a text. Returns true if the text has a secret now. */
  isIn(piece: string): boolean {
    const isSentence = this.#sentences.isIn(piece)
    return this.#codes.isIn(piece) || isSentence
  }
}

/** How many characters are compared at once, and the distance of the places where a run begins. */
interface RunSize {
  length: number
  step: number
}

/** Any 23 letters in a row are found: four or five words. */
const SPACED: RunSize = { length: 18, step: 6 }
/** A character of Chinese or Japanese says as much as half a word. */
const UNSPACED: RunSize = { length: 7, step: 2 }
const UNSPACED_TEXT = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u
/** Shorter texts say nothing: "Be kind". */
const LENGTH_MIN = 8

/** Finds parts of known texts in a text that arrives in pieces. */
class Runs {
  readonly #normalise: (text: string) => string
  readonly #byLength = new Map<number, Set<string>>()
  #lengthMax = 0
  /** The end of what was read: a run may begin there. */
  #tail = ''

  constructor(normalise: (text: string) => string) {
    this.#normalise = normalise
  }

  /** Adds a text that is normalised. */
  add(text: string): void {
    if (text.length < LENGTH_MIN) return
    const { length: longest, step } = UNSPACED_TEXT.test(text) ? UNSPACED : SPACED
    const length = Math.min(longest, text.length)
    const runs = this.#byLength.get(length) ?? new Set()
    this.#byLength.set(length, runs)
    this.#lengthMax = Math.max(this.#lengthMax, length)
    for (let at = 0; at + length <= text.length; at += step) runs.add(text.slice(at, at + length))
    runs.add(text.slice(-length))
  }

  remove(text: string): void {
    const normalised = this.#normalise(text)
    for (const [length, runs] of this.#byLength) {
      for (let at = 0; at + length <= normalised.length; at++) runs.delete(normalised.slice(at, at + length))
    }
  }

  isIn(piece: string): boolean {
    const from = this.#tail.length
    const text = this.#tail + this.#normalise(piece)
    this.#tail = text.slice(Math.max(0, text.length - this.#lengthMax))
    for (const [length, runs] of this.#byLength) {
      for (let end = Math.max(from + 1, length); end <= text.length; end++) {
        if (runs.has(text.slice(end - length, end))) return true
      }
    }
    return false
  }
}

/** Removes all that could hide a sentence: case, accents, spaces, punctuation, numbers between the words. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')

const lettersAndDigitsOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A key, a password or a code has letters and digits. */
const isCode = (word: string): boolean => /\p{L}/u.test(word) && /\d.*\d/.test(word)

const backwards = (text: string): string => [...text].reverse().join('')

const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97))

/** Base64 depends on where within three bytes a text begins. */
function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  return [
    bytes.toString('hex'),
    ...[0, 1, 2].map((offset) => lettersAndDigitsOf(bytes.subarray(offset).toString('base64'))),
  ]
}
