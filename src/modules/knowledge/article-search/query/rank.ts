import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { Expressions } from './expressions.ts'
import { type FoundWord, LIST_MAX } from './find-words.ts'
import { selectLists, selectMatches } from './match-queries.ts'
import { type Candidate, selectCandidates } from './queries.ts'
import { CLOSENESS_MAX, round, scoreOf } from './score.ts'
import type { WordMatcher } from './word-matcher.ts'

/** Only this many texts are ranked. Readers of a broader search do not look further. */
export const RANKED_MAX = 200
/** If this many texts with all words are promising, nobody misses the others, or those with some of the words. */
const PROMISING_MIN = 100
/** Pages end here. Each counted row is a row that is read. */
export const TOTAL_MAX = 5000
/** A text with some of the words is shown if it has this share of what the best one has. */
const COVERAGE_SHARE_MIN = 0.4
/** The words that say most. */
const TITLE_LISTS_MAX = 4
/** What a text gains in the choice of candidates if a word is in its title. */
const TITLE_SHARE = 0.6
const NO_TEXTS: ReadonlySet<number> = new Set()

export interface RankedText extends Candidate {
  score: number
  /** Whether it is known to have all words. */
  hasAll: boolean
}

/** A query in all forms that a search needs. */
export interface PreparedQuery {
  /** Hints come last. */
  words: FoundWord[]
  /** The texts that have all words, but for corrected ones, without everyday synonyms. Undefined if the words have no such synonyms. */
  own: ReadonlySet<number> | undefined
  leftOut: readonly string[]
  matcherOf: (language: string) => WordMatcher
  expressions: Expressions
}

export interface Ranked {
  /** Best first. */
  texts: RankedText[]
  /** Returns the texts that have all words but are not ranked, because there are too many. In index order. */
  unranked(): Promise<number[]>
}

/** The words that find texts. */
export const findingWords = (words: readonly FoundWord[]): FoundWord[] => words.filter(({ isHint }) => !isHint)

/**
 * Ranks texts by how much of the query they have. If many have all words, only those: first those with the words in the
 * title, then those that are about them, then any.
 */
export async function rank(db: Db, orgId: OrgId, query: PreparedQuery): Promise<Ranked> {
  const words = findingWords(query.words)
  // This runs at the same time as everything else: reading all may take half the time of a search.
  const reading = selectComplete(db, orgId, query.expressions, words, TOTAL_MAX)
  // If something else fails first, nobody waits for it any more.
  reading.catch(() => {})
  const texts = await rankBest(db, orgId, query, words, reading)
  const isRanked = new Set(texts.map(({ id }) => id))
  const unranked = async () => (await reading).filter((id) => !isRanked.has(id)).slice(0, TOTAL_MAX - texts.length)
  return { texts, unranked }
}

async function rankBest(
  db: Db,
  orgId: OrgId,
  query: PreparedQuery,
  words: readonly FoundWord[],
  reading: Promise<readonly number[]>,
): Promise<RankedText[]> {
  const promising = await selectPromising(db, orgId, query, words)
  const areEnough = promising.length >= PROMISING_MIN
  const all = areEnough ? [] : await reading
  const areFew = !areEnough && all.length <= RANKED_MAX
  const own = query.own ?? NO_TEXTS
  const complete = new Set(areFew ? all : [...new Set([...own, ...promising, ...all])].slice(0, RANKED_MAX))
  const partial = areFew ? await selectPartial(db, orgId, query, words, complete) : []
  const candidates = await selectCandidates(db, orgId, [...complete, ...partial])
  const scored = candidates.map((candidate) => {
    const hasAll = complete.has(candidate.id)
    return { ...candidate, hasAll, ...scoreOf(candidate, query.words, query.matcherOf(candidate.language), hasAll) }
  })
  const best = scored.reduce((most, { coverage }) => Math.max(most, coverage), 0)
  const shown = scored.filter(({ hasAll, coverage }) => hasAll || coverage >= COVERAGE_SHARE_MIN * best)
  return lift(shown, own).sort((a, b) => b.score - a.score || b.id - a.id)
}

/** Scores these texts above all others, also if the words turn out to be closer in others. */
function lift<Text extends { id: number; score: number }>(texts: Text[], above: ReadonlySet<number>): Text[] {
  const others = texts.filter(({ id }) => !above.has(id))
  if (others.length === 0 || others.length === texts.length) return texts
  const height = Math.max(...others.map(({ score }) => score)) + CLOSENESS_MAX
  return texts.map((text) => (above.has(text.id) ? { ...text, score: round(text.score + height) } : text))
}

/** Returns the texts with all words. At most `limit`, unless the lists of the words are known anyway. */
export async function selectComplete(
  db: Db,
  orgId: OrgId,
  expressions: Expressions,
  words: readonly FoundWord[],
  limit: number,
): Promise<number[]> {
  if (words.some(({ isFrequent }) => isFrequent)) return selectMatches(db, orgId, expressions.all(words), limit)
  const [shortest, ...others] = words.toSorted((a, b) => a.list.size - b.list.size)
  return [...(shortest?.list ?? [])].filter((id) => others.every(({ list }) => list.has(id)))
}

/** Returns the most promising of the texts with all words. None for a word that few texts have: all of these are ranked. */
async function selectPromising(
  db: Db,
  orgId: OrgId,
  { expressions }: PreparedQuery,
  words: readonly FoundWord[],
): Promise<number[]> {
  if (words.some(({ list, isFrequent }) => !isFrequent && list.size <= RANKED_MAX)) return []
  const titled = await selectMatches(db, orgId, expressions.allInTitle(words), RANKED_MAX)
  if (titled.length === RANKED_MAX) return titled
  const prominent = await selectMatches(db, orgId, expressions.allProminent(words), RANKED_MAX)
  return [...new Set([...titled, ...prominent])]
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
  const wanted = RANKED_MAX - complete.size
  const promise = new Map<number, number>()
  const add = (ids: Iterable<number>, importance: number) => {
    for (const id of ids) if (!complete.has(id)) promise.set(id, (promise.get(id) ?? 0) + importance)
  }
  const important = words.toSorted((a, b) => b.importance - a.importance)
  const frequent = important.filter(({ isFrequent }) => isFrequent)
  for (const { list, importance, isFrequent } of words) if (!isFrequent) add(list, importance)
  if (promise.size > wanted || frequent.length > 0) await addTitles()
  if (promise.size < wanted) await addPairs()
  return mostPromising(promise, wanted)

  async function addTitles(): Promise<void> {
    const titled = important.slice(0, TITLE_LISTS_MAX)
    const titles = titled.map(({ variants }) => expressions.anyInTitle(variants))
    const lists = await selectLists(db, orgId, titles, LIST_MAX + 1)
    for (const [n, { importance, isFrequent }] of titled.entries()) {
      const list = lists[n] ?? []
      // A word in more titles says little.
      if (list.length <= LIST_MAX) add(list, importance * (TITLE_SHARE + (isFrequent ? 1 : 0)))
    }
  }

  async function addPairs(): Promise<void> {
    const sets = pairsOf(frequent).filter((set) => set.length < words.length)
    const pairs = sets.map((set) => expressions.all(set))
    const lists = await selectLists(db, orgId, pairs, RANKED_MAX)
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

/** Returns the pairs of frequent words whose lists are read together: those that say most. */
function pairsOf(words: readonly FoundWord[]): FoundWord[][] {
  const [first, second, third] = words
  if (first === undefined || second === undefined) return []
  if (third === undefined) return [[first, second]]
  return [
    [first, second],
    [first, third],
  ]
}
