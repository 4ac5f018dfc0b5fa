import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { type FindInQuery, stem, tokenize } from '../../../knowledge/article-search/index.ts'
import { wordsOf } from '../../../knowledge/question-words/index.ts'
import { type Alternative, FIT, QUESTION_LENGTH_MAX, type Term } from './question-terms.ts'

/** Each is one more term to look up. */
const ALTERNATIVES_MAX = 40

/** Adds the synonyms of words and phrases of the question to the alternatives of its terms. */
export function addSynonyms(
  find: FindInQuery,
  question: string,
  language: ContentLanguage,
  terms: readonly Term[],
): Term[] {
  const tokens = [...tokenize(question.slice(0, QUESTION_LENGTH_MAX).normalize('NFKC'), false)]
  const asked = new Set(tokens.map(({ text }) => text))
  const found = [
    ...find(tokens, language).map(({ from, to, others }) => ({ words: tokens.slice(from, to), others })),
    // Words of earlier questions and of the scanned thing.
    ...terms
      .filter(({ text }) => !asked.has(text))
      .flatMap((term) => find([term], language).map(({ others }) => ({ words: [term], others }))),
  ]
  return terms.map((term) => {
    const alternatives = new Map(term.alternatives.map(({ word, fit }) => [word, fit]))
    for (const { words, others } of found) {
      if (!words.some(({ text }) => text === term.text)) continue
      for (const other of others) {
        for (const { word, fit } of toAlternatives(other, language)) {
          if (fit > (alternatives.get(word) ?? 0)) alternatives.set(word, fit)
        }
      }
    }
    const best = [...alternatives].sort(([, a], [, b]) => b - a).slice(0, ALTERNATIVES_MAX)
    return { ...term, alternatives: best.map(([word, fit]) => ({ word, fit })) }
  })
}

/** A word in any form, and its synonyms. */
export function alternativesOf(find: FindInQuery, word: string, language: ContentLanguage): Alternative[] {
  const others = find([{ text: word, isGram: false }], language).flatMap((found) => found.others)
  const synonyms = others.flatMap((other) => toAlternatives(other, language))
  return [{ word: stem(word, language), fit: 1 }, ...synonyms].slice(0, ALTERNATIVES_MAX)
}

type Phrase = readonly Pick<Term, 'text' | 'isGram'>[]

/**
 * Returns what a passage may have of a phrase. A passage is matched word by word, so each word of a phrase counts only a part. The
 * pair in the middle of a run of characters is hardly ever found elsewhere, so it stands for all of them.
 */
function toAlternatives(phrase: Phrase, language: ContentLanguage): Alternative[] {
  const [middle] = phrase.slice(phrase.length >> 1)
  if (middle?.isGram) return [{ word: middle.text, fit: FIT.synonym }]
  const { weakWords } = wordsOf(language)
  const content = phrase.filter(({ text }) => !weakWords.has(text))
  return content.map(({ text }) => ({ word: stem(text, language), fit: FIT.synonym / content.length }))
}
