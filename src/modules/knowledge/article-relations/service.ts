import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { type Db, lockRows, type Tx } from '../../../platform/db/index.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type ArticleRow, changeArticle, lockArticle, requireArticle, requireHead } from '../articles/index.ts'
import type { ArticleRelation, ArticleRelationCreate, ArticleRelationsReplace } from './contract.ts'
import {
  countRelations,
  insertRelation,
  type RelationRow,
  selectRelated,
  selectRelations,
  updateRelations,
} from './queries.ts'

export async function listRelations(
  ctx: Context,
  id: string,
  query: OffsetQuery,
): Promise<OffsetPage<ArticleRelation>> {
  await requireHead(ctx.read, ctx.orgId, id)
  return relationsPage(ctx, ctx.read, id, query)
}

export function replaceRelations(
  ctx: Context,
  id: string,
  { related_article_ids, mode }: ArticleRelationsReplace,
  query: OffsetQuery,
  publicUrl: string,
): Promise<OffsetPage<ArticleRelation>> {
  return ctx.write(async (tx) => {
    const toField = (n: number) => `related_article_ids[${n}]`
    const article = await lockWithRelated(tx, ctx, id, related_article_ids, toField)
    const before = await selectRelated(tx, ctx.orgId, id)
    const kept = mode === 'add' ? toIds(before) : []
    const relatedIds = [...new Set([...kept, ...related_article_ids])]
    await changeRelations(tx, ctx, article, { before, relatedIds }, publicUrl)
    return relationsPage(ctx, tx, id, query)
  })
}

export function createRelation(
  ctx: Context,
  id: string,
  { related_article_id }: ArticleRelationCreate,
  publicUrl: string,
): Promise<ArticleRelation> {
  return ctx.write(async (tx) => {
    const article = await lockWithRelated(tx, ctx, id, [related_article_id], () => 'related_article_id')
    const before = await selectRelated(tx, ctx.orgId, id)
    const sort_order = (before.at(-1)?.sort_order ?? -1) + 1
    await insertRelation(tx, ctx.orgId, id, { related_article_id, sort_order })
    const from = toIds(before)
    await emitArticleUpdated(tx, ctx, article, { from, to: [...from, related_article_id] }, publicUrl)
    const related = await requireArticle(tx, ctx.orgId, related_article_id)
    return toRelation(id, related_article_id, related.title)
  })
}

export function deleteRelation(ctx: Context, id: string, relatedId: string, publicUrl: string): Promise<void> {
  return ctx.write(async (tx) => {
    const article = await lockArticle(tx, ctx.orgId, id)
    const before = await selectRelated(tx, ctx.orgId, id)
    const remaining = toIds(before).filter((related) => related !== relatedId)
    if (remaining.length === before.length) throw new ApiError('not_found', 'The two articles are not related.')
    await changeRelations(tx, ctx, article, { before, relatedIds: remaining }, publicUrl)
  })
}

async function relationsPage(
  ctx: Context,
  db: Db,
  id: string,
  { page, page_size }: OffsetQuery,
): Promise<OffsetPage<ArticleRelation>> {
  const rows = await selectRelations(db, ctx.orgId, id, page_size, (page - 1) * page_size)
  const data = rows.map(({ related_article_id, title }) => toRelation(id, related_article_id, title))
  return { data, total: await countRelations(db, ctx.orgId, id) }
}

async function changeRelations(
  tx: Tx,
  ctx: Context,
  article: ArticleRow,
  { before, relatedIds }: { before: readonly RelationRow[]; relatedIds: readonly string[] },
  publicUrl: string,
): Promise<void> {
  const rows = relatedIds.map((related_article_id, sort_order) => ({ related_article_id, sort_order }))
  await updateRelations(tx, ctx.orgId, article.id, rows)
  await emitArticleUpdated(tx, ctx, article, { from: toIds(before), to: relatedIds }, publicUrl)
}

/** Changed relations are a change of their article. */
async function emitArticleUpdated(
  tx: Tx,
  ctx: Context,
  article: ArticleRow,
  { from, to }: { from: readonly string[]; to: readonly string[] },
  publicUrl: string,
): Promise<void> {
  if (from.join() === to.join()) return
  await changeArticle(tx, ctx, article, {}, publicUrl, { otherChanges: { related_article_ids: { from, to } } })
}

/**
 * Locks an article and its related articles until the transaction ends; throws 422 if a related one is the article
 * itself or does not exist, which `toField` names. One statement locks all of them in ID order: otherwise two requests that relate a pair of
 * articles to each other would deadlock.
 */
async function lockWithRelated(
  tx: Tx,
  { orgId }: Context,
  id: string,
  relatedIds: readonly string[],
  toField: (n: number) => string,
): Promise<ArticleRow> {
  const found = await lockRows(tx, orgId, 'articles', [id, ...relatedIds], 'change')
  const article = await requireArticle(tx, orgId, id)
  const invalid = relatedIds.find((related) => related === id || !found.has(related))
  if (invalid === undefined) return article
  const problem =
    invalid === id ? 'an article cannot be related to itself' : 'there is no article with this id in your organisation'
  throw unprocessable(toField(relatedIds.indexOf(invalid)), invalid, problem)
}

const toIds = (rows: readonly RelationRow[]): string[] => rows.map(({ related_article_id }) => related_article_id)

const toRelation = (article_id: string, related_article_id: string, related_title: string): ArticleRelation => ({
  object: 'article_relation',
  article_id,
  related_article_id,
  related_title,
})
