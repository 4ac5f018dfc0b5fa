import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

export interface NamedCategory {
  id: string
  name: string
  parent_id: string | null
  /** The name by language. */
  names: Readonly<Record<string, string>>
}

type StoredCategory = Omit<NamedCategory, 'names'> & {
  /** JSON text on SQLite. */
  names: NamedCategory['names'] | string
}

/** Leaves out the translated descriptions, which are long. */
const namesOf = (db: Db): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`(select json_group_object("key", "value" ->> 'name') from json_each("translations"))`
    : sql`(select coalesce(jsonb_object_agg("key", "value" ->> 'name'), '{}') from jsonb_each("translations"))`

const toNamed = ({ names, ...category }: StoredCategory): NamedCategory => ({
  ...category,
  names: typeof names === 'string' ? (JSON.parse(names) as NamedCategory['names']) : names,
})

/** Returns the categories with their ancestors, up to this many levels. */
export async function selectPaths(
  db: Db,
  orgId: OrgId,
  categoryIds: readonly string[],
  levels: number,
): Promise<NamedCategory[]> {
  if (categoryIds.length === 0) return []
  const wanted = isSqlite(db)
    ? sql`select value from json_each(${categoryIds})`
    : sql`select value::uuid from jsonb_array_elements_text(${categoryIds})`
  const { rows } =
    await sql<StoredCategory>`with recursive "path" ("id", "name", "parent_id", "translations", "level") as (
      select "id", "name", "parent_id", "translations", 1 from "article_categories" where "org_id" = ${orgId} and "id" in (${wanted})
      union
      select "above"."id", "above"."name", "above"."parent_id", "above"."translations", "path"."level" + 1
      from "path" join "article_categories" as "above" on "above"."id" = "path"."parent_id"
      where "above"."org_id" = ${orgId} and "path"."level" < ${levels})
    select distinct "id", "name", "parent_id", ${namesOf(db)} as "names" from "path"`.execute(db)
  return rows.map(toNamed)
}

/** Returns some of the categories of a knowledge base. */
export async function selectCategories(
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  limit: number,
): Promise<NamedCategory[]> {
  const { rows } = await sql<StoredCategory>`
    select "id", "name", "parent_id", ${namesOf(db)} as "names" from "article_categories"
    where "org_id" = ${orgId} and "knowledge_base_id" = ${knowledgeBaseId}
    order by "sort_order", "id" limit ${limit}`.execute(db)
  return rows.map(toNamed)
}

/** Returns indexed texts of the articles in these categories. */
export async function selectTextsIn(
  db: Db,
  orgId: OrgId,
  categoryIds: readonly string[],
  languages: readonly string[],
  visibility: string | undefined,
  limit: number,
): Promise<{ id: number; category_id: string }[]> {
  if (categoryIds.length === 0) return []
  const { rows } = await sql<{ id: number; category_id: string }>`
    select "texts"."id", "articles"."category_id" from (
      select "id", "category_id" from "articles"
      where "org_id" = ${orgId} and "category_id" in (${sql.join(categoryIds)}) and "status" = 'published'
        ${visibility === undefined ? sql`` : sql`and "visibility" = ${visibility}`}
      order by "category_id", "created_at", "id" limit ${limit}) as "articles"
    cross join "article_search_texts" as "texts"
    where "texts"."org_id" = ${orgId} and "texts"."article_id" = "articles"."id"
      and "texts"."language" in (${sql.join(languages)})`.execute(db)
  return rows
}
