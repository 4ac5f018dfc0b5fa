import { CompiledQuery, sql } from 'kysely'
import type { OrgId } from '../../ids/index.ts'
import { isSqlite } from '../is-sqlite.ts'
import type { Tables } from '../tables.generated.ts'
import type { Tx } from '../types.ts'
import { batchesOf } from './batches.ts'
import { EachOf, type EachOfOptions } from './each-of.ts'
import { runForEach } from './run-for-each.ts'
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

/** Read at a time, because the main thread reads them. */
const PAGE_ROWS = 1000
/** One row of the statement deletes so many, so that an owner of very many rows needs few. */
const RANGE_ROWS = 5
/** Written at a time: 400 rows, which take up to 8 ms. */
const RANGES = { rowsMax: 80 }

/**
 * Deletes the rows of a tag from a table that assigns tags to things, on SQLite in ranges of things, so that a large transaction
 * can divide them. PostgreSQL deletes them with the tag: there, nobody waits for it.
 */
export async function deleteAssignments<Table extends 'article_tag_assignments' | 'conversation_tag_assignments'>(
  tx: Tx,
  orgId: OrgId,
  table: Table,
  thing: Exclude<keyof Tables[Table] & string, 'org_id' | 'tag_id'>,
  tagId: string,
): Promise<void> {
  if (!isSqlite(tx)) return
  const statement = `delete from "${table}" where "org_id" = ? and "tag_id" = ? and "${thing}" between ? and ?`
  for (let after = ''; ; ) {
    const { rows } = await sql<{ thing: string }>`select ${sql.ref(thing)} as thing from ${sql.table(table)}
      where org_id = ${orgId} and tag_id = ${tagId} and ${sql.ref(thing)} > ${after}
      order by ${sql.ref(thing)} limit ${PAGE_ROWS}`.execute(tx)
    const ranges = batchesOf(rows, RANGE_ROWS).map((some) => [orgId, tagId, some[0]?.thing, some.at(-1)?.thing])
    await runForEach(tx, statement, ranges, RANGES)
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)?.thing ?? ''
  }
}
