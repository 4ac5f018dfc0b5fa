import { sql } from 'kysely'
import { type Database, type Db, forUpdate, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Returns the first organisation after this one that has due articles. */
export async function selectDueOrganisation(db: Db, after: string, now: string): Promise<OrgId | undefined> {
  const { rows } = await sql<{ org_id: OrgId }>`
    select "org_id" from "articles" where "indexing_due_at" <= ${now} and "org_id" > ${after}
    order by "org_id" limit 1`.execute(db)
  return rows[0]?.org_id
}

/** How many articles of all organisations wait to be indexed, or are being indexed. Counts at most `max`. */
export async function countDue(db: Db, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from "articles" where "indexing_due_at" is not null limit ${sql.lit(max)}
    ) due`.execute(db)
  return Number(rows[0]?.count)
}

export interface DueArticle {
  id: string
  indexing_due_at: string
}

/** Returns due articles of an organisation, oldest first, and skips those that another worker is claiming. */
export async function lockDue(tx: Tx, orgId: OrgId, now: string, limit: number): Promise<DueArticle[]> {
  const { rows } = await sql<DueArticle>`
    select "id", "indexing_due_at" from "articles" where "org_id" = ${orgId} and "indexing_due_at" <= ${now}
    order by "indexing_due_at", "id" limit ${limit} ${forUpdate(tx, 'skip locked')}`.execute(tx)
  return rows
}

/** An `indexed` article keeps its status: a rebuild of the index is not visible from outside. */
export async function setDue(
  tx: Tx,
  orgId: OrgId,
  ids: readonly string[],
  dueAt: string,
  status: 'pending' | 'processing',
): Promise<void> {
  const update = tx
    .updateTable('articles')
    .set({
      indexing_due_at: dueAt,
      indexing_status: sql`case "indexing_status" when 'indexed' then 'indexed' else ${status} end`,
    })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
  await runWithoutResult(tx, update)
}

/** Locks those articles that have not changed since they were claimed. */
export const lockClaimed = (tx: Tx, orgId: OrgId, ids: readonly string[], lease: string) =>
  tx
    .selectFrom('articles')
    .select(['id', 'knowledge_base_id', 'visibility', 'version_number', 'indexing_status'])
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .where('indexing_due_at', '=', lease)
    // A change sets it to `pending`, and could by chance happen at the very time when the lease ends.
    .where('indexing_status', '<>', 'pending')
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()

export type ClaimedArticle = Awaited<ReturnType<typeof lockClaimed>>[number]

export async function updateIndexed(tx: Tx, orgId: OrgId, ids: readonly string[], now: string): Promise<void> {
  const update = tx
    .updateTable('articles')
    .set({
      indexing_status: 'indexed',
      indexing_due_at: null,
      indexing_attempts: 0,
      indexed_at: sql`case "indexing_status" when 'indexed' then "indexed_at" else ${now} end`,
    })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
  await runWithoutResult(tx, update)
}

export const selectLanguagesOf = async (db: Db, orgId: OrgId, articleId: string): Promise<string[]> => {
  const texts = await db
    .selectFrom('article_texts')
    .select('language')
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .orderBy('language')
    .execute()
  return texts.map(({ language }) => language)
}

export const selectSearchableText = (db: Db, orgId: OrgId, articleId: string, language: string) =>
  db
    .selectFrom('article_texts')
    .select(['language', 'title', 'content', 'content_plain as plain'])
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .where('language', '=', language)
    .executeTakeFirst()

export const setIndexing = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  values: { indexing_status: 'pending' | 'failed'; indexing_due_at: string | null; indexing_attempts: number },
): Promise<void> => {
  await tx.updateTable('articles').set(values).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Makes all leased articles due now. Only safe if no other process holds a lease. */
export const endLeases = async ({ kysely }: Database, now: string): Promise<void> => {
  await sql`update "articles" set "indexing_due_at" = ${now} where "indexing_due_at" > ${now}`.execute(kysely)
}

/** Makes every published article due, to rebuild an empty index after a restore. */
export const setAllDue = async (tx: Tx, now: string): Promise<void> => {
  await sql`update "articles" set "indexing_due_at" = ${now} where "status" = 'published'`.execute(tx)
}
