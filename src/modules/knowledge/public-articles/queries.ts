import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiled, type Db, isSqlite } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Announced by the same triggers, on PostgreSQL. The key is the organisation. */
export const HELP_CENTRES_TOPIC = 'help_centres'

/** Not part of a backup. */
export const HELP_CENTRE_TABLES_LEFT_OUT = {
  knowledge_base_revisions: 'triggers change the revisions during a restore',
}

const COLUMNS = [
  'k.id',
  'k.org_id',
  'k.name',
  'k.public_slug',
  'k.description',
  'k.logo_url',
  'k.primary_color',
  'k.contact_email',
  'k.contact_phone',
  'k.is_published',
  'k.default_language',
  'k.translations',
] as const

const byPublicSlug = compiled((db: Db, publicSlug: string) =>
  db
    .selectFrom('knowledge_bases as k')
    .innerJoin('organisations as o', 'o.id', 'k.org_id')
    .leftJoin('knowledge_base_revisions as r', 'r.knowledge_base_id', 'k.id')
    .select([...COLUMNS, 'o.name as org_name', 'o.logo_url as org_logo_url', 'o.brand', 'r.revision'])
    .where('k.public_slug', '=', publicSlug),
)

/** One row for each slot of the revision. Has no organisation filter: the public slug determines the organisation. */
export const selectCentre = (db: Db, publicSlug: string) => byPublicSlug(db, publicSlug)

const addressBySlug = compiled((db: Db, publicSlug: string) =>
  db.selectFrom('knowledge_base_addresses').select('id').where('id', '=', publicSlug),
)

/** Whether any knowledge base has ever had this public slug. Has no organisation filter either. */
export const wasPublicSlugUsed = async (db: Db, publicSlug: string): Promise<boolean> =>
  (await addressBySlug(db, publicSlug)).length > 0

/** Whether visitors may read it. */
export const isPublic = (articles: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${articles}.status`)} = 'published' and ${sql.ref(`${articles}.visibility`)} = 'public')`

/** Whether lists show it: not without content. Literals, not parameters, or the engines do not use the partial indexes. */
export const isListed = (articles: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isPublic(articles)} and not ${sql.ref(`${articles}.is_empty`)})`

/** Reading the languages of all articles would take too long. */
const LATEST_MAX = 100

const latestLanguages = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string) =>
  db
    .selectFrom(
      db
        .selectFrom('articles as a')
        .select('a.id')
        .where('a.org_id', '=', orgId)
        .where('a.knowledge_base_id', '=', knowledgeBaseId)
        .where(isListed('a'))
        .orderBy('a.updated_at', 'desc')
        .orderBy('a.id', 'desc')
        .limit(sql.lit(LATEST_MAX))
        .as('latest'),
    )
    .innerJoin('article_texts as t', 't.article_id', 'latest.id')
    .select('t.language')
    .distinct(),
)

/** Returns the languages of the latest articles. */
export const selectLatestLanguages = async (db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<string[]> =>
  (await latestLanguages(db, orgId, knowledgeBaseId)).map(({ language }) => language)

/** Texts per language of an organisation. Most of them may be in other knowledge bases. */
const INDEXED_MAX = 500

/** Returns those of the languages that an article in the search index has. It may be a few seconds behind. */
export async function selectIndexedLanguages(
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  languages: readonly string[],
): Promise<string[]> {
  if (languages.length === 0) return []
  const wanted = isSqlite(db)
    ? sql`json_each(${languages})`
    : sql`(select value from jsonb_array_elements_text(${languages}) as value)`
  const { rows } = await sql<{ language: string }>`
    select "wanted"."value" as "language" from ${wanted} as "wanted" where exists (
      select 1 from (select "article_id" from "article_search_texts"
        where "org_id" = ${orgId} and "language" = "wanted"."value" limit ${sql.lit(INDEXED_MAX)}) as "indexed"
      join "articles" as "a" on "a"."id" = "indexed"."article_id"
      where "a"."org_id" = ${orgId} and "a"."knowledge_base_id" = ${knowledgeBaseId} and ${isListed('a')})`.execute(db)
  return rows.map(({ language }) => language)
}

export type PageDirection = 'after' | 'before'

/** The row after or before which a page begins. It is not on the page. */
export interface Anchor {
  key: string | number
  id: string
}

/** A row comparison, which the engines can look up in an index. */
export const beyond = (sign: '>' | '<', [key, id]: readonly [string, string], anchor: Anchor): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(key)}, ${sql.ref(id)}) ${sql.raw(sign)} (${anchor.key}, ${anchor.id})`

const firstPublished = compiled((db: Db, orgId: OrgId) =>
  db
    .selectFrom('knowledge_bases')
    .select(['public_slug', 'contact_email', 'contact_phone'])
    .where('org_id', '=', orgId)
    .where('is_published', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)

export const selectFirstPublished = async (db: Db, orgId: OrgId) => (await firstPublished(db, orgId))[0]
