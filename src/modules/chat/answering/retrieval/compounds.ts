import type { ContentLanguage, Language } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import { selectForms, stem } from '../../../knowledge/article-search/index.ts'
import { FIT, type Term } from './question-terms.ts'

/** Languages that write two nouns as one word: Gas, Gashahn. */
const COMPOUNDING: ReadonlySet<Language | undefined> = new Set<Language>(['de', 'nl', 'sv', 'no'])
const LENGTH_MIN = 3
/** A compound is longer than its first part by at least this much. */
const LONGER_MIN = 3
const COMPOUNDS_MAX = 8

/** Adds the known words that begin with a word of the question to its alternatives. */
export async function addCompounds(
  db: Db,
  orgId: OrgId,
  language: ContentLanguage,
  terms: readonly Term[],
): Promise<Term[]> {
  if (!COMPOUNDING.has(interfaceLanguageFor(language))) return [...terms]
  const first = terms.filter(({ text, isGram, isCode }) => !(isGram || isCode) && text.length >= LENGTH_MIN)
  if (first.length === 0) return [...terms]
  const forms = await selectForms(
    db,
    orgId,
    first.map(({ text }) => ({ language, prefix: text })),
  )
  forms.sort((a, b) => b.texts - a.texts || (a.word < b.word ? -1 : 1))
  return terms.map((term) => {
    if (!first.includes(term)) return term
    const known = new Set(term.alternatives.map(({ word }) => word))
    const longer = forms
      .filter(({ word }) => word.startsWith(term.text) && word.length >= term.text.length + LONGER_MIN)
      .map(({ word }) => stem(word, language))
      .filter((word, at, all) => !known.has(word) && all.indexOf(word) === at)
      .slice(0, COMPOUNDS_MAX)
    return { ...term, alternatives: [...term.alternatives, ...longer.map((word) => ({ word, fit: FIT.compound }))] }
  })
}
