import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { containsFolded, type Db, olderThan } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ArticleItemRow, fromArticles } from './queries.ts'

export interface ArticleFilters {
  knowledge_base_id?: string | undefined
  category_id?: string | undefined
  status?: ArticleItemRow['status'] | undefined
  visibility?: ArticleItemRow['visibility'] | undefined
  language?: string | undefined
  tag?: { id: string } | { name_folded: string } | undefined
  search?: string | undefined
}

const EQUALITIES = ['knowledge_base_id', 'category_id', 'status', 'visibility', 'language'] as const

function filtered(db: Db, orgId: OrgId, filters: ArticleFilters) {
  let query = fromArticles(db, orgId)
  for (const name of EQUALITIES) {
    const value = filters[name]
    if (value !== undefined) query = query.where(`articles.${name}`, '=', value)
  }
  const { tag, search } = filters
  if (tag !== undefined) query = query.where('articles.id', 'in', taggedWith(db, orgId, tag))
  return search ? query.where(contains(search)) : query
}

const taggedWith = (db: Db, orgId: OrgId, tag: NonNullable<ArticleFilters['tag']>) =>
  db
    .selectFrom('article_tag_assignments')
    .innerJoin('article_tags', 'article_tags.id', 'article_tag_assignments.tag_id')
    .select('article_id')
    .where('article_tag_assignments.org_id', '=', orgId)
    .where((eb) =>
      'id' in tag ? eb('article_tags.id', '=', tag.id) : eb('article_tags.name_folded', '=', tag.name_folded),
    )

const contains = (search: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${containsFolded('search_text', search)} or ${containsFolded('articles.slug', search)})`

export type ArticleSort = 'created' | 'recent' | 'title'

export const selectArticles = (
  db: Db,
  orgId: OrgId,
  filters: ArticleFilters,
  sort: ArticleSort,
  limit: number,
  offset: number,
): Promise<ArticleItemRow[]> => {
  const articles = filtered(db, orgId, filters).limit(limit).offset(offset)
  if (sort === 'title') return articles.orderBy('title_key').orderBy('articles.id').execute()
  const moment = sort === 'recent' ? 'articles.updated_at' : 'articles.created_at'
  return articles.orderBy(moment, 'desc').orderBy('articles.id', 'desc').execute()
}

export const selectArticlesAfter = (
  db: Db,
  orgId: OrgId,
  filters: ArticleFilters,
  after: Position | undefined,
  limit: number,
): Promise<ArticleItemRow[]> =>
  filtered(db, orgId, filters)
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position, 'articles')))
    .orderBy('articles.created_at', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .execute()

export const countArticles = async (db: Db, orgId: OrgId, filters: ArticleFilters): Promise<number> => {
  const { count } = await filtered(db, orgId, filters)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
