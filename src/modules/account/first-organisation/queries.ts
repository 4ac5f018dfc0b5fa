import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface First {
  id: OrgId
  created_at: string
}

/** A restore asks this, so there is no tenant. Undefined if somebody has changed the organisation. */
export const selectUnchanged = (db: Db, { name, slug }: { name: string; slug: string }): Promise<First | undefined> =>
  db
    .selectFrom('organisations')
    .select(['id', 'created_at'])
    .where('slug', '=', slug)
    .where('name', '=', name)
    .where('is_demo', '=', false)
    .whereRef('updated_at', '=', 'created_at')
    .$narrowType<{ id: OrgId }>()
    .executeTakeFirst()

/**
 * The oldest organisation, if none has an owner who can sign in. Organisations of the demo do not count. Takes no organisation,
 * because it asks about the installation.
 */
export const selectWithoutOwner = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ slug: string }>`
    select slug from organisations where not is_demo and not exists (
      select 1 from members m join organisations o on o.id = m.org_id join users u on u.id = m.user_id
      where m.role = 'owner' and not o.is_demo and u.deactivated_at is null)
    order by created_at, id limit 1`.execute(db)
  return rows[0]?.slug
}

/**
 * Counts by table the rows that were created with the organisation and not used or changed since. `creditedAt` is the
 * time of its first credits.
 */
export async function countUnused(
  db: Db,
  { id, created_at }: First,
  creditedAt: string,
): Promise<Record<string, number>> {
  const isFirst = sql`created_at = ${created_at}`
  const conditions = {
    organisation_slugs: isFirst,
    api_keys: sql`${isFirst} and last_used_at is null and paused_at is null and revoked_at is null`,
    one_time_links: isFirst,
    credit_balances: sql`updated_at = ${creditedAt}`,
    credit_entries: sql`created_at = ${creditedAt}`,
  }
  const counts: Record<string, number> = { organisations: 1 }
  for (const [table, condition] of Object.entries(conditions)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where org_id = ${id} and ${condition}`.execute(db)
    counts[table] = Number(rows[0]?.count)
  }
  return counts
}
