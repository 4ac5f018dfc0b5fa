import {
  type Analyser,
  analyseText,
  countWords,
  type IndexEntry,
  indexTexts,
  mergeParts,
  settleVocabulary,
  type Write,
} from '../../modules/knowledge/article-search/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import type { SearchableArticle } from './published-articles.ts'

/** Puts articles into the index without a worker. */
export async function indexArticles(
  database: Database,
  analyser: Analyser,
  orgId: OrgId,
  articles: readonly SearchableArticle[],
): Promise<void> {
  const indexed: (Omit<SearchableArticle, 'texts'> & { version_number: number; entries: IndexEntry[] })[] = []
  for (const { texts, ...article } of articles) {
    const analysed = await Promise.all(
      texts.map((text) => analyseText(database.read, analyser, orgId, { content: text.plain, ...text }, undefined)),
    )
    const entries = analysed.filter((entry) => entry !== undefined)
    indexed.push({ ...article, version_number: 1, entries })
  }
  await database.write((tx) => indexTexts(tx, orgId, indexed), orgId)
  await mergeParts(database, (work) => database.write(work, orgId))
  await updateVocabulary(database, analyser, orgId)
}

/** Adds the words of all indexed texts to the vocabulary, and removes those of texts that are gone. */
export async function updateVocabulary(database: Database, analyser: Analyser, orgId: OrgId): Promise<void> {
  const write: Write = (work) => database.write(work, orgId)
  while ((await countWords(database, write, orgId)) || (await settleVocabulary(database, write, analyser, orgId))) {}
}
