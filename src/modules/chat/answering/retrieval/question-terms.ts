import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { isFunctionWord, stem, tokenize } from '../../../knowledge/article-search/index.ts'
import { wordsOf } from '../../../knowledge/question-words/index.ts'
import { namesIn } from './names.ts'

/** A word that a passage may have in place of the one that was asked for. */
export interface Alternative {
  /** The word as the index stores it. */
  word: string
  /** 1 for the word itself in any form, less for others. */
  fit: number
  /** Only in place of a misspelt word: how it is spelled. Folded. */
  spelling?: string
}

/** A word of a question, or two characters of a script without spaces. */
export interface Term {
  /** Folded. */
  text: string
  isGram: boolean
  /** There is at least one. */
  alternatives: Alternative[]
  /** 1, less for words that the visitor did not ask for now, and for parts of a longer word. */
  weight: number
  /** Whether it has digits. */
  isCode: boolean
  /** All words of the name that this one belongs to. Empty if it belongs to none. */
  name: readonly string[]
  /** Only helps to choose between passages: the visitor did not write it. */
  isHint: boolean
}

/** Codes and numbers say exactly what is meant: E07 is not E11, and the Thermo 12 is not the Thermo 24. */
const CODE_WEIGHT = 1.8
const CODE = /\p{N}/u

export const FIT = { synonym: 0.75, correction: 0.95, joined: 0.95, compound: 0.6, part: 0.7 } as const

/** More words of a question are ignored. */
const TERMS_MAX = 24
/** Visitors paste whole mails. What they want is usually at the beginning. */
export const QUESTION_LENGTH_MAX = 1000

const RUNS =
  /(?<han>\p{sc=Han}+)|(?<katakana>[\p{sc=Katakana}ー]+)|(?<hiragana>\p{sc=Hiragana}+)|(?<hangul>\p{sc=Hangul}+)|(?<spaced>[^\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}\p{sc=Hangul}]+)/gu

/** Returns the informative words of a text. Without any, all of its words. */
export function toTerms(text: string, language: ContentLanguage, weight = 1): Term[] {
  const { weakWords, weakPhrases } = wordsOf(language)
  const asked = text.slice(0, QUESTION_LENGTH_MAX).normalize('NFKC')
  const cleaned = weakPhrases === undefined ? asked : asked.replace(weakPhrases, ' ')
  const terms = read(cleaned, language, weight)
  const isWeak = ({ text, name }: Term) => name.length === 0 && weakWords.has(text)
  const informative = terms.filter((term) => !isFunctionWord(term.text, language) && !isWeak(term))
  if (informative.length > 0) return informative.slice(0, TERMS_MAX)
  const contentWords = terms.filter(({ text }) => !isFunctionWord(text, language))
  return (contentWords.length > 0 ? contentWords : read(asked, language, weight)).slice(0, TERMS_MAX)
}

function read(text: string, language: ContentLanguage, weight: number): Term[] {
  const terms = new Map<string, Term>()
  const names = new Map(namesIn(text).flatMap((name) => name.map((word) => [word, name])))
  for (const run of text.matchAll(RUNS)) {
    const { spaced, hiragana } = run.groups ?? {}
    const tokens = [...tokenize(run[0], false)]
    for (const [at, { text: word, isGram }] of tokens.entries()) {
      // A single kana left between two phrases is the ending of a word.
      if (hiragana !== undefined && word.length === 1) continue
      const share = spaced === undefined ? shareOf(at, tokens.length, hiragana !== undefined) : 1
      const known = terms.get(word)
      if (known !== undefined) known.weight = Math.max(known.weight, weight * share)
      else {
        const name = names.get(word) ?? []
        const importance = name.length > 0 ? CODE_WEIGHT / Math.min(2, name.length) : CODE.test(word) ? CODE_WEIGHT : 1
        terms.set(word, { ...toTerm(word, isGram, language), name, weight: weight * share * importance })
      }
    }
  }
  return [...terms.values()]
}

/** Returns how much of a word a pair of characters is: a run of them, short or long, is one or two words. */
function shareOf(at: number, pairs: number, isKana: boolean): number {
  if (pairs === 1) return isKana ? 0.5 : 1
  // Four characters are mostly two words of two, so the pair in the middle is none.
  if (pairs === 3) return at === 1 ? 0.25 : 0.75
  return (isKana ? 0.8 : 1.5) / pairs
}

const toTerm = (text: string, isGram: boolean, language: ContentLanguage): Omit<Term, 'weight' | 'name'> => ({
  text,
  isGram,
  isCode: CODE.test(text),
  isHint: false,
  alternatives: [{ word: isGram ? text : stem(text, language), fit: 1 }],
})

/** Whether a word, in any form, is in the list. */
export const isMember = (
  words: readonly string[],
  text: string,
  isGram: boolean,
  language: ContentLanguage,
): boolean =>
  isGram ? words.includes(text) : words.some((word) => word === text || stem(word, language) === stem(text, language))
