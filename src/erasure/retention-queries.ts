import { sql } from 'kysely'
import type { Database } from '../platform/db/index.ts'

/** Returns how many rows it deleted. Rows are addressed by `rowid` or `ctid`, the fastest way on either engine. */
export async function deleteRowsBefore(
  database: Database,
  table: string,
  column: string,
  before: string,
  limit: number,
): Promise<number> {
  const row = sql.raw(database.engine === 'sqlite' ? 'rowid' : 'ctid')
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ${row} in (
      select ${row} from ${sql.table(table)} where ${sql.ref(column)} <= ${before} limit ${limit}
    )`.execute(database.kysely)
  return Number(numAffectedRows)
}
