import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { LANGUAGES } from '../languages/index.ts'
import { excerptOf, markMatches } from './full-text/excerpt.ts'
import {
  type Candidate,
  countMatches,
  type ShownText,
  selectCandidates,
  selectLanguages,
  selectMatches,
  selectShown,
} from './queries.ts'
import { matchersOf, QueryExpressions, type QueryWord, readQuery, type WordMatcher } from './query-words.ts'
import { scoreOf } from './rank.ts'
import { Terms } from './terms.ts'
import { completionsOf, correctionsOf } from './vocabulary.ts'
import { selectWords } from './vocabulary-queries.ts'

export interface ArticleQuery {
  q: string
  knowledge_base_id?: string | undefined
  language?: string | undefined
  visibility?: string | undefined
}

export interface Hit {
  article_id: string
  language: string
  title: string
  /** Escaped, as the snippet is; what was looked for is in `<mark>`. */
  marked_title: string
  snippet: string
  score: number
  slug: string
  /** Null unless everybody may read it. */
  public_slug: string | null
}

/** So many are ranked against each other; of a word that half the articles have, nobody looks at more. */
const RANKED_MAX = 300
/** Nobody counts on, and each row that is counted is a row that is read. */
const TOTAL_MAX = 10_000
const SNIPPET_LENGTH = 160
/** Where nearly every text has its match. Only the others are read further, and no further than this. */
const SHOWN_FIRST = 20_000
const SHOWN_LENGTH = 500_000

type Ranked = Candidate & { score: number }

interface Question {
  words: QueryWord[]
  matcherOf: (language: string) => WordMatcher
  expressions: QueryExpressions
}

/**
 * The articles that have all the words, best first. When there are more than can be ranked, those are that have the
 * words in their title, then those that are about them. `total` says no more than ten thousand.
 */
export async function searchArticles(
  db: Db,
  orgId: OrgId,
  query: ArticleQuery,
  limit: number,
  offset: number,
): Promise<{ total: number; hits: Hit[] }> {
  const languages = await selectLanguages(db, orgId, query.language === undefined ? LANGUAGES : [query.language])
  const words = readQuery(query.q, languages)
  const last = words.at(-1)
  if (languages.length === 0 || last === undefined) return { total: 0, hits: [] }
  // The lists of all of them are merged: none whose texts would not be counted any more.
  if (!last.isGram) last.longer = await completionsOf(db, orgId, languages, last.text, TOTAL_MAX)

  const terms = new Terms(orgId)
  const scope = terms.scope(query.knowledge_base_id, query.visibility)
  const ask = async (asked: QueryWord[]): Promise<{ total: number; hits: Hit[] }> => {
    const expressions = new QueryExpressions(asked, languages, terms, scope)
    // Beside each other: counting takes as long as all the rest, and PostgreSQL does it on another processor.
    const [total, hits] = await Promise.all([
      countMatches(db, orgId, expressions.all, TOTAL_MAX),
      answer(db, orgId, { words: asked, matcherOf: matchersOf(asked), expressions }, limit, offset),
    ])
    return { total, hits }
  }
  const found = await ask(words)
  if (found.total > 0) return found
  const corrected = await correct(db, orgId, words, languages, terms)
  return corrected === undefined ? found : ask(corrected)
}

/** Words that no article has, in any form, are taken for misspelt ones. Undefined when that changes nothing. */
async function correct(
  db: Db,
  orgId: OrgId,
  words: readonly QueryWord[],
  languages: readonly string[],
  terms: Terms,
): Promise<QueryWord[] | undefined> {
  const corrected: QueryWord[] = []
  for (const word of words) {
    const isKnown =
      word.isGram ||
      word.longer.length > 0 ||
      (await selectWords(db, orgId, languages, word.text)).length > 0 ||
      (await selectMatches(db, orgId, new QueryExpressions([word], languages, terms, []).all, 1)).length > 0
    corrected.push(isKnown ? word : { ...word, meant: await correctionsOf(db, orgId, languages, word.text) })
  }
  return corrected.some(({ meant }) => meant.length > 0) ? corrected : undefined
}

async function answer(db: Db, orgId: OrgId, question: Question, limit: number, offset: number): Promise<Hit[]> {
  const ranked = await rank(db, orgId, question)
  return show(db, orgId, question, await pageOf(db, orgId, question, ranked, limit, offset))
}

async function rank(db: Db, orgId: OrgId, question: Question): Promise<Ranked[]> {
  const { words, matcherOf, expressions } = question
  const chosen = new Set<number>()
  const exact = new Set<number>()
  const passes = [
    { expression: expressions.inTitle, isExact: false },
    { expression: expressions.telling, isExact: true },
    { expression: expressions.exact, isExact: true },
    { expression: expressions.all, isExact: false },
  ]
  for (const { expression, isExact } of passes) {
    // PostgreSQL reads the lists whole each time.
    if (chosen.size === RANKED_MAX) break
    for (const id of await selectMatches(db, orgId, expression, RANKED_MAX)) {
      if (isExact) exact.add(id)
      if (chosen.size < RANKED_MAX) chosen.add(id)
    }
  }
  if (chosen.size === 0) return []
  const candidates = await selectCandidates(db, orgId, [...chosen])
  return candidates
    .map((candidate) => {
      const score = scoreOf(candidate, words, matcherOf(candidate.language), exact.has(candidate.id))
      return { ...candidate, score }
    })
    .sort((a, b) => b.score - a.score || b.id - a.id)
}

/** After the ranked ones come the rest, as the index has them, so that pages walk through all of them once. */
async function pageOf(
  db: Db,
  orgId: OrgId,
  { expressions }: Question,
  ranked: readonly Ranked[],
  limit: number,
  offset: number,
): Promise<Ranked[]> {
  const page = ranked.slice(offset, offset + limit)
  const missing = Math.min(limit - page.length, TOTAL_MAX - Math.max(offset, ranked.length))
  if (missing <= 0 || ranked.length < RANKED_MAX) return page
  const isRanked = new Set(ranked.map(({ id }) => id))
  const skip = Math.max(0, offset - ranked.length)
  const ids = (await selectMatches(db, orgId, expressions.all, skip + missing + ranked.length))
    .filter((id) => !isRanked.has(id))
    .slice(skip, skip + missing)
  const rest = new Map((await selectCandidates(db, orgId, ids)).map((candidate) => [candidate.id, candidate]))
  return [...page, ...ids.flatMap((id) => rest.get(id) ?? []).map((candidate) => ({ ...candidate, score: 0 }))]
}

async function show(db: Db, orgId: OrgId, question: Question, page: readonly Ranked[]): Promise<Hit[]> {
  const { words, matcherOf } = question
  if (page.length === 0) return []
  const shown = await selectTexts(
    db,
    orgId,
    page.map(({ id }) => id),
    1,
    SHOWN_FIRST,
  )
  const snippets = new Map<number, string>()
  for (const { id, language } of page) {
    const excerpt = (plain: string) => excerptOf(plain, matcherOf(language), words.length, SNIPPET_LENGTH)
    const plain = shown.get(id)?.plain ?? ''
    const first = excerpt(plain)
    const mayBeFurther = !first.hasMatch && plain.length >= SHOWN_FIRST
    const rest = mayBeFurther
      ? (await selectTexts(db, orgId, [id], SHOWN_FIRST - SNIPPET_LENGTH, SHOWN_LENGTH)).get(id)
      : undefined
    const further = rest && excerpt(rest.plain)
    snippets.set(id, further?.hasMatch ? further.markup : first.markup)
  }
  return page.flatMap(({ id, article_id, language, score }) => {
    const text = shown.get(id)
    if (text === undefined) return []
    const { title, slug, visibility, public_slug, is_published } = text
    const marked_title = markMatches(title, matcherOf(language))
    const isPublic = is_published && visibility === 'public'
    const snippet = snippets.get(id) ?? ''
    return [
      { article_id, language, title, marked_title, snippet, score, slug, public_slug: isPublic ? public_slug : null },
    ]
  })
}

async function selectTexts(
  db: Db,
  orgId: OrgId,
  ids: readonly number[],
  from: number,
  length: number,
): Promise<Map<number, ShownText>> {
  return new Map((await selectShown(db, orgId, ids, from, length)).map((text) => [text.id, text]))
}
