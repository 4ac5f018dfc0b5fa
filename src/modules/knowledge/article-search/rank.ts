import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Candidate, selectCandidates, selectMatches } from './queries.ts'
import type { QueryExpressions, QueryWord } from './query-words.ts'
import { scoreOf } from './score.ts'
import type { WordMatcher } from './word-matcher.ts'

/** Only this many matches are ranked. Readers of a broader search do not look further. */
const RANKED_MAX = 300
/** Pages end here. Each counted row is a row that is read. */
export const TOTAL_MAX = 10_000

export type RankedText = Candidate & { score: number }

/** A query in all forms that a search needs. */
export interface PreparedQuery {
  words: QueryWord[]
  matcherOf: (language: string) => WordMatcher
  expressions: QueryExpressions
}

/**
 * Returns one page of matches, best first. With more than `RANKED_MAX` matches, those with the words in the title are
 * ranked, then those that are about them, then any; the rest follow in index order with score 0, so that the pages
 * contain every match once.
 */
export async function rankPage(
  db: Db,
  orgId: OrgId,
  query: PreparedQuery,
  limit: number,
  offset: number,
): Promise<RankedText[]> {
  const ranked = await rank(db, orgId, query)
  const page = ranked.slice(offset, offset + limit)
  const missing = Math.min(limit - page.length, TOTAL_MAX - Math.max(offset, ranked.length))
  if (missing <= 0 || ranked.length < RANKED_MAX) return page
  const rankedIds = new Set(ranked.map(({ id }) => id))
  const skip = Math.max(0, offset - ranked.length)
  const ids = (await selectMatches(db, orgId, query.expressions.all, skip + missing + ranked.length))
    .filter((id) => !rankedIds.has(id))
    .slice(skip, skip + missing)
  const unranked = new Map((await selectCandidates(db, orgId, ids)).map((candidate) => [candidate.id, candidate]))
  return [...page, ...ids.flatMap((id) => unranked.get(id) ?? []).map((candidate) => ({ ...candidate, score: 0 }))]
}

async function rank(db: Db, orgId: OrgId, { words, matcherOf, expressions }: PreparedQuery): Promise<RankedText[]> {
  const chosen = new Set<number>()
  const exact = new Set<number>()
  const passes = [
    { expression: expressions.inTitle, isExact: false },
    { expression: expressions.prominent, isExact: true },
    { expression: expressions.exact, isExact: true },
    { expression: expressions.all, isExact: false },
  ]
  for (const { expression, isExact } of passes) {
    // PostgreSQL reads the whole lists in every pass.
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
