import type { OrgId } from '../ids/index.ts'
import { isSqlite } from './is-sqlite.ts'
import type { Tables, Tx } from './types.ts'

type Owned = {
  [Name in keyof Tables]: Tables[Name] extends { id: string; org_id: string } ? Name : never
}[keyof Tables]

type Purpose = 'change' | 'keep'

/**
 * Whoever changes a row first locks it, so that nobody changes it in between; whoever refers to one keeps it, so
 * that nobody deletes it in between. On SQLite writers are alone anyway.
 */
export async function lockRow(
  tx: Tx,
  orgId: OrgId,
  table: Owned & string,
  id: string,
  purpose: Purpose = 'change',
): Promise<void> {
  if (!isSqlite(tx)) await lockRows(tx, orgId, table, [id], purpose)
}

/**
 * Several, in one order for everybody, so that two who want the same do not wait for each other. Answers those that
 * are there.
 */
export async function lockRows(
  tx: Tx,
  orgId: OrgId,
  table: Owned & string,
  ids: readonly string[],
  purpose: Purpose,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = tx
    .selectFrom(table as 'events')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .orderBy('id')
  const locked = isSqlite(tx) ? rows : purpose === 'change' ? rows.forUpdate() : rows.forKeyShare()
  return new Set((await locked.execute()).map(({ id }) => id))
}
