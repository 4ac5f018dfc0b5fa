import { sql } from 'kysely'
import { compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { isListed } from './queries.ts'

/** Queries of the sitemap and the feed. They are slow for large knowledge bases, so no page uses them. */

const counted = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string) =>
  db
    .selectFrom('articles as a')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('a.org_id', '=', orgId)
    .where('a.knowledge_base_id', '=', knowledgeBaseId)
    .where(isListed('a')),
)

export const countPublic = async (db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<number> =>
  Number((await counted(db, orgId, knowledgeBaseId))[0]?.total ?? 0)

/** One row per article and language. The offset applies to articles and is skipped in the index alone. */
export const selectAddresses = compiled(
  (db: Db, orgId: OrgId, knowledgeBaseId: string, limit: number, offset: number) =>
    db
      .selectFrom(
        db
          .selectFrom('articles as i')
          .select(['i.id', 'i.updated_at'])
          .where('i.org_id', '=', orgId)
          .where('i.knowledge_base_id', '=', knowledgeBaseId)
          .where(isListed('i'))
          .orderBy('i.updated_at')
          .orderBy('i.id')
          .limit(limit)
          .offset(offset)
          .as('part'),
      )
      .innerJoin('articles as a', 'a.id', 'part.id')
      .innerJoin('article_texts as t', 't.article_id', 'part.id')
      .select(['a.slug', 't.language', 't.updated_at']),
)

const SUMMARY_LENGTH = 300

/** The latest articles, each in this language if it is translated, otherwise in its own. */
export const selectEntries = compiled(
  (db: Db, orgId: OrgId, language: string, knowledgeBaseId: string, limit: number) =>
    db
      .selectFrom('articles as a')
      .innerJoin('article_texts as own', (join) =>
        join.onRef('own.article_id', '=', 'a.id').onRef('own.language', '=', 'a.language'),
      )
      .leftJoin('article_texts as wanted', (join) =>
        join.onRef('wanted.article_id', '=', 'a.id').on('wanted.language', '=', language),
      )
      .select(['a.id', 'a.slug', 'a.updated_at', 'a.published_at'])
      .select((eb) => [
        eb.fn.coalesce('wanted.language', 'own.language').as('language'),
        eb.fn.coalesce('wanted.title', 'own.title').as('title'),
        sql<string>`substr(coalesce(wanted.content_plain, own.content_plain), 1, ${sql.lit(SUMMARY_LENGTH)})`.as(
          'summary',
        ),
      ])
      .where('a.org_id', '=', orgId)
      .where('a.knowledge_base_id', '=', knowledgeBaseId)
      .where(isListed('a'))
      .orderBy('a.updated_at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(limit),
)
