import { sql } from 'kysely'
import { type Database, type Db, isSqlite, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export interface ClaimedArticle {
  id: string
  org_id: string
}

/** Checked every second before `claimDue`: reading is cheap, while claiming waits for other writers. */
export const isAnyDue = async (db: Db, now: string): Promise<boolean> => {
  const due = await db.selectFrom('articles').select('id').where('indexing_due_at', '<=', now).limit(1).execute()
  return due.length > 0
}

/**
 * Leases due articles, oldest first, of all organisations. Skips rows that another worker is claiming. An `indexed`
 * article keeps its status: a rebuild of the index is not visible from outside.
 */
export const claimDue = async ({ kysely, engine }: Database, now: string, lease: string, limit: number) => {
  const skipLocked = sql.raw(engine === 'sqlite' ? '' : 'for update skip locked')
  const { rows } = await sql<ClaimedArticle>`
    update "articles" set
      "indexing_due_at" = ${lease},
      "indexing_status" = case "indexing_status" when 'indexed' then 'indexed' else 'processing' end
    where "id" in (
      select "id" from "articles" where "indexing_due_at" <= ${now} order by "indexing_due_at", "id" limit ${limit} ${skipLocked}
    )
    returning "id", "org_id"`.execute(kysely)
  return rows
}

/** Locks those articles that have not changed since they were claimed, and returns their IDs. */
export const lockClaimed = async (tx: Tx, orgId: OrgId, ids: readonly string[], lease: string): Promise<string[]> => {
  const claimed = tx
    .selectFrom('articles')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .where('indexing_due_at', '=', lease)
    .orderBy('id')
  return (await (isSqlite(tx) ? claimed : claimed.forUpdate()).execute()).map(({ id }) => id)
}

export const selectTextsOf = (tx: Tx, orgId: OrgId, articleIds: readonly string[]) =>
  tx
    .selectFrom('article_texts')
    .select(['article_id', 'language', 'title', 'content_plain'])
    .where('org_id', '=', orgId)
    .where('article_id', 'in', articleIds)
    .execute()

export const setIndexing = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  values: {
    indexing_status: 'pending' | 'indexed' | 'failed'
    indexing_due_at: string | null
    indexing_attempts: number
    indexed_at?: string
  },
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
