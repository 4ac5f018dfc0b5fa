import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  deleteRows,
  type Row,
  runWithoutResult,
  searchText,
  sortKey,
  type Tx,
  unlessTaken,
  withoutIndex,
  withPrefix,
} from '../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { selectOldSlugOwner } from './old-slug-queries.ts'

const COLUMNS = columnsExcept('articles', 'org_id', 'title_key', 'is_empty')
const ITEM_COLUMNS = [...withPrefix('articles', COLUMNS), 'title'] as const

/** The public slug of the article's knowledge base; null while that is not published. */
const CENTRE_SLUG = sql<string | null>`case when knowledge_bases.is_published then knowledge_bases.public_slug end`.as(
  'centre_slug',
)

/** An article without its content, of which a page of 100 articles could have 100 MB. */
export type ArticleItemRow = Row<'articles', typeof COLUMNS> & { title: string; centre_slug: string | null }
export type ArticleRow = ArticleItemRow &
  Pick<Row<'article_texts'>, 'content' | 'content_plain' | 'warnings' | 'revision'>

/** Articles joined with the text in their own language, and with their knowledge base. */
export const fromArticles = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('articles')
    .innerJoin('article_texts', (join) =>
      join
        .onRef('article_texts.article_id', '=', 'articles.id')
        .onRef('article_texts.language', '=', 'articles.language'),
    )
    // Outer, so that no engine begins with the knowledge bases and reads all their articles.
    .leftJoin('knowledge_bases', (join) =>
      join
        .onRef('knowledge_bases.id', '=', 'articles.knowledge_base_id')
        .onRef('knowledge_bases.org_id', '=', 'articles.org_id'),
    )
    .select(ITEM_COLUMNS)
    .select(CENTRE_SLUG)
    .where(withoutIndex(db, 'articles.org_id'), '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  fromArticles(db, orgId).select(['content', 'content_plain', 'warnings', 'revision']).where('articles.id', '=', id),
)

const headById = compiled((db: Db, orgId: OrgId, id: string) =>
  fromArticles(db, orgId)
    .clearSelect()
    .select(['articles.id', 'articles.slug', 'articles.language', 'status', 'visibility', 'version_number', 'revision'])
    .select(CENTRE_SLUG)
    .where('articles.id', '=', id),
)

/** Enough for reading its tags, translations and versions. The whole article may be half a megabyte. */
export type ArticleHead = Pick<
  ArticleRow,
  'id' | 'slug' | 'language' | 'status' | 'visibility' | 'centre_slug' | 'version_number' | 'revision'
>

export const selectHead = async (db: Db, orgId: OrgId, id: string): Promise<ArticleHead | undefined> =>
  (await headById(db, orgId, id))[0]

export const selectArticle = async (db: Db, orgId: OrgId, id: string): Promise<ArticleRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const hasArticles = async (db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<boolean> => {
  const found = await db
    .selectFrom('articles')
    .select('id')
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .limit(1)
    .execute()
  return found.length > 0
}

export const selectIdsIn = async (db: Db, orgId: OrgId, categoryIds: readonly string[]): Promise<string[]> => {
  const found = await db
    .selectFrom('articles')
    .select('id')
    .where('org_id', '=', orgId)
    .where('category_id', 'in', categoryIds)
    .execute()
  return found.map(({ id }) => id)
}

const bySlug = compiled((db: Db, orgId: OrgId, slug: string) =>
  db.selectFrom('articles').select('id').where('org_id', '=', orgId).where('slug', '=', slug),
)

/** A slug is taken by an article, or as an old slug that still redirects to one. */
export const isSlugTaken = async (db: Db, orgId: OrgId, slug: string): Promise<boolean> =>
  (await bySlug(db, orgId, slug)).length > 0 || (await selectOldSlugOwner(db, orgId, slug)) !== undefined

const SLUG_KEY = 'articles_org_slug_key'
const LANGUAGE_KEY = 'article_texts_article_language_key'

const toArticleValues = (row: ArticleRow) => {
  const { title, centre_slug: _, content, content_plain: __, warnings: ___, revision: ____, ...values } = row
  return { ...values, title_key: sortKey(title), is_empty: content.trim() === '' }
}

const toTextValues = ({ language, title, content, content_plain, warnings, revision }: ArticleRow) => ({
  language,
  title,
  content,
  content_plain,
  warnings,
  revision,
  search_text: searchText(title, content_plain),
})

const insertText = async (tx: Tx, orgId: OrgId, row: ArticleRow): Promise<void> => {
  const { id: article_id, created_at, updated_at } = row
  const text = { ...toTextValues(row), id: newId(), org_id: orgId, article_id, created_at, updated_at }
  await runWithoutResult(tx, tx.insertInto('article_texts').values(text))
}

export const insertArticle = async (tx: Tx, orgId: OrgId, row: ArticleRow): Promise<void> => {
  const insert = tx.insertInto('articles').values({ ...toArticleValues(row), org_id: orgId })
  await unlessTaken(SLUG_KEY, 'slug', row.slug, insert.execute())
  await insertText(tx, orgId, row)
}

/** Returns false if the slug is taken. */
export const insertUnlessSlugTaken = async (tx: Tx, orgId: OrgId, row: ArticleRow): Promise<boolean> => {
  const inserted = await tx
    .insertInto('articles')
    .values({ ...toArticleValues(row), org_id: orgId })
    .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
    .returning('id')
    .execute()
  if (inserted.length === 0) return false
  if ((await selectOldSlugOwner(tx, orgId, row.slug)) !== undefined) {
    await deleteArticleRows(tx, orgId, [row.id])
    return false
  }
  await insertText(tx, orgId, row)
  return true
}

export const updateArticleRow = async (tx: Tx, orgId: OrgId, row: ArticleRow): Promise<void> => {
  const { id, created_at: _, ...values } = toArticleValues(row)
  const update = tx.updateTable('articles').set(values).where('org_id', '=', orgId).where('id', '=', id)
  await unlessTaken(SLUG_KEY, 'slug', row.slug, update.execute())
}

/** Updates the article's own text, and its language. Throws 409 if a translation has the new language. */
export const updateTextRow = async (tx: Tx, orgId: OrgId, before: ArticleRow, row: ArticleRow): Promise<void> => {
  const { content, content_plain, warnings, ...values } = toTextValues(row)
  // PostgreSQL would store a long text once more, even if it is the same.
  const isSame = content === before.content && content_plain === before.content_plain
  const rewritten = isSame ? {} : { content, content_plain, warnings }
  const update = tx
    .updateTable('article_texts')
    .set({ ...values, ...rewritten, updated_at: row.updated_at })
    .where('org_id', '=', orgId)
    .where('article_id', '=', row.id)
    .where('language', '=', before.language)
  await unlessTaken(LANGUAGE_KEY, 'language', row.language, update.execute())
}

/** Foreign keys delete what belongs to the articles. */
/** Also their texts and versions, so one takes longer than other rows. */
export const deleteArticleRows = (tx: Tx, orgId: OrgId, ids: readonly string[]): Promise<void> =>
  deleteRows(tx, orgId, 'articles', ids, { rowsMax: 25 })
