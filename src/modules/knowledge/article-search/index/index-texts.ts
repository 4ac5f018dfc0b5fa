import { type Database, type Db, selectTotal, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import {
  deleteAnyPassages,
  deletePassages,
  deletePassagesOf,
  insertPassages,
  mergePassageIndex,
} from '../../passages/index.ts'
import { Terms } from '../terms.ts'
import type { Write } from '../vocabulary/update-vocabulary.ts'
import { insertWordLists } from '../vocabulary/word-list-queries.ts'
import type { SearchableText } from './analyse.ts'
import type { Analyser } from './analyser.ts'
import type { IndexEntry } from './analyser-thread.ts'
import { deleteAnyTexts, deleteTexts, deleteTextsOf, insertTexts, mergeIndex, type TextKey } from './index-queries.ts'

/** More than real texts have in all languages together. A word takes up to 350 bytes with its misspellings. */
const VOCABULARY_WORDS_MAX = 300_000

/**
 * Returns what the index stores of a text, or undefined if it has this digest already. With a full vocabulary, the words
 * of the text are found, but neither completed nor corrected.
 */
export async function analyseText(
  db: Db,
  analyser: Analyser,
  orgId: OrgId,
  text: SearchableText,
  digest: string | undefined,
): Promise<IndexEntry | undefined> {
  const entry = await analyser.analyse(orgId, text, digest)
  if (entry === undefined) return undefined
  const words = await selectTotal(db, orgId, 'article_search_words')
  return words < VOCABULARY_WORDS_MAX ? entry : { ...entry, wordLists: [] }
}

export interface IndexedArticle {
  id: string
  knowledge_base_id: string
  visibility: string
  /** The version of its own text. */
  version_number: number
  /** Some or all of its texts. */
  entries: readonly IndexEntry[]
}

/**
 * Puts texts and their passages into the index, in place of their previous entries. Their words follow with `countWords`.
 * No answer may use an internal article, so it has no passages.
 */
export async function indexTexts(tx: Tx, orgId: OrgId, articles: readonly IndexedArticle[]): Promise<void> {
  const terms = new Terms(orgId)
  const rows = articles.flatMap(({ id, knowledge_base_id, visibility, version_number, entries }) => {
    const scope = terms.ofScope(knowledge_base_id, visibility).join(' ')
    const base = terms.scope(knowledge_base_id, undefined).join(' ')
    return entries.map(({ termCount: _, passageTermCount: __, wordLists, passages, terms, ...entry }) => ({
      text: { ...entry, article_id: id, terms: `${terms} ${scope}` },
      lists: wordLists.map((words) => ({ article_id: id, language: entry.language, words })),
      passages: (visibility === 'internal' ? [] : passages).map((passage) => ({
        ...passage,
        article_id: id,
        version_number,
        terms: `${passage.terms} ${base}`,
      })),
    }))
  })
  if (rows.length === 0) return
  const texts = rows.map(({ text }) => text)
  await unindexTexts(
    tx,
    orgId,
    texts.map(({ article_id, language }) => ({ article_id, language })),
  )
  await insertTexts(tx, orgId, texts)
  await insertPassages(
    tx,
    orgId,
    rows.flatMap(({ passages }) => passages),
  )
  const lists = rows.flatMap(({ lists }) => lists)
  if (lists.length > 0) await insertWordLists(tx, orgId, lists)
}

/** Removes texts and their passages from the index. */
export async function unindexTexts(tx: Tx, orgId: OrgId, texts: readonly TextKey[]): Promise<void> {
  await deleteTexts(tx, orgId, texts)
  await deletePassages(tx, orgId, texts)
}

/** Removes all texts and passages of these articles from the index. */
export async function unindexArticles(tx: Tx, orgId: OrgId, articleIds: readonly string[]): Promise<void> {
  await deleteTextsOf(tx, orgId, articleIds)
  await deletePassagesOf(tx, orgId, articleIds)
}

/** Removes some of the index of an organisation that is being deleted. Returns false if nothing is left. */
export async function dropIndexedTexts(tx: Tx, orgId: OrgId, limit: number): Promise<boolean> {
  const hadTexts = await deleteAnyTexts(tx, orgId, limit)
  return (await deleteAnyPassages(tx, orgId, limit)) || hadTexts
}

/** Merging this many pages takes a few milliseconds. */
const MERGED_PAGES = 32
/** More than one addition needs, so that merging does not fall behind. */
const MERGES_MAX = 16

/** Must be called after additions on SQLite: each of them is another part that searches have to read. */
export async function mergeParts({ engine }: Database, write: Write): Promise<void> {
  if (engine !== 'sqlite') return
  for (const merge of [mergeIndex, mergePassageIndex]) {
    for (let n = 0; n < MERGES_MAX; n++) {
      if (!(await write((tx) => merge(tx, MERGED_PAGES)))) break
    }
  }
}
