import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { Terms } from '../terms.ts'
import type { ArticleQuery } from './article-query.ts'
import { correctQuery } from './correct-query.ts'
import { expandWords } from './expand-words.ts'
import { Expressions } from './expressions.ts'
import { type CorrectedWord, WordFinder } from './find-words.ts'
import { type Hit, type ReadText, readTexts, toHits } from './hits.ts'
import { preferOwnWords } from './own-words.ts'
import { selectCandidates, selectLanguages } from './queries.ts'
import { type ReadQuery, readQuery } from './query-words.ts'
import { findingWords, type PreparedQuery, type Ranked, type RankedText, rank, TOTAL_MAX } from './rank.ts'
import { round } from './score.ts'
import { findSynonymsOf } from './synonyms.ts'
import { createMatchers } from './word-matcher.ts'

interface SearchResults {
  /** Counting stops at `TOTAL_MAX`. */
  total: number
  hits: Hit[]
  /** The query with what was searched for in place of words that no text has. Undefined if nothing was corrected. */
  corrected: string | undefined
  /** The words that were left out, because no text has them or similar ones, as they were typed. */
  unknownWords: readonly string[]
}

/** The first results are ranked again by how close the words are in their texts, which have to be read for it. */
const CLOSELY_RANKED = 20

/**
 * Finds articles by the words of a query, best first: those that have all of them, then those that have some. Words that
 * no article in scope has are corrected, or left out.
 */
export async function searchArticles(
  db: Db,
  orgId: OrgId,
  query: ArticleQuery,
  limit: number,
  offset: number,
): Promise<SearchResults> {
  const prepared = await prepare(db, orgId, query)
  if (prepared === undefined) return { total: 0, hits: [], corrected: undefined, unknownWords: [] }
  const ranked = await rank(db, orgId, prepared)
  const page = await readPage(db, orgId, prepared, ranked, limit, offset)
  return {
    total: ranked.texts.length + (await ranked.unranked()).length,
    hits: await toHits(db, orgId, prepared, page),
    corrected: correctQuery(query.q, prepared.read, prepared.corrections, page),
    unknownWords: prepared.leftOut,
  }
}

/** A query with what was read of it, to say what was corrected. */
interface SpelledQuery extends PreparedQuery {
  read: ReadQuery
  corrections: readonly CorrectedWord[]
}

/** Returns undefined if no text can be found. */
async function prepare(db: Db, orgId: OrgId, query: ArticleQuery): Promise<SpelledQuery | undefined> {
  const { q, knowledge_base_id, language, visibility } = query
  const [available, synonymsIn] = await Promise.all([
    selectLanguages(db, orgId),
    findSynonymsOf(db, orgId, knowledge_base_id === undefined ? [] : [knowledge_base_id]),
  ])
  const languages = language === undefined ? available : available.filter((each) => each === language)
  const read = readQuery(q, languages)
  if (languages.length === 0 || read.words.length === 0) return undefined
  const expanded = await expandWords(db, orgId, read, languages, synonymsIn, TOTAL_MAX)
  const terms = new Terms(orgId)
  const expressions = new Expressions(languages, terms, terms.scope(knowledge_base_id, visibility)[0])
  const found = await new WordFinder(db, orgId, languages, expressions, query).find(expanded)
  if (findingWords(found.words).length === 0) return undefined
  const { words, own } = await preferOwnWords(db, orgId, expressions, found)
  const { corrections, leftOut } = found
  return { words, own, leftOut, matcherOf: createMatchers(words), expressions, read, corrections }
}

async function readPage(
  db: Db,
  orgId: OrgId,
  query: PreparedQuery,
  ranked: Ranked,
  limit: number,
  offset: number,
): Promise<ReadText[]> {
  if (offset >= CLOSELY_RANKED) {
    const page = [
      ...ranked.texts.slice(offset, offset + limit),
      ...(await selectUnranked(db, orgId, ranked, limit, offset)),
    ]
    return readTexts(db, orgId, query, page)
  }
  const first = ranked.texts.slice(0, Math.max(CLOSELY_RANKED, offset + limit))
  const read = await readTexts(db, orgId, query, first)
  const isClose = new Set(first.slice(0, CLOSELY_RANKED).map(({ id }) => id))
  const close = read
    .filter(({ id }) => isClose.has(id))
    .map((text) => ({ ...text, score: round(text.score + text.closeness) }))
    .sort((a, b) => b.score - a.score || b.id - a.id)
  const others = read.filter(({ id }) => !isClose.has(id))
  const unranked = await selectUnranked(db, orgId, ranked, limit, offset)
  const rest = unranked.length === 0 ? [] : await readTexts(db, orgId, query, unranked)
  return [...[...close, ...others].slice(offset, offset + limit), ...rest]
}

/** Returns the texts of a page that are not ranked. They follow in index order, so that the pages have every match once. */
async function selectUnranked(
  db: Db,
  orgId: OrgId,
  { texts, unranked }: Ranked,
  limit: number,
  offset: number,
): Promise<RankedText[]> {
  if (offset + limit <= texts.length) return []
  const ids = (await unranked()).slice(Math.max(0, offset - texts.length), offset + limit - texts.length)
  const candidates = new Map((await selectCandidates(db, orgId, ids)).map((candidate) => [candidate.id, candidate]))
  return ids.flatMap((id) => {
    const candidate = candidates.get(id)
    return candidate === undefined ? [] : [{ ...candidate, score: 0, hasAll: true }]
  })
}
