import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { isVerbPrefix, selectKnownWords, stem, tokenize } from '../../../knowledge/article-search/index.ts'
import { FIT, type Term } from './question-terms.ts'

/** "keep alive timeout" is keepAliveTimeout. */
const WORDS_MAX = 3

/** Adds known words that neighbouring words of the question make together to the alternatives of each. */
export async function addJoined(
  db: Db,
  orgId: OrgId,
  language: ContentLanguage,
  terms: readonly Term[],
): Promise<Term[]> {
  const runs = terms.flatMap((_, from) =>
    Array.from({ length: WORDS_MAX - 1 }, (_, more) => terms.slice(from, from + more + 2)).filter(
      (run, more) => run.length === more + 2 && run.every(({ isGram, isHint }) => !(isGram || isHint)),
    ),
  )
  if (runs.length === 0) return [...terms]
  const join = (run: readonly Term[]) => run.map(({ text }) => text).join('')
  const words = await selectKnownWords(db, orgId, language, [...new Set(runs.map(join))])
  const known = new Set(words.map(({ word }) => word))
  const joined = runs.filter((run) => known.has(join(run)))
  return terms.map((term) => withWords(term, joined.filter((run) => run.includes(term)).map(join), language))
}

/** Adds to each word the verb that it is if the last word of the question is a part of it: "setze … zurück", zurücksetzen. */
export function addSeparatedVerbs(text: string, language: ContentLanguage, terms: readonly Term[]): Term[] {
  const prefix = [...tokenize(text, false)].at(-1)?.text ?? ''
  if (!isVerbPrefix(prefix, language)) return [...terms]
  const verbs = terms.filter((term) => !(term.isGram || term.isHint || term.text === prefix))
  const whole = verbs.map((verb) => prefix + verb.text)
  return terms.map((term) =>
    withWords(term, term.text === prefix ? whole : verbs.includes(term) ? [prefix + term.text] : [], language),
  )
}

function withWords(term: Term, words: readonly string[], language: ContentLanguage): Term {
  const added = new Set(words.map((word) => stem(word, language)))
  for (const { word } of term.alternatives) added.delete(word)
  return { ...term, alternatives: [...term.alternatives, ...Array.from(added, (word) => ({ word, fit: FIT.joined }))] }
}
