import { SqliteAdapter } from 'kysely'
import type { OrgId } from '../ids.ts'
import type { Tables, Tx } from './types.ts'

type Owned = {
  [Name in keyof Tables]: Tables[Name] extends { id: string; org_id: string } ? Name : never
}[keyof Tables]

/**
 * Whoever changes a row first locks it, so that nobody changes it in between; whoever refers to one keeps it, so
 * that nobody deletes it in between. On SQLite writers are alone anyway.
 */
export const lockRow = (
  tx: Tx,
  orgId: OrgId,
  table: Owned & string,
  id: string,
  purpose: 'change' | 'keep' = 'change',
): Promise<void> => lockRows(tx, orgId, table, [id], purpose)

/** Several, in one order for everybody, so that two who want the same do not wait for each other. */
export async function lockRows(
  tx: Tx,
  orgId: OrgId,
  table: Owned & string,
  ids: readonly string[],
  purpose: 'change' | 'keep',
): Promise<void> {
  if (ids.length === 0 || tx.getExecutor().adapter instanceof SqliteAdapter) return
  const rows = tx
    .selectFrom(table as 'events')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .orderBy('id')
  await (purpose === 'change' ? rows.forUpdate() : rows.forKeyShare()).execute()
}
