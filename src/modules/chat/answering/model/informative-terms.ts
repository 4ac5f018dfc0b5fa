import { isFunctionWord, stem, tokenize } from '../../../knowledge/article-search/index.ts'

/** Endings and particles in Japanese. */
const GRAMMAR = /^\p{scx=Hiragana}+$/u

/** What a text is about: the stems of its words, without function words. Pairs of characters for scripts without spaces. */
export function informativeTerms(text: string, language: string): Set<string> {
  const terms = new Set<string>()
  for (const { text: word, isGram } of tokenize(text, false)) {
    if (isGram ? GRAMMAR.test(word) : isFunctionWord(word, language)) continue
    terms.add(isGram ? word : stem(word, language))
  }
  return terms
}
