import type { OrgId } from '../../ids/index.ts'
import { isSqlite } from '../is-sqlite.ts'
import type { Tables } from '../tables.generated.ts'
import type { Tx } from '../types.ts'

type TableWithOrg = {
  [Name in keyof Tables]: Tables[Name] extends { id: string; org_id: string } ? Name : never
}[keyof Tables]

type Purpose = 'change' | 'reference'

/**
 * Locks a row until the transaction ends. `change` prevents concurrent changes; `reference` only prevents deletion, for
 * transactions that refer to the row. Does nothing on SQLite, which has a single writer.
 */
export async function lockRow(
  tx: Tx,
  orgId: OrgId,
  table: TableWithOrg & string,
  id: string,
  purpose: Purpose = 'change',
): Promise<void> {
  if (!isSqlite(tx)) await lockRows(tx, orgId, table, [id], purpose)
}

/**
 * Locks several rows, always in the order of their ids, so that two transactions cannot deadlock. Returns the ids that
 * exist.
 */
export async function lockRows(
  tx: Tx,
  orgId: OrgId,
  table: TableWithOrg & string,
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
