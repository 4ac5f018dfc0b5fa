import { newId } from '../../src/platform/ids/index.ts'
import type { SearchableArticle } from '../../src/testing/data/published-articles.ts'

const VOCABULARY = 20_000
const CHARACTERS = 2000
const FIRST_CHARACTER = 0x4e00
const ENDINGS = [...Array(40).fill(''), 's', 's', 'ing', 'ed']
/** The languages of every 100 texts. */
const LANGUAGES = [...Array(60).fill('en'), ...Array(20).fill('de'), ...Array(10).fill('fr'), ...Array(10).fill('ja')]

/** A word that appears in `COMMON_SHARE` of the articles of every language, and in some titles. */
export const COMMON_WORD = 'acme'
const COMMON_SHARE = 0.6
const COMMON_TITLE_SHARE = 0.02

/** Generates articles with a word distribution like that of a natural language. Every run generates the same texts. */
export class SearchCorpus {
  readonly bases: readonly string[]
  readonly #random = randomNumbers(7)
  readonly #words = inventWords()
  readonly #pickWord = zipf(VOCABULARY)
  readonly #pickCharacter = zipf(CHARACTERS)

  constructor(bases: readonly string[]) {
    this.bases = bases
  }

  next(): SearchableArticle {
    const language = LANGUAGES[Math.floor(this.#random() * LANGUAGES.length)] as string
    const words = this.#text(language, 150 + Math.floor(this.#random() * 150))
    if (this.#random() < COMMON_SHARE) words[Math.floor(this.#random() * words.length)] = COMMON_WORD
    const title = this.#text(language, 5)
    if (words.includes(COMMON_WORD) && this.#random() < COMMON_TITLE_SHARE) title[0] = COMMON_WORD
    const base = this.bases[Math.floor(this.#random() ** 2 * this.bases.length)] as string
    return {
      id: newId(),
      knowledge_base_id: base,
      visibility: this.#random() < 0.8 ? 'public' : 'internal',
      texts: [{ language, title: title.join(' '), plain: words.join(' ') }],
    }
  }

  /** Returns a word of about this frequency rank (within 10 %). */
  word(rank: number): string {
    return this.#words[Math.floor(rank * (0.9 + 0.2 * this.#random()))] as string
  }

  characters(count: number): string {
    return Array.from({ length: count }, () => this.#character()).join('')
  }

  pick(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #text(language: string, length: number): string[] {
    return Array.from({ length }, () => {
      if (language === 'ja' && this.#random() < 0.9) return this.characters(2 + this.pick(6))
      const word = this.#words[this.#pickWord(this.#random())] as string
      return word + (ENDINGS[this.pick(ENDINGS.length)] as string)
    })
  }

  #character(): string {
    return String.fromCharCode(FIRST_CHARACTER + this.#pickCharacter(this.#random()))
  }
}

/** Mulberry32: a seeded generator, so that runs are repeatable. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Frequent words are shorter on average, as in a natural language. */
function inventWords(): string[] {
  const random = randomNumbers(1)
  const letter = (of: string) => of[Math.floor(random() * of.length)] as string
  const words = new Set<string>()
  while (words.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * Math.min(4, 2 + words.size / 500))
    let word = ''
    for (let n = 0; n < syllables; n++) word += letter('bcdfghklmnprstvw') + letter('aeiou')
    words.add(word + (random() < 0.5 ? letter('lmnrst') : ''))
  }
  return [...words]
}

/** Draws indexes with a Zipf-like distribution: low indexes are far more frequent than high ones. */
function zipf(count: number): (random: number) => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) sums[rank] = sum += 1 / (rank + 3) ** 1.1
  return (random) => {
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < random * sum) low = middle + 1
      else high = middle
    }
    return low
  }
}
