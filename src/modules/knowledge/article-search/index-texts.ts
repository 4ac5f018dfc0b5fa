import { type Database, type Db, selectTotal, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { SearchableText } from './analyse.ts'
import type { Analyser } from './analyser.ts'
import type { IndexEntry } from './analyser-thread.ts'
import { deleteTexts, insertTexts, mergeIndex } from './queries.ts'
import { Terms } from './terms.ts'
import type { Write } from './update-vocabulary.ts'
import { insertWordLists } from './word-list-queries.ts'

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
  /** Some or all of its texts. */
  entries: readonly IndexEntry[]
}

/** Puts texts into the index, in place of their previous entries. Their words follow with `countWords`. */
export async function indexTexts(tx: Tx, orgId: OrgId, articles: readonly IndexedArticle[]): Promise<void> {
  const terms = new Terms(orgId)
  const rows = articles.flatMap(({ id, knowledge_base_id, visibility, entries }) => {
    const scope = terms.ofScope(knowledge_base_id, visibility).join(' ')
    return entries.map(({ termCount: _, wordLists, terms, ...entry }) => ({
      text: { ...entry, article_id: id, terms: `${terms} ${scope}` },
      lists: wordLists.map((words) => ({ article_id: id, language: entry.language, words })),
    }))
  })
  if (rows.length === 0) return
  const texts = rows.map(({ text }) => text)
  await deleteTexts(
    tx,
    orgId,
    texts.map(({ article_id, language }) => ({ article_id, language })),
  )
  await insertTexts(tx, orgId, texts)
  const lists = rows.flatMap(({ lists }) => lists)
  if (lists.length > 0) await insertWordLists(tx, orgId, lists)
}

/** Merging this many pages takes a few milliseconds. */
const MERGED_PAGES = 32
/** More than one addition needs, so that merging does not fall behind. */
const MERGES_MAX = 16

/** On SQLite, to be called after additions: each of them is another part that searches have to read. */
export async function mergeParts({ engine }: Database, write: Write): Promise<void> {
  if (engine !== 'sqlite') return
  for (let n = 0; n < MERGES_MAX; n++) {
    if (!(await write((tx) => mergeIndex(tx, MERGED_PAGES)))) return
  }
}
