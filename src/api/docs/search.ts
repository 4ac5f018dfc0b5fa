import { editsBetween, isFunctionWord, stem, tokenize } from '../../modules/knowledge/article-search/index.ts'
import type { DocsEntry, DocsIndex } from './search-index.ts'
import { SYNONYMS } from './synonyms.ts'

export interface FoundEntry extends DocsEntry {
  /** The part of the text that fits best, in pieces; every second one was searched for. */
  excerpt: string[]
}

/** Longer queries are cut, so that a search has a limited cost. */
export const QUERY_LENGTH_MAX = 200
const WORDS_MAX = 12
const RESULTS_MAX = 20
const PREFIX_LENGTH_MIN = 3
const PREFIXES_MAX = 30
const MISSPELT_MAX = 4
const LENGTHS_APART_MAX = 2
/** The words of longer texts are not searched for an excerpt. */
const EXCERPT_FROM_MAX = 3000

const FACTORS = { exact: 1, synonym: 0.7, prefix: 0.6, misspelt: 0.5 }
const EXACT_NAME = 8
const EXCERPT_LENGTH = 220

/** Words that must all be in an entry, and how well they fit what was searched for. */
interface Alternative {
  terms: readonly string[]
  factor: number
}

/** One thing that the reader named, and everything that may mean it. */
type Concept = readonly Alternative[]

/** Searches the guides and the reference in memory: they never change while the service runs. */
export class DocsSearch {
  readonly #entries: readonly DocsEntry[]
  readonly #index: DocsIndex['strengths']
  /** All words with their terms, sorted. */
  readonly #words: readonly (readonly [word: string, term: string])[]
  readonly #terms: DocsIndex['words']
  /** The terms of the titles. */
  readonly #titles = new Map<DocsEntry, readonly string[]>()

  constructor({ entries, strengths, words }: DocsIndex) {
    this.#entries = entries
    this.#index = strengths
    this.#words = [...words].sort(([one], [other]) => (one < other ? -1 : 1))
    this.#terms = words
  }

  /** Returns the best entries. An entry that has only some of the words comes after those that have more. */
  find(query: string): FoundEntry[] {
    const concepts = this.#conceptsOf(query.slice(0, QUERY_LENGTH_MAX))
    const scores = new Map<number, { sum: number; matched: number }>()
    for (const concept of concepts) {
      for (const [number, score] of this.#scoresOf(concept)) {
        const { sum, matched } = scores.get(number) ?? { sum: 0, matched: 0 }
        scores.set(number, { sum: sum + score, matched: matched + 1 })
      }
    }
    const name = query.trim().toLowerCase()
    const terms = new Set(concepts.flatMap((concept) => concept.flatMap((alternative) => alternative.terms)))
    return [...scores]
      .map(([number, { sum, matched }]) => {
        const entry = this.#entries[number] as DocsEntry
        const coverage = (matched / concepts.length) ** 2
        const fit = isCalled(entry, name) ? EXACT_NAME : 1 + this.#shareOf(entry, terms)
        return { entry, score: sum * coverage * entry.boost * fit }
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, RESULTS_MAX)
      .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, (word) => terms.has(this.#termOf(word))) }))
  }

  /** To look it up takes less than to find it out. */
  #termOf(word: string): string {
    return this.#terms.get(word) ?? stem(word, 'en')
  }

  /** Which part of the title was searched for: "Delete an article" fits better than "Delete an article category". */
  #shareOf(entry: DocsEntry, terms: ReadonlySet<string>): number {
    const ofTitle = this.#titles.get(entry) ?? this.#termsOf(entry.title)
    this.#titles.set(entry, ofTitle)
    return ofTitle.length === 0 ? 0 : ofTitle.filter((term) => terms.has(term)).length / ofTitle.length
  }

  #termsOf(text: string): string[] {
    const words = [...tokenize(text, false)].filter((token) => !isFunctionWord(token.text, 'en'))
    return words.map((token) => this.#termOf(token.text))
  }

  #scoresOf(concept: Concept): Map<number, number> {
    const best = new Map<number, number>()
    for (const { terms, factor } of concept) {
      const [first = new Map<number, number>(), ...others] = terms.map((term) => this.#index.get(term))
      for (const number of first.keys()) {
        if (!others.every((entries) => entries?.has(number))) continue
        const strengths = terms.map((term) => (this.#index.get(term)?.get(number) ?? 0) * this.#rarity(term))
        const score = (factor * strengths.reduce((sum, strength) => sum + strength)) / terms.length
        best.set(number, Math.max(best.get(number) ?? 0, score))
      }
    }
    return best
  }

  /** Returns 0 for a term of every entry, and more for a rarer one. */
  #rarity(term: string): number {
    return Math.log((this.#entries.length + 1) / ((this.#index.get(term)?.size ?? 0) + 0.5))
  }

  #conceptsOf(query: string): Concept[] {
    const words = [...tokenize(query, false)].slice(0, WORDS_MAX).map(({ text }) => text)
    const isEmpty = words.every((word) => isFunctionWord(word, 'en'))
    const concepts: Concept[] = []
    let misspelt = 0
    for (let at = 0; at < words.length; ) {
      const phrase = phraseAt(words, at)
      const word = words[at] as string
      if (phrase !== undefined) concepts.push(withSynonyms(phrase))
      else if (isEmpty || !isFunctionWord(word, 'en')) {
        const known = this.#alternativesOf(word)
        concepts.push(known.length > 0 || misspelt++ >= MISSPELT_MAX ? known : this.#correctionsOf(word))
      }
      at += phrase?.length ?? 1
    }
    return concepts
  }

  /** Returns nothing if no entry has the word or what may be meant by it. */
  #alternativesOf(word: string): Concept {
    const term = stem(word, 'en')
    const concept = [...withSynonyms([term])]
    if (word.length >= PREFIX_LENGTH_MIN) {
      for (const [, other] of this.#beginningWith(word))
        if (other !== term) concept.push({ terms: [other], factor: FACTORS.prefix })
    }
    return concept.filter(({ terms }) => terms.every((one) => this.#index.has(one)))
  }

  #beginningWith(prefix: string): readonly (readonly [word: string, term: string])[] {
    let [from, to] = [0, this.#words.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#words[middle]?.[0] ?? '') < prefix) from = middle + 1
      else to = middle
    }
    return this.#words.slice(from, from + PREFIXES_MAX).filter(([word]) => word.startsWith(prefix))
  }

  /** Includes words that only synonyms have, because readers misspell those, too. */
  #correctionsOf(word: string): Concept {
    // Comparing takes long. Hardly anybody gets both of the first letters wrong, or more than a few letters too many.
    const isNear = (known: string) =>
      (known[0] === word[0] || known[1] === word[1]) && Math.abs(known.length - word.length) <= LENGTHS_APART_MAX
    const meant = [...this.#words, ...SYNONYM_WORDS].flatMap(([known, term]) =>
      isNear(known) && editsBetween(word, known) !== undefined ? [term] : [],
    )
    return [...new Set(meant)].flatMap((term) =>
      withSynonyms([term]).map(({ terms, factor }) => ({ terms, factor: factor * FACTORS.misspelt })),
    )
  }
}

const stems = (phrase: string): string[] => [...tokenize(phrase, false)].map(({ text }) => stem(text, 'en'))

/** The groups of synonyms that have a phrase, by its stems. */
const PHRASES = new Map<string, (readonly string[])[]>()
for (const group of SYNONYMS) {
  for (const phrase of group) {
    const key = stems(phrase).join(' ')
    PHRASES.set(key, [...(PHRASES.get(key) ?? []), group])
  }
}
const SYNONYM_WORDS = new Map(
  SYNONYMS.flat()
    .filter((phrase) => !phrase.includes(' '))
    .map((word) => [word, stem(word, 'en')] as const),
)
const PHRASE_WORDS_MAX = Math.max(...[...PHRASES.keys()].map((phrase) => phrase.split(' ').length))

/** Returns the stems of the longest phrase of several words that begins here. */
function phraseAt(words: readonly string[], at: number): string[] | undefined {
  for (let length = Math.min(PHRASE_WORDS_MAX, words.length - at); length > 1; length--) {
    const found = words.slice(at, at + length).map((word) => stem(word, 'en'))
    if (PHRASES.has(found.join(' '))) return found
  }
  return undefined
}

function withSynonyms(terms: readonly string[]): Concept {
  const own = terms.join(' ')
  const groups = PHRASES.get(own) ?? []
  const others = new Set(groups.flat().map((phrase) => stems(phrase).join(' ')))
  others.delete(own)
  return [
    { terms, factor: FACTORS.exact },
    ...[...others].map((other) => ({ terms: other.split(' '), factor: FACTORS.synonym })),
  ]
}

/** Whether it is the event, heading or operation with exactly this name: `qr_code.scanned`, `GET /scans`. */
const isCalled = ({ title, trail }: DocsEntry, name: string): boolean =>
  title.toLowerCase() === name || trail.toLowerCase().endsWith(name)

/** Returns the text around the first words that were searched for. */
function excerptOf(text: string, isWanted: (word: string) => boolean): string[] {
  const tokens = [...tokenize(text.slice(0, EXCERPT_FROM_MAX), false)]
  const first = tokens.findIndex((token) => isWanted(token.text))
  const from = tokens[Math.max(0, first - 8)]?.start ?? 0
  const pieces: string[] = []
  let at = from
  for (const { text: word, start, end } of tokens) {
    if (start < from || !isWanted(word)) continue
    if (end > from + EXCERPT_LENGTH) break
    pieces.push(text.slice(at, start), text.slice(start, end))
    at = end
  }
  const end = text.indexOf(' ', Math.max(at, from + EXCERPT_LENGTH))
  pieces.push(text.slice(at, end === -1 ? undefined : end) + (end === -1 ? '' : ' …'))
  if (from > 0) pieces[0] = `… ${pieces[0]}`
  return pieces
}
