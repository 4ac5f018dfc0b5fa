import { tokenize } from '../../../knowledge/article-search/index.ts'

/** A capital may only begin a sentence. */
const BEGINNING = /^$|\n$|[.!?:]\s$/

/**
 * Returns a question with words replaced, whose keys are folded. A word is written as in the text if that has it: with
 * accents and capitals.
 */
export function correctedQuestion(question: string, words: ReadonlyMap<string, string>, text: string): string {
  const spellings = new Map<string, string>()
  for (const { text: folded, start, end } of tokenize(text, false)) {
    const word = text.slice(start, end)
    const written = BEGINNING.test(text.slice(Math.max(0, start - 2), start)) ? word.toLowerCase() : word
    if (!spellings.has(folded) || written === written.toLowerCase()) spellings.set(folded, written)
  }
  let corrected = ''
  let from = 0
  for (const { text: folded, start, end } of tokenize(question, false)) {
    const word = words.get(folded)
    if (word === undefined) continue
    corrected += question.slice(from, start) + (spellings.get(word) ?? word)
    from = end
  }
  return corrected + question.slice(from)
}
