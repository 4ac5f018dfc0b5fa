import { createHash } from 'node:crypto'
import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import {
  editsBetween,
  isFunctionWord,
  keysOfMisspelling,
  stem,
  tokenize,
} from '../../knowledge/article-search/index.ts'
import { wordsOf } from '../../knowledge/question-words/index.ts'

/** Longer texts than a question needs: what counts comes first. */
const TEXT_LENGTH_MAX = 2000
const TERMS_MAX = 24

/** Shared terms, of the terms of both questions: one other word in four is the same question, one in three is not. */
const SIMILARITY_MIN = 0.7

/**
 * Returns what a question is about: the stems of its words, in alphabetical order. Japanese, Chinese and Korean have
 * pairs of characters instead. Empty for a text without any word.
 */
export function termsOf(text: string, language: ContentLanguage): string[] {
  const read = text.slice(0, TEXT_LENGTH_MAX).toWellFormed()
  const phrases = questionWords(language).fillerPhrases
  const meant = contentTerms(phrases === undefined ? read : read.replace(phrases, ' '), language)
  return (meant.length > 0 ? meant : allTerms(read, language)).toSorted()
}

function contentTerms(text: string, language: ContentLanguage): string[] {
  const own = questionWords(language).fillers
  // Latin words in languages without spaces between words are usually English.
  const fillers = own.size > 0 ? own : wordsOf('en').fillers
  return toTerms(text, language, (word) => !isFunctionWord(word, language) && !fillers.has(word))
}

const questionWords = (language: ContentLanguage) => wordsOf(interfaceLanguageFor(language) ?? 'en')

/** The terms of a question of function words alone, such as "What is it?". */
const allTerms = (text: string, language: ContentLanguage): string[] => toTerms(text, language, () => true)

function toTerms(text: string, language: ContentLanguage, counts: (word: string) => boolean): string[] {
  const terms = new Set<string>()
  for (const { text: word, isGram } of tokenize(text, false)) {
    if (isGram) terms.add(word)
    else if (counts(word)) terms.add(stem(word, language))
    if (terms.size === TERMS_MAX) break
  }
  return [...terms]
}

/** Whether two questions mean the same, as a number from 0 to 1; 0 if they do not. */
export function similarity(one: readonly string[], other: readonly string[]): number {
  const rest = new Set(other)
  const unmatched = one.filter((term) => !rest.delete(term))
  let shared = one.length - unmatched.length
  for (const term of unmatched) {
    const misspelt = [...rest].find((candidate) => isMisspelling(term, candidate))
    if (misspelt === undefined) continue
    rest.delete(misspelt)
    shared++
  }
  const share = (2 * shared) / (one.length + other.length)
  return share >= SIMILARITY_MIN ? share : 0
}

/** Compares in both directions, so that the order in which questions arrive does not decide. */
const isMisspelling = (one: string, other: string): boolean =>
  editsBetween(one, other) !== undefined || editsBetween(other, one) !== undefined

/** Hashes by which a group is found. */
export interface QuestionKeys {
  /** A hash of all terms together. */
  whole: number
  /** One for each term. */
  terms: number[]
  /** Hashes of the terms with one letter removed: two that are one edit apart share one of them. */
  misspellings: number[]
}

export function keysOf(scopeId: string, language: ContentLanguage, terms: readonly string[]): QuestionKeys {
  const toKey = (kind: string, text: string): number => {
    const digest = createHash('sha256').update(`${scopeId}\0${language}\0${kind}\0${text}`).digest()
    // A number holds this many bits exactly.
    return digest.readUIntBE(0, 6)
  }
  return {
    whole: toKey('whole', terms.join(' ')),
    terms: terms.map((term) => toKey('term', term)),
    misspellings: [
      ...new Set(terms.flatMap((term) => keysOfMisspelling(term, 1)).map((text) => toKey('misspelling', text))),
    ],
  }
}
