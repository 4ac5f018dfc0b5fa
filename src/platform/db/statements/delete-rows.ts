import { CompiledQuery } from 'kysely'
import type { OrgId } from '../../ids/index.ts'
import { isSqlite } from '../is-sqlite.ts'
import type { Tx } from '../types.ts'
import { EachOf, type EachOfOptions } from './each-of.ts'
import { runWithoutResult } from './run-without-result.ts'
import type { TableWithOrg } from './update-rows.ts'

/** Deletes rows of an organisation, each found by its id, with one statement for all of them. */
export async function deleteRows(
  tx: Tx,
  orgId: OrgId,
  table: TableWithOrg,
  ids: readonly string[],
  options?: EachOfOptions,
): Promise<void> {
  if (ids.length === 0) return
  const text = `delete from "${table}" where "org_id" =`
  const query = isSqlite(tx)
    ? CompiledQuery.raw(`${text} ? and "id" = ?`, [
        new EachOf(
          ids.map((id) => [orgId, id]),
          options,
        ),
      ])
    : CompiledQuery.raw(`${text} $1 and "id" in (select "id" from jsonb_populate_recordset(null::"${table}", $2))`, [
        orgId,
        ids.map((id) => ({ id })),
      ])
  await runWithoutResult(tx, query)
}
