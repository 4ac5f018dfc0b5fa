import type { z } from 'zod'
import { noteCreated, noteDeleted } from '../../../platform/audit/index.ts'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { lockRow, lockRows, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { ArticleTag, ArticleTagCreate, articleTags } from './contract.ts'
import { countTags, deleteTagRow, insertTag, searchTags, selectTag, selectTags, type TagRow } from './queries.ts'

type ListQuery = z.output<typeof articleTags.list.declared.query>

export const toArticleTag = ({ id, name, created_at }: TagRow): ArticleTag => ({
  object: 'article_tag',
  id,
  name,
  created_at,
})

export function listTags(ctx: Context, { search, ...query }: ListQuery): Promise<OffsetPage<ArticleTag>> {
  return offsetPage(ctx, query, {
    totals: ['article_tags'],
    count: search === undefined ? undefined : (db) => countTags(db, ctx.orgId, search),
    rows: (db, limit, offset) =>
      search === undefined
        ? selectTags(db, ctx.orgId, limit, offset)
        : searchTags(db, ctx.orgId, search, limit, offset),
    toItem: toArticleTag,
  })
}

export function createTag(ctx: Context, input: ArticleTagCreate): Promise<ArticleTag> {
  const tag = { id: newId(), name: input.name, created_at: ctx.now }
  return ctx.write(async (tx) => {
    await insertTag(tx, ctx.orgId, tag)
    const created = toArticleTag(tag)
    noteCreated(tx, created)
    return created
  })
}

export async function getTag(ctx: Context, id: string): Promise<ArticleTag> {
  const row = await selectTag(ctx.read, ctx.orgId, id)
  if (row === undefined) throw await notFoundOrGone(ctx.read, ctx.orgId, 'article_tag', id)
  return toArticleTag(row)
}

/** Locks tags against deletion until the transaction ends. Returns the first ID that does not exist. */
export async function lockReferencedTags(tx: Tx, orgId: OrgId, ids: readonly string[]): Promise<string | undefined> {
  const found = await lockRows(tx, orgId, 'article_tags', ids, 'reference')
  return ids.find((id) => !found.has(id))
}

export function deleteTag(ctx: Context, id: string): Promise<void> {
  return ctx.writeInPieces(async (tx) => {
    await lockRow(tx, ctx.orgId, 'article_tags', id)
    const row = await selectTag(tx, ctx.orgId, id)
    if (row === undefined) throw await notFoundOrGone(tx, ctx.orgId, 'article_tag', id)
    await deleteTagRow(tx, ctx.orgId, id)
    noteDeleted(tx, toArticleTag(row))
    await insertTombstone(tx, ctx.orgId, 'article_tag', id, ctx.now)
  })
}
