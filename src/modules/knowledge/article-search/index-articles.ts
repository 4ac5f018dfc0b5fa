import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { analyse } from './analyse.ts'
import { deleteTexts, insertTexts, lockIndex, type NewText } from './queries.ts'
import { Terms } from './terms.ts'
import { WordChanges } from './vocabulary.ts'

export interface SearchableArticle {
  id: string
  knowledge_base_id: string
  visibility: 'public' | 'internal' | 'chatbot_only'
  /** Its own text and its translations. */
  texts: { language: string; title: string; plain: string }[]
}

/** Indexes articles in the caller's transaction, replacing their previous entries. */
export async function indexArticles(tx: Tx, orgId: OrgId, articles: readonly SearchableArticle[]): Promise<void> {
  const terms = new Terms(orgId)
  const changes = new WordChanges()
  const stems = new Map<string, Map<string, string>>()
  const rows: NewText[] = []
  for (const { id, knowledge_base_id, visibility, texts } of articles) {
    const scope = terms.ofScope(knowledge_base_id, visibility)
    for (const text of texts) {
      const {
        words,
        terms: found,
        ...analysed
      } = analyse(
        text,
        terms,
        stems.getOrInsertComputed(text.language, () => new Map()),
      )
      changes.add(text.language, words, 1)
      rows.push({ ...analysed, article_id: id, words: words.join(' '), terms: [...found, ...scope].join(' ') })
    }
  }
  await replace(
    tx,
    orgId,
    articles.map(({ id }) => id),
    rows,
    changes,
  )
}

export const unindexArticles = (tx: Tx, orgId: OrgId, articleIds: readonly string[]): Promise<void> =>
  replace(tx, orgId, articleIds, [], new WordChanges())

async function replace(
  tx: Tx,
  orgId: OrgId,
  articleIds: readonly string[],
  rows: readonly NewText[],
  changes: WordChanges,
): Promise<void> {
  if (articleIds.length === 0) return
  await lockIndex(tx, orgId)
  for (const { language, words } of await deleteTexts(tx, orgId, articleIds)) {
    if (words !== '') changes.add(language, words.split(' '), -1)
  }
  if (rows.length > 0) await insertTexts(tx, orgId, rows)
  await changes.write(tx, orgId)
}
