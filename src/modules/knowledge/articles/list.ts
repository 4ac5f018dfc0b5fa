import type { z } from 'zod'
import {
  type CursorPage,
  isCursorQuery,
  type OffsetPage,
  type Position,
  withPageDefaults,
} from '../../../platform/contract/pagination.ts'
import { type Db, foldCase, totalOf } from '../../../platform/db/index.ts'
import { type Context, cursorPage, offsetPage } from '../../../platform/http/index.ts'
import { type OrgId, UUID_PATTERN } from '../../../platform/ids/index.ts'
import type { ArticleItem, articles } from './contract.ts'
import { type ArticleFilters, countArticles, selectArticles, selectArticlesAfter } from './list-queries.ts'
import type { ArticleItemRow } from './queries.ts'
import { selectTagNames } from './tags/tag-queries.ts'
import { toItem } from './to-article.ts'

type ListQuery = z.output<typeof articles.list.declared.query>

export async function listArticles(
  ctx: Context,
  sent: ListQuery,
  after: Position | undefined,
  publicUrl: string,
): Promise<OffsetPage<ArticleItem> | CursorPage<ArticleItem>> {
  const query = withPageDefaults(sent)
  const { knowledge_base_id, category_id, status, visibility, language, search } = query
  const tag = query.tag === undefined ? undefined : toTagFilter(query.tag)
  const filters = { knowledge_base_id, category_id, status, visibility, language, tag, search: search || undefined }
  const page = isCursorQuery(sent)
    ? await cursorPage(
        query,
        (limit) => selectArticlesAfter(ctx.readLong, ctx.orgId, filters, after, limit),
        (row) => row,
      )
    : await listPage(ctx, query, filters)
  return { ...page, data: await toItems(ctx.read, ctx.orgId, page.data, publicUrl) }
}

function listPage(
  ctx: Context,
  query: { page: number; page_size: number; sort?: string | undefined },
  filters: ArticleFilters,
): Promise<OffsetPage<ArticleItemRow>> {
  const { status, category_id, ...others } = filters
  const sort = query.sort === 'recent' || query.sort === 'title' ? query.sort : 'created'
  const hasOthers = Object.values(others).some((value) => value !== undefined)
  // `row_totals` has totals by status and by category, not by both.
  const hasTotal = !hasOthers && (status === undefined || category_id === undefined)
  return offsetPage(ctx, query, {
    totals: [
      status !== undefined
        ? totalOf('articles', 'status', status)
        : category_id !== undefined
          ? totalOf('articles', 'category_id', category_id)
          : 'articles',
    ],
    count: hasTotal ? undefined : (db) => countArticles(db, ctx.orgId, filters),
    rows: (db, limit, offset) => selectArticles(db, ctx.orgId, filters, sort, limit, offset),
    toItem: (row) => row,
  })
}

const toTagFilter = (idOrName: string) =>
  UUID_PATTERN.test(idOrName) ? { id: idOrName.toLowerCase() } : { name_folded: foldCase(idOrName) }

async function toItems(
  db: Db,
  orgId: OrgId,
  rows: readonly ArticleItemRow[],
  publicUrl: string,
): Promise<ArticleItem[]> {
  const ids = rows.map(({ id }) => id)
  const names = Map.groupBy(await selectTagNames(db, orgId, ids), ({ article_id }) => article_id)
  return rows.map((row) => ({
    ...toItem(row, publicUrl),
    tag_names: (names.get(row.id) ?? []).map(({ name }) => name),
  }))
}
