import { CompiledQuery } from 'kysely'
import type { OrgId } from '../../ids/index.ts'
import { isSqlite } from '../is-sqlite.ts'
import type { Tables } from '../tables.generated.ts'
import type { Tx } from '../types.ts'
import { EachOf } from './each-of.ts'
import { runWithoutResult } from './run-without-result.ts'

export type TableWithOrg = {
  [Name in keyof Tables]: Tables[Name] extends { id: string; org_id: string } ? Name : never
}[keyof Tables] &
  string

/** Sets these columns of many rows of an organisation, each found by its id, with one statement for all of them. */
export async function updateRows<Table extends TableWithOrg, Column extends keyof Tables[Table] & string>(
  tx: Tx,
  orgId: OrgId,
  table: Table,
  columns: readonly Column[],
  rows: readonly (Pick<Tables[Table], Column> & { id: string })[],
): Promise<void> {
  if (rows.length === 0) return
  const toQuery = isSqlite(tx) ? onSqlite : onPostgres
  await runWithoutResult(tx, toQuery(orgId, table, columns, rows))
}

function onSqlite(orgId: OrgId, table: string, columns: readonly string[], rows: readonly object[]): CompiledQuery {
  const set = columns.map((column) => `"${column}" = ?`).join(', ')
  const toValues = (row: object) => {
    const values = row as Record<string, unknown>
    return [...columns.map((column) => values[column]), orgId, values.id]
  }
  const text = `update "${table}" set ${set} where "org_id" = ? and "id" = ?`
  return CompiledQuery.raw(text, [new EachOf(rows.map(toValues))])
}

function onPostgres(orgId: OrgId, table: string, columns: readonly string[], rows: readonly object[]): CompiledQuery {
  const set = columns.map((column) => `"${column}" = "new"."${column}"`).join(', ')
  const text = `update "${table}" set ${set} from jsonb_populate_recordset(null::"${table}", $1) as "new"
    where "${table}"."org_id" = $2 and "${table}"."id" = "new"."id"`
  return CompiledQuery.raw(text, [rows, orgId])
}
