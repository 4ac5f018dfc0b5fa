import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { wordsOf } from '../../../knowledge/question-words/index.ts'
import type { AskedQuestion } from '../answer.ts'
import { isMember, type Term, toTerms } from './question-terms.ts'

/** What the questions before count in a follow-up, the last one first. */
const EARLIER_WEIGHTS = [0.5, 0.25]
/** The name of the scanned thing, which the visitor did not write. */
const HINT_WEIGHT = 0.4
const HINTS = ['object.name', 'product.name', 'object.type', 'qr_code.name']
const HINTS_MAX = 8

export interface AskedTerms {
  terms: Term[]
  /** Whether the visitor asks how to do something. */
  isHowTo: boolean
}

/** Returns the words to look for: those of the question, and for a follow-up those of the questions before it. */
export function toAskedTerms({ text, history, facts }: AskedQuestion, language: ContentLanguage): AskedTerms {
  const { howTo } = wordsOf(language)
  let isHowTo = howTo.test(text)
  const terms = new Map(toTerms(text, language).map((term) => [term.text, term]))
  if (isFollowUp(text, [...terms.values()], language)) {
    const earlier = history.filter(({ role }) => role === 'user').map((message) => message.text)
    for (const [ago, weight] of EARLIER_WEIGHTS.entries()) {
      const before = earlier.at(-1 - ago)
      if (before === undefined) break
      isHowTo ||= howTo.test(before)
      const current = [...terms.values()]
      for (const term of toTerms(before, language, weight)) {
        if (!terms.has(term.text) && !isReplaced(term, current, language)) terms.set(term.text, { ...term, name: [] })
      }
      if (!isFollowUp(before, toTerms(before, language), language)) break
    }
  }
  const names = HINTS.map((name) => facts.get(name) ?? '').join(' ')
  const hints = names.trim() === '' ? [] : toTerms(names, language, HINT_WEIGHT).slice(0, HINTS_MAX)
  for (const hint of hints) if (!terms.has(hint.text)) terms.set(hint.text, { ...hint, name: [], isHint: true })
  return { terms: [...terms.values()], isHowTo }
}

/** Whether a question cannot be understood without the one before. */
function isFollowUp(text: string, terms: readonly Term[], language: ContentLanguage): boolean {
  const words = terms.reduce((sum, { weight }) => sum + weight, 0)
  return words <= 1 || wordsOf(language).followUp.test(text)
}

/**
 * Whether the question names the opposite of a word in the question before: the big one, after the small one. The number
 * of a model is such a word, too.
 */
function isReplaced(earlier: Term, current: readonly Term[], language: ContentLanguage): boolean {
  const has = (words: readonly string[], { text, isGram }: Term) => isMember(words, text, isGram, language)
  return wordsOf(language).opposites.some(([one, other]) => {
    const [isOne, isOther] = [one, other].map((words) => current.some((term) => has(words, term)))
    if (earlier.isCode) return isOne || isOther
    return (isOne && has(other, earlier)) || (isOther && has(one, earlier))
  })
}
