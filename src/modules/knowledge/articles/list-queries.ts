import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { containsFolded, type Db, olderThan, withoutIndex } from '../../../platform/db/index.ts'
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

export type ArticleSort = 'created' | 'recent' | 'title'

/**
 * The articles of a list, without their rows: the indexes have all columns that lists are filtered by, so skipping or
 * counting an article takes less than a microsecond.
 */
function listed(db: Db, orgId: OrgId, filters: ArticleFilters, sort: ArticleSort) {
  let query = db.selectFrom('articles').where('articles.org_id', '=', orgId)
  for (const name of EQUALITIES) {
    const value = filters[name]
    // Otherwise, all articles with this value would be read and sorted. Those of a knowledge base have an index for each order.
    const hasIndex = sort === 'created' || name === 'knowledge_base_id'
    const column = hasIndex ? sql.ref(`articles.${name}`) : withoutIndex(db, `articles.${name}`)
    if (value !== undefined) query = query.where(column, '=', value)
  }
  const { tag, search } = filters
  if (tag !== undefined) query = query.where('articles.id', 'in', taggedWith(db, orgId, tag))
  return query.$if(search !== undefined, (all) =>
    all
      .innerJoin('article_texts', (join) =>
        join
          .onRef('article_texts.article_id', '=', 'articles.id')
          .onRef('article_texts.language', '=', 'articles.language'),
      )
      .where(contains(search as string)),
  )
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

export const selectListed = (
  db: Db,
  orgId: OrgId,
  filters: ArticleFilters,
  sort: ArticleSort,
  limit: number,
  offset: number,
): Promise<{ id: string }[]> => {
  const articles = listed(db, orgId, filters, sort).select('articles.id').limit(limit).offset(offset)
  if (sort === 'title') return articles.orderBy('title_key').orderBy('articles.id').execute()
  const moment = sort === 'recent' ? 'articles.updated_at' : 'articles.created_at'
  return articles.orderBy(moment, 'desc').orderBy('articles.id', 'desc').execute()
}

export const selectListedAfter = (
  db: Db,
  orgId: OrgId,
  filters: ArticleFilters,
  after: Position | undefined,
  limit: number,
): Promise<Position[]> =>
  listed(db, orgId, filters, 'created')
    .select(['articles.created_at', 'articles.id'])
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position, 'articles')))
    .orderBy('articles.created_at', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .execute()

export const countListed = async (db: Db, orgId: OrgId, filters: ArticleFilters): Promise<number> => {
  const { count } = await listed(db, orgId, filters, 'created')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** In the order of the ids. An article that was deleted meanwhile is left out. */
export const selectItems = async (db: Db, orgId: OrgId, ids: readonly string[]): Promise<ArticleItemRow[]> => {
  if (ids.length === 0) return []
  const rows = await fromArticles(db, orgId).where('articles.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
