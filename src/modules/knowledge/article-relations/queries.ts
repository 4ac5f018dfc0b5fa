import { type Db, insertRows, type Row, type Tx, unlessTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const KEY = 'article_relations_pkey'

export type RelationRow = Pick<Row<'article_relations'>, 'related_article_id' | 'sort_order'>

/** Rows are in display order, with titles in the articles' own languages. */
export const selectRelations = (
  db: Db,
  orgId: OrgId,
  articleId: string,
  limit: number,
  offset: number,
): Promise<{ related_article_id: string; title: string }[]> =>
  db
    .selectFrom('article_relations')
    .innerJoin('articles', 'articles.id', 'article_relations.related_article_id')
    .innerJoin('article_texts', (join) =>
      join
        .onRef('article_texts.article_id', '=', 'articles.id')
        .onRef('article_texts.language', '=', 'articles.language'),
    )
    .select(['related_article_id', 'title'])
    .where('article_relations.org_id', '=', orgId)
    .where('article_relations.article_id', '=', articleId)
    .orderBy('sort_order')
    .orderBy('related_article_id')
    .limit(limit)
    .offset(offset)
    .execute()

/** All relations of an article, in display order. */
export const selectRelated = (db: Db, orgId: OrgId, articleId: string): Promise<RelationRow[]> =>
  db
    .selectFrom('article_relations')
    .select(['related_article_id', 'sort_order'])
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .orderBy('sort_order')
    .orderBy('related_article_id')
    .execute()

export const countRelations = async (db: Db, orgId: OrgId, articleId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('article_relations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertRelation = async (tx: Tx, orgId: OrgId, articleId: string, row: RelationRow): Promise<void> => {
  const insert = tx.insertInto('article_relations').values({ ...row, org_id: orgId, article_id: articleId })
  await unlessTaken(KEY, 'related_article_id', row.related_article_id, insert.execute())
}

export const updateRelations = async (
  tx: Tx,
  orgId: OrgId,
  articleId: string,
  rows: readonly RelationRow[],
): Promise<void> => {
  await tx.deleteFrom('article_relations').where('org_id', '=', orgId).where('article_id', '=', articleId).execute()
  await insertRows(
    tx,
    'article_relations',
    rows.map((row) => ({ ...row, org_id: orgId, article_id: articleId })),
  )
}
