import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  type Row,
  searchText,
  type Tx,
  unlessTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('article_texts', 'org_id', 'search_text')
export type TextRow = Row<'article_texts', typeof COLUMNS>

/** All texts of an article except the one in its own language. Newest first. */
const translations = (db: Db, orgId: OrgId, articleId: string, ownLanguage: string) =>
  db
    .selectFrom('article_texts')
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .where('language', '<>', ownLanguage)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')

export const selectTranslations = compiled(
  (db: Db, orgId: OrgId, articleId: string, ownLanguage: string, limit: number, offset: number) =>
    translations(db, orgId, articleId, ownLanguage).select(COLUMNS).limit(limit).offset(offset),
)

/** The sizes of all translations: there is at most one per language. */
export const selectTranslationSizes = compiled((db: Db, orgId: OrgId, articleId: string, ownLanguage: string) =>
  translations(db, orgId, articleId, ownLanguage).select(
    sql<number>`octet_length(content) + octet_length(content_plain)`.as('bytes'),
  ),
)

const byLanguage = compiled((db: Db, orgId: OrgId, articleId: string, language: string) =>
  db
    .selectFrom('article_texts')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .where('language', '=', language),
)

export const selectText = async (
  db: Db,
  orgId: OrgId,
  articleId: string,
  language: string,
): Promise<TextRow | undefined> => (await byLanguage(db, orgId, articleId, language))[0]

const derived = ({ title, content_plain }: TextRow) => ({ search_text: searchText(title, content_plain) })

export const insertText = async (tx: Tx, orgId: OrgId, row: TextRow): Promise<void> => {
  const insert = tx.insertInto('article_texts').values({ ...row, ...derived(row), org_id: orgId })
  await unlessTaken('article_texts_article_language_key', 'language', row.language, insert.execute())
}

export const updateText = async (tx: Tx, orgId: OrgId, row: TextRow): Promise<void> => {
  const { id, article_id: _, language: __, created_at: ___, ...values } = row
  await tx
    .updateTable('article_texts')
    .set({ ...values, ...derived(row) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

export const deleteText = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('article_texts').where('org_id', '=', orgId).where('id', '=', id).execute()
}
