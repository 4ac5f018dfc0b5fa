import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const CENTRE = [
  'id',
  'org_id',
  'name',
  'public_slug',
  'description',
  'logo_url',
  'primary_color',
  'is_published',
  'default_language',
] as const

const byPublicSlug = compiled((db: Db, publicSlug: string) =>
  db.selectFrom('knowledge_bases').select(CENTRE).where('public_slug', '=', publicSlug),
)

/** Without an organisation, because the address is what tells it. */
export const selectCentre = async (db: Db, publicSlug: string) => (await byPublicSlug(db, publicSlug))[0]

const addressBySlug = compiled((db: Db, publicSlug: string) =>
  db.selectFrom('knowledge_base_addresses').select('id').where('id', '=', publicSlug),
)

/** Whether any knowledge base ever had this address; likewise without an organisation. */
export const wasGivenOut = async (db: Db, publicSlug: string): Promise<boolean> =>
  (await addressBySlug(db, publicSlug)).length > 0

/** Written out rather than passed as values: only then do the engines see that an index of these rows will do. */
export const isPublic = (articles: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${articles}.status`)} = 'published' and ${sql.ref(`${articles}.visibility`)} = 'public')`

/** So many of the latest articles tell which languages there are: to look at all of them would take ever longer. */
const LANGUAGE_SAMPLE = 100

const sampledLanguages = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string) =>
  db
    .selectFrom(
      db
        .selectFrom('articles as a')
        .select('a.id')
        .where('a.org_id', '=', orgId)
        .where('a.knowledge_base_id', '=', knowledgeBaseId)
        .where(isPublic('a'))
        .orderBy('a.updated_at', 'desc')
        .orderBy('a.id', 'desc')
        .limit(sql.lit(LANGUAGE_SAMPLE))
        .as('latest'),
    )
    .innerJoin('article_texts as t', 't.article_id', 'latest.id')
    .select('t.language')
    .distinct(),
)

export const selectLanguages = async (db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<string[]> =>
  (await sampledLanguages(db, orgId, knowledgeBaseId)).map(({ language }) => language)

export type Direction = 'after' | 'before'

/** The row next to which a page of a list begins, or ends; it is not on the page itself. */
export interface Anchor {
  key: string | number
  id: string
}

/** Both are compared at once, so that the index finds the place. */
export const beyond = (sign: '>' | '<', [key, id]: readonly [string, string], anchor: Anchor): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(key)}, ${sql.ref(id)}) ${sql.raw(sign)} (${anchor.key}, ${anchor.id})`
