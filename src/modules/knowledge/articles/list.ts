import type { z } from 'zod'
import {
  type CursorPage,
  isCursorQuery,
  type OffsetPage,
  type Position,
  withPageDefaults,
} from '../../../platform/contract/pagination.ts'
import { type Db, foldCase, selectCombinedTotal } from '../../../platform/db/index.ts'
import { type Context, cursorPage, offsetPage } from '../../../platform/http/index.ts'
import { type OrgId, UUID_PATTERN } from '../../../platform/ids/index.ts'
import type { ArticleItem, articles } from './contract.ts'
import { type ArticleFilters, countListed, selectItems, selectListed, selectListedAfter } from './list-queries.ts'
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
        (limit) => selectListedAfter(ctx.readLong, ctx.orgId, filters, after, limit),
        (row) => row,
      )
    : await listPage(ctx, query, filters)
  const ids = page.data.map(({ id }) => id)
  return { ...page, data: await readItems(ctx.read, ctx.orgId, ids, publicUrl) }
}

function listPage(
  ctx: Context,
  query: { page: number; page_size: number; sort?: string | undefined },
  filters: ArticleFilters,
): Promise<OffsetPage<{ id: string }>> {
  const sort = query.sort === 'recent' || query.sort === 'title' ? query.sort : 'created'
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return offsetPage(ctx, query, {
    totals: ['articles'],
    count: isFiltered ? (db) => count(db, ctx.orgId, filters) : undefined,
    rows: (db, limit, offset) => selectListed(db, ctx.orgId, filters, sort, limit, offset),
    toItem: (row) => row,
  })
}

/** Triggers count the articles with each combination of values. Those of a category are apart, as there may be many categories. */
function count(db: Db, orgId: OrgId, filters: ArticleFilters): Promise<number> {
  const { category_id, knowledge_base_id, status, visibility, language, tag, search } = filters
  if (tag !== undefined || search !== undefined) return countListed(db, orgId, filters)
  const combined = { knowledge_base_id, status, visibility, language }
  return selectCombinedTotal(db, orgId, 'articles', category_id === undefined ? combined : { category_id, ...combined })
}

const toTagFilter = (idOrName: string) =>
  UUID_PATTERN.test(idOrName) ? { id: idOrName.toLowerCase() } : { name_folded: foldCase(idOrName) }

async function readItems(db: Db, orgId: OrgId, ids: readonly string[], publicUrl: string): Promise<ArticleItem[]> {
  const rows = await selectItems(db, orgId, ids)
  const names = Map.groupBy(await selectTagNames(db, orgId, ids), ({ article_id }) => article_id)
  return rows.map((row) => ({
    ...toItem(row, publicUrl),
    tag_names: (names.get(row.id) ?? []).map(({ name }) => name),
  }))
}
