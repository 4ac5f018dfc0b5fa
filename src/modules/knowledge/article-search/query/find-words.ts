import { type Db, selectTotal } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { compounds, isFunctionWord } from '../full-text/languages/index.ts'
import { sharedStart, similarWords } from '../vocabulary/vocabulary.ts'
import { selectForms, selectKnownWords } from '../vocabulary/vocabulary-queries.ts'
import type { ArticleQuery } from './article-query.ts'
import { selectInCategories } from './category-words.ts'
import type { ExpandedQuery } from './expand-words.ts'
import type { Expressions } from './expressions.ts'
import { selectLists } from './match-queries.ts'
import { countArticles } from './queries.ts'
import type { QueryWord, Variant } from './query-words.ts'

/** A word of the query, and where it is. */
export interface FoundWord extends QueryWord {
  /** The texts that have it; of a frequent word, only some. */
  list: ReadonlySet<number>
  /** Those of them that need no everyday synonym for it. */
  ownList: ReadonlySet<number>
  /** Whether more texts have it than are listed. */
  isFrequent: boolean
  /** How much it says: rare words say more. */
  importance: number
}

/** A word that no text has, with what texts in scope have in its place. */
export interface CorrectedWord {
  word: QueryWord
  corrections: Variant[]
}

export interface FoundWords {
  /** Hints come last. */
  words: FoundWord[]
  /** What was searched for in place of words that no text has, the most similar first. */
  corrections: CorrectedWord[]
  /** Words that no text has, as the visitor typed them. */
  leftOut: string[]
}

/** A word in more texts says little. Its list is read only together with that of another word. */
export const LIST_MAX = 600
/** With few texts, a word in one of them would seem frequent. */
const TEXTS_MIN = 30
const HINT_IMPORTANCE = 1

/** Each takes up to four look-ups. */
const CORRECTED_MAX = 4
/** Most of the similar words may be in other knowledge bases. */
const SIMILAR_MAX = 24
const CORRECTIONS_MAX = 8
const CORRECTION_FIT = { 1: 0.7, 2: 0.5 }
/** What a word counts that only begins alike, or that is the last part of a compound. */
const RELATED_FIT = 0.4
const START_LENGTH_MIN = 5
const END_LENGTH_MIN = 3
const LETTERS_ONLY = /^\p{L}+$/u
/** Few people mistype the first letter. */
const OTHER_FIRST_LETTER = 0.8

/** Finds the texts in scope that have each word. A word that none has is replaced by similar words that some have. */
export class WordFinder {
  readonly #db: Db
  readonly #orgId: OrgId
  readonly #languages: readonly string[]
  readonly #expressions: Expressions
  readonly #query: ArticleQuery

  constructor(db: Db, orgId: OrgId, languages: readonly string[], expressions: Expressions, query: ArticleQuery) {
    this.#db = db
    this.#orgId = orgId
    this.#languages = languages
    this.#expressions = expressions
    this.#query = query
  }

  async find({ words, counts }: ExpandedQuery): Promise<FoundWords> {
    const [inScope, total] = await Promise.all([
      countArticles(this.#db, this.#orgId, this.#query.knowledge_base_id, LIST_MAX + 1),
      selectTotal(this.#db, this.#orgId, 'articles'),
    ])
    const isLarge = inScope > LIST_MAX
    const texts = isLarge ? Math.max(inScope, total) : inScope
    const read = (those: readonly QueryWord[]) =>
      this.#read(those, isLarge ? counts : new Map(), Math.max(TEXTS_MIN, texts))
    const hints = words.filter(({ isHint }) => isHint)
    let found = await read(words.filter(({ isHint }) => !isHint))
    const unknown = this.#query.keepsSpelling ? [] : found.filter(isMissing)
    let corrections: CorrectedWord[] = []
    if (unknown.length > 0) {
      corrections = await this.#correct(unknown.filter(({ isGram }) => !isGram).slice(0, CORRECTED_MAX))
      const known = await read(corrections.map(toCorrected))
      found = found.map((word) => known.find(({ text }) => text === word.text) ?? word)
    }
    // Words that say little are better than nothing.
    if (found.every(isMissing) && hints.length > 0) {
      found = [...found, ...(await read(hints.map((hint) => ({ ...hint, isHint: false }))))]
    }
    const known = found.filter((word) => !isMissing(word))
    const isUsed = ({ text }: QueryWord) => known.some((word) => word.text === text)
    return {
      words: [...known, ...hints.filter((hint) => !isUsed(hint)).map(toHint)],
      corrections,
      leftOut: leftOutOf(found),
    }
  }

  async #read(words: readonly QueryWord[], counts: ReadonlyMap<string, number>, texts: number): Promise<FoundWord[]> {
    const isKnownFrequent = ({ text }: QueryWord) => (counts.get(text) ?? 0) > LIST_MAX
    const parts = [...words.map(withoutEveryday), ...words.map(onlyEveryday)]
    const expressions = parts.map((word) =>
      isKnownFrequent(word) ? this.#expressions.none() : this.#expressions.any(word.variants),
    )
    const [lists, inCategories] = await Promise.all([
      selectLists(this.#db, this.#orgId, expressions, LIST_MAX + 1),
      selectInCategories(this.#db, this.#orgId, parts, this.#languages, this.#query),
    ])
    return words.map((word, n): FoundWord => {
      const places = [n, words.length + n]
      const [own = [], everyday = []] = places.map((at) => [...(lists[at] ?? []), ...(inCategories[at] ?? [])])
      const ownList = new Set(own)
      const list = everyday.length === 0 ? ownList : new Set([...own, ...everyday])
      const isFrequent = isKnownFrequent(word) || places.some((at) => (lists[at]?.length ?? 0) > LIST_MAX)
      const count = Math.max(list.size, counts.get(word.text) ?? 0)
      const rarity = Math.log(1 + (Math.max(0, texts - count) + 0.5) / (count + 0.5))
      return { ...word, list, ownList, isFrequent, importance: word.weight * rarity }
    })
  }

  /** Finds what texts in scope have in place of words. */
  async #correct(words: readonly QueryWord[]): Promise<CorrectedWord[]> {
    let rest = words
    const corrected: CorrectedWord[] = []
    for (const replacementsOf of [
      (word: QueryWord) => this.#misspelt(word, 1),
      (word: QueryWord) => this.#misspelt(word, 2),
      (word: QueryWord) => this.#related(word),
    ]) {
      if (rest.length === 0) break
      const similar = await Promise.all(rest.map(replacementsOf))
      const expressions = similar.flat().map((variant) => this.#expressions.any([variant]))
      const lists = await selectLists(this.#db, this.#orgId, expressions, 1)
      const present = new Set(similar.flat().filter((_, n) => (lists[n] ?? []).length > 0))
      for (const [n, word] of rest.entries()) {
        const corrections = (similar[n] ?? []).filter((variant) => present.has(variant)).slice(0, CORRECTIONS_MAX)
        if (corrections.length > 0) corrected.push({ word, corrections })
      }
      rest = rest.filter((word) => !corrected.some((one) => one.word === word))
    }
    return corrected
  }

  async #misspelt({ text: typed }: QueryWord, edits: 1 | 2): Promise<Variant[]> {
    const similar = await similarWords(this.#db, this.#orgId, this.#languages, typed, edits)
    return similar.slice(0, SIMILAR_MAX).map(({ language, word: text }) => {
      const fit = CORRECTION_FIT[edits] * (text[0] === typed[0] ? 1 : OTHER_FIRST_LETTER)
      return { language, parts: [{ text, isGram: false }], isAnyForm: true, fit }
    })
  }

  /** Words that begin alike, such as another form of it that has another stem, or the last part of a compound. */
  async #related({ text: typed }: QueryWord): Promise<Variant[]> {
    if (!LETTERS_ONLY.test(typed)) return []
    const start = typed.slice(0, Math.max(START_LENGTH_MIN, Math.ceil(typed.length / 2)))
    const prefixes = this.#languages.map((language) => ({ language, prefix: start }))
    const alike = typed.length > START_LENGTH_MIN ? await selectForms(this.#db, this.#orgId, prefixes) : []
    const variants = alike
      .map(({ language, word }) => ({ language, word, shared: sharedStart(word, typed).length }))
      .sort((a, b) => b.shared - a.shared || (a.word < b.word ? -1 : 1))
      .map(({ language, word }) => toVariant(language, word))
    const ends = this.#languages.filter(compounds).map((language) => ({ language, words: endsOf(typed, language) }))
    for (const { language, words } of ends) {
      if (words.length === 0) continue
      const known = await selectKnownWords(this.#db, this.#orgId, language, words)
      const [longest] = known.sort((a, b) => b.word.length - a.word.length)
      if (longest !== undefined) variants.push(toVariant(language, longest.word))
    }
    return variants.slice(0, SIMILAR_MAX)
  }
}

const toVariant = (language: string, text: string): Variant => ({
  language,
  parts: [{ text, isGram: false }],
  isAnyForm: true,
  fit: RELATED_FIT,
})

/** Returns what may be the last part of a compound. */
const endsOf = (word: string, language: string): string[] =>
  Array.from({ length: word.length }, (_, at) => word.slice(at)).filter(
    (end) =>
      end.length >= END_LENGTH_MIN && word.length - end.length >= END_LENGTH_MIN && !isFunctionWord(end, language),
  )

/** What is found without everyday synonyms. */
export const withoutEveryday = (word: QueryWord): QueryWord => ({
  ...word,
  variants: word.variants.filter(({ isEveryday }) => !isEveryday),
})

const onlyEveryday = (word: QueryWord): QueryWord => ({
  ...word,
  variants: word.variants.filter(({ isEveryday }) => isEveryday),
})

const toCorrected = ({ word, corrections }: CorrectedWord): QueryWord => ({
  ...word,
  variants: [...word.variants, ...corrections],
})

const isMissing = ({ isFrequent, list }: FoundWord): boolean => !isFrequent && list.size === 0

const NO_TEXTS: ReadonlySet<number> = new Set()

const toHint = (hint: QueryWord): FoundWord => ({
  ...hint,
  list: NO_TEXTS,
  ownList: NO_TEXTS,
  isFrequent: false,
  importance: hint.weight * HINT_IMPORTANCE,
})

/** Characters that belong together are left out only if none of them is found. */
function leftOutOf(words: readonly FoundWord[]): string[] {
  const found = new Set(words.filter((word) => !isMissing(word)).map(({ typed }) => typed))
  return [...new Set(words.map(({ typed }) => typed))].filter((typed) => !found.has(typed))
}
