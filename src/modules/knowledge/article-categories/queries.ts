import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  deleteRows,
  type Row,
  type Tx,
  totalNamed,
  totalOf,
  unlessTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('article_categories', 'org_id')
export type NewCategory = Row<'article_categories', typeof COLUMNS>
export type CategoryRow = NewCategory & { article_count: number }

const SLUG_KEY = 'article_categories_org_slug_key'

/**
 * A subquery per returned row. With a join the planner may start from the counters, and then no longer reads the
 * categories in index order.
 */
const articleCount = (orgId: OrgId) =>
  totalNamed(orgId, sql`${sql.lit(totalOf('articles', 'category_id', ''))} || article_categories.id`).as(
    'article_count',
  )

const from = (db: Db, orgId: OrgId) =>
  db.selectFrom('article_categories').select(COLUMNS).select(articleCount(orgId)).where('org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => from(db, orgId).where('id', '=', id))

export const selectCategory = async (db: Db, orgId: OrgId, id: string): Promise<CategoryRow | undefined> =>
  (await byId(db, orgId, id))[0]

export interface CategoryFilters {
  knowledge_base_id?: string | undefined
  parent_id?: string | undefined
  root_only?: boolean | undefined
}

const filtered = (db: Db, orgId: OrgId, { knowledge_base_id, parent_id, root_only }: CategoryFilters) =>
  from(db, orgId)
    .$if(knowledge_base_id !== undefined, (query) => query.where('knowledge_base_id', '=', knowledge_base_id as string))
    .$if(parent_id !== undefined, (query) => query.where('parent_id', '=', parent_id as string))
    .$if(root_only === true, (query) => query.where('parent_id', 'is', null))

export const selectCategories = (
  db: Db,
  orgId: OrgId,
  filters: CategoryFilters,
  sort: 'recent' | 'sort_order',
  limit: number,
  offset: number,
): Promise<CategoryRow[]> => {
  const categories = filtered(db, orgId, filters).limit(limit).offset(offset)
  return sort === 'sort_order'
    ? categories.orderBy('sort_order').orderBy('id').execute()
    : categories.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
}

export const countCategories = async (db: Db, orgId: OrgId, filters: CategoryFilters): Promise<number> => {
  const { count } = await filtered(db, orgId, filters)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Every category of a knowledge base, oldest first. A category that was moved can come before its parent. */
export const selectAllCategories = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string) =>
  from(db, orgId).where('knowledge_base_id', '=', knowledgeBaseId).orderBy('created_at').orderBy('id'),
)

/** The parent and the number of direct articles of each category of a knowledge base. */
export const selectTreeNodes = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string) =>
  db
    .selectFrom('article_categories')
    .select(['id', 'parent_id'])
    .select(articleCount(orgId))
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '=', knowledgeBaseId),
)

const anyOf = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string) =>
  db
    .selectFrom('article_categories')
    .select('id')
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .limit(1),
)

export const hasCategories = async (db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<boolean> =>
  (await anyOf(db, orgId, knowledgeBaseId)).length > 0

export const insertCategory = async (tx: Tx, orgId: OrgId, row: NewCategory): Promise<void> => {
  const insert = tx.insertInto('article_categories').values({ ...row, org_id: orgId })
  await unlessTaken(SLUG_KEY, 'slug', row.slug, insert.execute())
}

export const updateCategoryRow = async (tx: Tx, orgId: OrgId, row: CategoryRow): Promise<void> => {
  const { id, knowledge_base_id: _, created_at: __, article_count: ___, ...values } = row
  const update = tx.updateTable('article_categories').set(values).where('org_id', '=', orgId).where('id', '=', id)
  await unlessTaken(SLUG_KEY, 'slug', row.slug, update.execute())
}

/** One by one on SQLite, so the categories within another one come first. */
export const deleteCategoryRows = (tx: Tx, orgId: OrgId, ids: readonly string[]): Promise<void> =>
  deleteRows(tx, orgId, 'article_categories', ids)
