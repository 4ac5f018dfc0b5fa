import { wordsOf } from '../../question-words/index.ts'
import { isFunctionWord } from '../full-text/languages/index.ts'
import { type Token, tokenize } from '../full-text/tokens.ts'

/** A word of a text, or one or two characters of a script without spaces. */
export interface WordPart {
  /** Folded. */
  text: string
  isGram: boolean
}

/** What a text may contain in place of a word of the query. */
export interface Variant {
  /** Only in texts of this language; undefined: in all. */
  language?: string
  /** A text must contain all of them. */
  parts: readonly WordPart[]
  /** Whether other forms of the parts will do. */
  isAnyForm: boolean
  /** 1 for the word itself, less for others. */
  fit: number
  /** An everyday synonym: texts with it come after those with the word itself. */
  isEveryday?: true
}

export interface QueryWord extends WordPart {
  /** The text as the visitor typed it; for characters without spaces, all that belong together. */
  typed: string
  /** The index of its token. */
  at: number
  /** 1, less for a part of what was typed. */
  weight: number
  /** A word that says little, such as "want". It helps to rank, but finds nothing. */
  isHint: boolean
  variants: Variant[]
}

export interface ReadQuery {
  /** All words of the query, in order. */
  tokens: readonly Token[]
  words: QueryWord[]
}

/** Each word is one more list to read. Real queries are shorter. */
const WORDS_MAX = 24
/** What a run of characters counts, however many pairs it has: as much as one or two words. */
const RUN_WEIGHT = 1.5
/** Mostly endings. */
const HIRAGANA_WEIGHT = 0.5
const HIRAGANA = /^\p{sc=Hiragana}+$/u
/** Codes and numbers say exactly what is meant. */
const CODE_WEIGHT = 1.5
const CODE = /\p{N}/u
const HINT_WEIGHT = 0.2

/**
 * Reads the words of a query. Function words are left out and words that say little are hints, unless the query has no
 * others.
 */
export function readQuery(query: string, languages: readonly string[]): ReadQuery {
  const informative = [...tokenize(withoutWeakPhrases(query, languages), false)]
  const tokens = informative.length > 0 ? informative : [...tokenize(query, false)]
  const isAny = (is: (language: string) => boolean) => languages.some(is)
  const words = toWords(query, tokens)
  const contentWords = words.filter(({ text }) => !isAny((language) => isFunctionWord(text, language)))
  const known = contentWords.length > 0 ? contentWords : words
  const isWeak = ({ text }: QueryWord) => isAny((language) => wordsOf(language).weakWords.has(text))
  const hasOthers = known.some((word) => !isWeak(word))
  const read = known.map((word) => (hasOthers && isWeak(word) ? { ...word, isHint: true, weight: HINT_WEIGHT } : word))
  return { tokens, words: read.slice(0, WORDS_MAX) }
}

/** Keeps the positions of everything else. */
function withoutWeakPhrases(query: string, languages: readonly string[]): string {
  let rest = query
  for (const language of languages) {
    const phrases = wordsOf(language).weakPhrases
    if (phrases !== undefined) rest = rest.replace(phrases, (phrase) => ' '.repeat(phrase.length))
  }
  return rest
}

function toWords(query: string, tokens: readonly Token[]): QueryWord[] {
  const words = new Map<string, QueryWord>()
  for (const { from, to } of runsOf(tokens)) {
    const [first, last] = [tokens[from] as Token, tokens[to - 1] as Token]
    const typed = query.slice(first.start, last.end)
    for (let at = from; at < to; at++) {
      const { text, isGram } = tokens[at] as Token
      const weight = isGram
        ? Math.min(1, RUN_WEIGHT / (to - from)) * (HIRAGANA.test(text) ? HIRAGANA_WEIGHT : 1)
        : CODE.test(text)
          ? CODE_WEIGHT
          : 1
      const itself: Variant = { parts: [{ text, isGram }], isAnyForm: !isGram, fit: 1 }
      if (!words.has(text)) words.set(text, { text, isGram, typed, at, weight, isHint: false, variants: [itself] })
    }
  }
  return [...words.values()]
}

/** Returns the ranges of tokens that overlap, which are pairs of characters; every other token is a range of its own. */
function runsOf(tokens: readonly Token[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (const [at, token] of tokens.entries()) {
    const run = runs.at(-1)
    const before = tokens[at - 1]
    const isNext = token.isGram && before?.isGram === true && token.start < before.end
    if (run !== undefined && isNext) run.to = at + 1
    else runs.push({ from: at, to: at + 1 })
  }
  return runs
}
