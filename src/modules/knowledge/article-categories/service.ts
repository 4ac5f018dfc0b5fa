import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emit } from '../../../platform/outbox/index.ts'
import { inOrder, lockReferencedKnowledgeBase, type NameTranslations } from '../knowledge-bases/index.ts'
import type { ArticleCategory, ArticleCategoryCreate, ArticleCategoryUpdate, articleCategories } from './contract.ts'
import { articleCategoryEvents } from './events.ts'
import {
  type CategoryFilters,
  type CategoryRow,
  countCategories,
  insertCategory,
  selectCategories,
  selectCategory,
  selectTreeNodes,
  updateCategoryRow,
} from './queries.ts'
import { isWithin } from './tree.ts'

type ListQuery = z.output<typeof articleCategories.list.declared.query>

export async function listCategories(ctx: Context, query: ListQuery): Promise<OffsetPage<ArticleCategory>> {
  const filters = await resolveFilters(ctx, query)
  if (filters === undefined) return { data: [], total: 0 }
  const hasFilters = Object.values(filters).some((value) => value !== undefined && value !== false)
  return offsetPage(ctx, query, {
    totals: ['article_categories'],
    count: hasFilters ? (db) => countCategories(db, ctx.orgId, filters) : undefined,
    rows: (db, limit, offset) => selectCategories(db, ctx.orgId, filters, query.sort, limit, offset),
    toItem: toArticleCategory,
  })
}

/**
 * A category and its children are in the same knowledge base. So with both filters the parent alone is enough, or
 * nothing matches: then it returns undefined.
 */
async function resolveFilters(ctx: Context, query: ListQuery): Promise<CategoryFilters | undefined> {
  const { knowledge_base_id, parent_id, root_only } = query
  if (parent_id === undefined) return { knowledge_base_id, root_only }
  if (knowledge_base_id === undefined) return { parent_id }
  const parent = await selectCategory(ctx.read, ctx.orgId, parent_id)
  return parent?.knowledge_base_id === knowledge_base_id ? { parent_id } : undefined
}

export async function createCategory(tx: Tx, ctx: Context, input: ArticleCategoryCreate): Promise<ArticleCategory> {
  const { name, slug, knowledge_base_id, parent_id = null } = input
  await lockReferencedKnowledgeBase(tx, ctx.orgId, knowledge_base_id)
  await lockParent(tx, ctx.orgId, knowledge_base_id, parent_id)
  const row = {
    id: newId(),
    knowledge_base_id,
    parent_id,
    name,
    slug,
    description: input.description ?? null,
    icon: input.icon ?? 'folder-closed',
    sort_order: input.sort_order ?? 0,
    translations: input.translations ?? {},
    created_at: ctx.now,
  }
  await insertCategory(tx, ctx.orgId, row)
  const category = toArticleCategory({ ...row, article_count: 0 })
  await emit(tx, ctx.orgId, articleCategoryEvents, 'article_category.created', category, ctx.now)
  return category
}

export const getCategory = async (ctx: Context, id: string): Promise<ArticleCategory> =>
  toArticleCategory(await requireCategory(ctx.read, ctx.orgId, id))

export async function updateCategory(
  tx: Tx,
  ctx: Context,
  id: string,
  input: ArticleCategoryUpdate,
): Promise<ArticleCategory> {
  const { parent_id } = input
  const row = await (parent_id === undefined ? lockCategory : lockTree)(tx, ctx.orgId, id)
  if (parent_id !== undefined) await requireValidMove(tx, ctx.orgId, row, parent_id)
  const before = toArticleCategory(row)
  const updated: CategoryRow = { ...row, ...sentFields(input) }
  const after = toArticleCategory(updated)
  const changes = changesOf(before, after)
  if (changes === undefined) return before
  await updateCategoryRow(tx, ctx.orgId, updated)
  await emit(tx, ctx.orgId, articleCategoryEvents, 'article_category.updated', { ...after, changes }, ctx.now)
  return after
}

async function requireCategory(db: Db, orgId: OrgId, id: string): Promise<CategoryRow> {
  const row = await selectCategory(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'article_category', id)
  return row
}

/**
 * Locks a category before it is moved or deleted, and its whole knowledge base with it: nothing is added or moved there
 * until the transaction ends. Otherwise two concurrent moves could each put the other category below itself. Lock
 * order: knowledge base, category, article.
 */
export async function lockTree(tx: Tx, orgId: OrgId, id: string): Promise<CategoryRow> {
  const { knowledge_base_id } = await requireCategory(tx, orgId, id)
  await lockRow(tx, orgId, 'knowledge_bases', knowledge_base_id)
  return lockCategory(tx, orgId, id)
}

async function lockCategory(tx: Tx, orgId: OrgId, id: string): Promise<CategoryRow> {
  await lockRow(tx, orgId, 'article_categories', id)
  return requireCategory(tx, orgId, id)
}

async function requireValidMove(tx: Tx, orgId: OrgId, row: CategoryRow, parentId: string | null): Promise<void> {
  if (parentId === null || parentId === row.parent_id) return
  await lockParent(tx, orgId, row.knowledge_base_id, parentId)
  // Reads the whole tree: a recursive query takes minutes when the planner misjudges how a very deep tree branches.
  if (isWithin(await selectTreeNodes(tx, orgId, row.knowledge_base_id), parentId, row.id)) {
    throw unprocessable('parent_id', parentId, 'a category cannot be inside itself or one of its subcategories')
  }
}

/** Locks the parent against deletion until the transaction ends; throws 422 if it is not in the knowledge base. */
async function lockParent(tx: Tx, orgId: OrgId, knowledgeBaseId: string, parentId: string | null): Promise<void> {
  if (parentId === null) return
  await lockRow(tx, orgId, 'article_categories', parentId, 'reference')
  const parent = await selectCategory(tx, orgId, parentId)
  if (parent === undefined) throw unprocessable('parent_id', parentId, 'there is no article category with this id')
  if (parent.knowledge_base_id !== knowledgeBaseId) {
    throw unprocessable('parent_id', parentId, 'this article category is in another knowledge base')
  }
}

function toArticleCategory(row: CategoryRow): ArticleCategory {
  const { id, knowledge_base_id, parent_id, name, slug, description, sort_order, article_count, created_at } = row
  return {
    object: 'article_category',
    id,
    knowledge_base_id,
    parent_id,
    name,
    slug,
    description,
    icon: row.icon as ArticleCategory['icon'],
    sort_order,
    translations: inOrder(row.translations as NameTranslations),
    article_count,
    created_at,
  }
}
