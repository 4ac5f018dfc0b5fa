import { sql } from 'kysely'
import { type Database, type Db, forUpdate, isSqlite, type Row, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

const COMPUTED_AGAIN = 'computed again from the passages after a restore'
export const VECTOR_TABLES_LEFT_OUT = { passage_vectors: COMPUTED_AGAIN, vector_progress: COMPUTED_AGAIN }

/** Returns the first organisation after this one that has work. */
export async function selectDueOrganisation(db: Db, after: string, now: string): Promise<OrgId | undefined> {
  const { rows } = await sql<{ org_id: OrgId }>`
    select "org_id" from "vector_progress" where "due_at" <= ${now} and "org_id" > ${after}
    order by "org_id" limit 1`.execute(db)
  return rows[0]?.org_id
}

/** Makes organisations due whose vectors are of another model. */
export const setOthersDue = async ({ kysely }: Database, model: string, now: string): Promise<void> => {
  await sql`update "vector_progress" set "due_at" = ${now}, "after_id" = 0
    where "due_at" is null and "model" <> ${model}`.execute(kysely)
}

/** Makes all leased organisations due now. Only safe if no other process holds a lease. */
export const endVectorLeases = async ({ kysely }: Database, now: string): Promise<void> => {
  await sql`update "vector_progress" set "due_at" = ${now} where "due_at" > ${now}`.execute(kysely)
}

export type Progress = Pick<Row<'vector_progress'>, 'after_id' | 'is_changed' | 'attempts'>

/** Returns nothing if another worker is claiming the organisation. */
export async function lockDueProgress(tx: Tx, orgId: OrgId, now: string): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`
    select "after_id", "is_changed", "attempts" from "vector_progress"
    where "org_id" = ${orgId} and "due_at" <= ${now} ${forUpdate(tx, 'skip locked')}`.execute(tx)
  return rows[0]
}

/** Returns nothing if the lease has ended and somebody else has the organisation. */
export async function lockLeasedProgress(tx: Tx, orgId: OrgId, lease: string): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`
    select "after_id", "is_changed", "attempts" from "vector_progress"
    where "org_id" = ${orgId} and "due_at" = ${lease} ${forUpdate(tx)}`.execute(tx)
  return rows[0]
}

export const updateProgress = async (
  tx: Tx,
  orgId: OrgId,
  values: Partial<Omit<Row<'vector_progress'>, 'org_id'>>,
): Promise<void> => {
  await tx.updateTable('vector_progress').set(values).where('org_id', '=', orgId).execute()
}

/** Returns the next passages after this one, and whether they have a vector of the model. */
export async function selectNextPassages(
  db: Db,
  orgId: OrgId,
  model: string,
  afterId: number,
  limit: number,
): Promise<{ id: number; has_vector: boolean }[]> {
  const passages = await db
    .selectFrom('article_passages as passages')
    .leftJoin('passage_vectors as vectors', (join) =>
      join
        .onRef('vectors.passage_id', '=', 'passages.id')
        .on('vectors.org_id', '=', orgId)
        .on('vectors.model', '=', model),
    )
    .select(['passages.id', 'vectors.id as vector_id'])
    .where('passages.org_id', '=', orgId)
    .where('passages.id', '>', afterId)
    .orderBy('passages.id')
    .limit(limit)
    .execute()
  return passages.map(({ id, vector_id }) => ({ id, has_vector: vector_id !== null }))
}

/** What a vector is made of. */
export const selectPassageTexts = (db: Db, orgId: OrgId, ids: readonly number[]) =>
  db
    .selectFrom('article_passages as passages')
    .innerJoin('article_texts as texts', (join) =>
      join
        .onRef('texts.article_id', '=', 'passages.article_id')
        .onRef('texts.language', '=', 'passages.language')
        .on('texts.org_id', '=', orgId),
    )
    .select(['passages.id', 'texts.title', 'passages.headings', 'passages.plain'])
    .where('passages.org_id', '=', orgId)
    .where('passages.id', 'in', ids)
    .orderBy('passages.id')
    .execute()

export const selectVectorsByHash = (db: Db, orgId: OrgId, model: string, hashes: readonly string[]) =>
  db
    .selectFrom('passage_vectors')
    .select(['content_hash', 'vector'])
    .where('org_id', '=', orgId)
    .where('content_hash', 'in', hashes)
    .where('model', '=', model)
    .execute()

export async function countVectors(db: Db, orgId: OrgId, model: string): Promise<number> {
  const { count } = await db
    .selectFrom('passage_vectors')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('passage_id', 'is not', null)
    .where('model', '=', model)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface NewVector {
  passage_id: number
  content_hash: string
  vector: string
}

/** Stores vectors of those passages that still exist, in place of vectors of another model. */
export async function upsertVectors(tx: Tx, orgId: OrgId, model: string, vectors: readonly NewVector[]): Promise<void> {
  const source = isSqlite(tx)
    ? sql`select value ->> 'passage_id' as "passage_id", value ->> 'content_hash' as "content_hash",
        value ->> 'vector' as "vector" from json_each(${vectors})`
    : sql`select * from jsonb_to_recordset(${vectors}) as r (passage_id bigint, content_hash text, vector text)`
  await sql`insert into "passage_vectors" ("org_id", "passage_id", "content_hash", "model", "vector")
    select ${orgId}, "passages"."id", "new"."content_hash", ${model}, "new"."vector"
    from (${source}) as "new"
    join "article_passages" as "passages" on "passages"."id" = "new"."passage_id" and "passages"."org_id" = ${orgId}
    where true on conflict ("passage_id") do update
    set "content_hash" = excluded."content_hash", "model" = excluded."model", "vector" = excluded."vector"`.execute(tx)
}

/** Deletes some vectors whose passages have gone, or that are of another model. Returns how many. */
export async function deleteUnusedVectors(tx: Tx, orgId: OrgId, model: string, limit: number): Promise<number> {
  const { rows } = await sql`delete from "passage_vectors" where "org_id" = ${orgId} and "id" in (
      select "id" from "passage_vectors" where "org_id" = ${orgId}
        and ("passage_id" is null or "model" <> ${model}) limit ${limit})
    returning "id"`.execute(tx)
  return rows.length
}

export const selectVectors = (db: Db, orgId: OrgId, model: string, limit: number) =>
  db
    .selectFrom('passage_vectors')
    .select(['passage_id', 'vector'])
    .where('org_id', '=', orgId)
    .where('passage_id', 'is not', null)
    .where('model', '=', model)
    .orderBy('passage_id')
    .limit(limit)
    .execute()
