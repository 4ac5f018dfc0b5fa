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
export async function lockRow(
  tx: Tx,
  orgId: OrgId,
  table: Owned & string,
  id: string,
  purpose: 'change' | 'keep' = 'change',
): Promise<void> {
  if (tx.getExecutor().adapter instanceof SqliteAdapter) return
  const row = tx
    .selectFrom(table as 'events')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
  await (purpose === 'change' ? row.forUpdate() : row.forKeyShare()).execute()
}
