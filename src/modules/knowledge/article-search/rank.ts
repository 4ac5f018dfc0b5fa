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
  /** The texts that have all words but are not ranked, because there are too many. In index order. */
  unranked: number[]
}

/** The words that find texts. */
export const findingWords = (words: readonly FoundWord[]): FoundWord[] => words.filter(({ isHint }) => !isHint)

/**
 * Ranks texts by how much of the query they have. If more than `RANKED_MAX` have all words, only those: first those with
 * the words in the title, then those that are about them, then any.
 */
export async function rank(db: Db, orgId: OrgId, query: PreparedQuery): Promise<Ranked> {
  const words = findingWords(query.words)
  const all = await selectComplete(db, orgId, query, words)
  const hasMore = all.length > RANKED_MAX
  const complete = new Set(hasMore ? await selectPromising(db, orgId, query, words, all) : all)
  const partial = hasMore ? [] : await selectPartial(db, orgId, query, words, complete)
  const unranked = hasMore ? all.filter((id) => !complete.has(id)).slice(0, TOTAL_MAX - complete.size) : []
  if (complete.size + partial.length === 0) return { texts: [], unranked }
  const candidates = await selectCandidates(db, orgId, [...complete, ...partial])
  const scored = candidates.map((candidate) => {
    const hasAll = complete.has(candidate.id)
    return { ...candidate, hasAll, ...scoreOf(candidate, query.words, query.matcherOf(candidate.language), hasAll) }
  })
  const best = scored.reduce((most, { coverage }) => Math.max(most, coverage), 0)
  return {
    texts: scored
      .filter(({ hasAll, coverage }) => hasAll || coverage >= COVERAGE_SHARE_MIN * best)
      .sort((a, b) => b.score - a.score || b.id - a.id),
    unranked,
  }
}

/** Returns the texts with all words, at most `TOTAL_MAX`. */
async function selectComplete(
  db: Db,
  orgId: OrgId,
  { expressions }: PreparedQuery,
  words: readonly FoundWord[],
): Promise<number[]> {
  if (words.some(({ isFrequent }) => isFrequent)) return selectMatches(db, orgId, expressions.all(words), TOTAL_MAX)
  const [shortest, ...others] = words.toSorted((a, b) => a.list.size - b.list.size)
  return [...(shortest?.list ?? [])].filter((id) => others.every(({ list }) => list.has(id)))
}

/** Returns the most promising of the texts with all words. */
async function selectPromising(
  db: Db,
  orgId: OrgId,
  { expressions }: PreparedQuery,
  words: readonly FoundWord[],
  all: readonly number[],
): Promise<number[]> {
  const chosen = new Set<number>()
  for (const expression of [expressions.allInTitle(words), expressions.allProminent(words)]) {
    if (chosen.size >= RANKED_MAX) break
    for (const id of await selectMatches(db, orgId, expression, RANKED_MAX)) chosen.add(id)
  }
  return [...chosen, ...all.filter((id) => !chosen.has(id))].slice(0, RANKED_MAX)
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
  if (promise.size < RANKED_MAX - complete.size) await addPairs()
  return mostPromising(promise, RANKED_MAX - complete.size)

  async function addPairs(): Promise<void> {
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
  }
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
