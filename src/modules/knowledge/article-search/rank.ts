import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Expressions } from './expressions.ts'
import type { FoundWord } from './find-words.ts'
import { selectLists, selectMatches } from './match-queries.ts'
import { type Candidate, selectCandidates } from './queries.ts'
import { scoreOf } from './score.ts'
import type { WordMatcher } from './word-matcher.ts'

/** Only this many texts are ranked. Readers of a broader search do not look further. */
const RANKED_MAX = 250
/** Pages end here. Each counted row is a row that is read. */
export const TOTAL_MAX = 10_000
/** A text with some of the words is shown if it has this share of what the best one has. */
const COVERAGE_SHARE_MIN = 0.4
/** What a text gains in the choice of candidates if a word is in its title. */
const TITLE_SHARE = 0.6

export interface RankedText extends Candidate {
  score: number
  /** Whether it is known to have all words. */
  hasAll: boolean
}

/** A query in all forms that a search needs. */
export interface PreparedQuery {
  /** Hints come last. */
  words: FoundWord[]
  leftOut: readonly string[]
  matcherOf: (language: string) => WordMatcher
  expressions: Expressions
}

export interface Ranked {
  /** Best first. */
  texts: RankedText[]
  /** Whether more texts have all words than are ranked. */
  hasMore: boolean
}

/** The words that find texts. */
export const findingWords = (words: readonly FoundWord[]): FoundWord[] => words.filter(({ isHint }) => !isHint)

/**
 * Ranks texts by how much of the query they have. If more than `RANKED_MAX` have all words, only those: first those with
 * the words in the title, then those that are about them, then any.
 */
export async function rank(db: Db, orgId: OrgId, query: PreparedQuery): Promise<Ranked> {
  const words = findingWords(query.words)
  const complete = await selectComplete(db, orgId, query, words)
  const hasMore = complete.size >= RANKED_MAX
  const ids = hasMore ? [...complete] : [...complete, ...(await selectPartial(db, orgId, query, words, complete))]
  if (ids.length === 0) return { texts: [], hasMore }
  const candidates = await selectCandidates(db, orgId, ids.slice(0, RANKED_MAX))
  const scored = candidates.map((candidate) => {
    const hasAll = complete.has(candidate.id)
    return { ...candidate, hasAll, ...scoreOf(candidate, query.words, query.matcherOf(candidate.language), hasAll) }
  })
  const best = scored.reduce((most, { coverage }) => Math.max(most, coverage), 0)
  return {
    texts: scored
      .filter(({ hasAll, coverage }) => hasAll || coverage >= COVERAGE_SHARE_MIN * best)
      .sort((a, b) => b.score - a.score || b.id - a.id),
    hasMore,
  }
}

/** Returns texts with all words, at most `RANKED_MAX`. */
async function selectComplete(
  db: Db,
  orgId: OrgId,
  { expressions }: PreparedQuery,
  words: readonly FoundWord[],
): Promise<Set<number>> {
  if (words.every(({ isFrequent }) => !isFrequent)) {
    const [shortest, ...others] = words.toSorted((a, b) => a.list.size - b.list.size)
    const all = [...(shortest?.list ?? [])].filter((id) => others.every(({ list }) => list.has(id)))
    if (all.length <= RANKED_MAX) return new Set(all)
  }
  const chosen = new Set<number>()
  for (const expression of [
    expressions.inTitle(words),
    expressions.prominent(words),
    expressions.exact(words),
    expressions.all(words),
  ]) {
    // PostgreSQL reads the whole lists in every pass.
    if (chosen.size === RANKED_MAX) break
    for (const id of await selectMatches(db, orgId, expression, RANKED_MAX)) {
      if (chosen.size < RANKED_MAX) chosen.add(id)
    }
  }
  return chosen
}

/** Returns the most promising texts with some of the words. */
async function selectPartial(
  db: Db,
  orgId: OrgId,
  { expressions }: PreparedQuery,
  words: readonly FoundWord[],
  complete: ReadonlySet<number>,
): Promise<number[]> {
  if (words.length < 2) return []
  const promise = new Map<number, number>()
  const add = (ids: Iterable<number>, importance: number) => {
    for (const id of ids) if (!complete.has(id)) promise.set(id, (promise.get(id) ?? 0) + importance)
  }
  for (const { list, titleList, importance, isFrequent } of words) {
    if (!isFrequent) add(list, importance)
    add(titleList, importance * (TITLE_SHARE + (isFrequent ? 1 : 0)))
  }
  const frequent = words.filter(({ isFrequent }) => isFrequent).sort((a, b) => b.importance - a.importance)
  const sets = together(frequent).filter((set) => set.length < words.length)
  const lists = await selectLists(
    db,
    orgId,
    sets.map((set) => expressions.all(set)),
    RANKED_MAX,
  )
  for (const [n, set] of sets.entries()) {
    add(
      lists[n] ?? [],
      set.reduce((sum, { importance }) => sum + importance, 0),
    )
  }
  return mostPromising(promise, RANKED_MAX - complete.size)
}

/** Sorts numbers, not entries: there are thousands of them. */
function mostPromising(promise: ReadonlyMap<number, number>, count: number): number[] {
  const least = Float64Array.from(promise.values()).sort().at(-count) ?? 0
  return [...promise]
    .filter(([, importance]) => importance >= least)
    .sort(([a, one], [b, other]) => other - one || b - a)
    .slice(0, count)
    .map(([id]) => id)
}

/** Returns the sets of frequent words whose lists are read together: pairs of those that say most. */
function together(words: readonly FoundWord[]): FoundWord[][] {
  const [first, second, third] = words
  if (first === undefined || second === undefined) return []
  if (third === undefined) return [[first, second]]
  return [
    [first, second],
    [first, third],
  ]
}
