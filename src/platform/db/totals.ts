import { type Kysely, sql } from 'kysely'
import type { OrgId } from '../ids.ts'
import { compiled } from './compiled.ts'
import type { Db, Engine } from './types.ts'

/**
 * How many rows of a table an organisation has, kept by triggers. Every offset list answers a `total`, and
 * counting a million rows for each page would cost more than the page itself.
 */
interface RowTotals {
  org_id: string
  table_name: string
  total: number
}

declare module './types.ts' {
  interface Tables {
    row_totals: RowTotals
  }
}

/** For migrations: from here on the table's rows are counted as they come and go. */
export async function keepTotal(db: Kysely<unknown>, table: string, engine: Engine): Promise<void> {
  for (const [event, row, step] of [
    ['insert', 'new', 1],
    ['delete', 'old', -1],
  ] as const) {
    const name = `${table}_total_${event}`
    const add = `insert into row_totals (org_id, table_name, total) values (${row}.org_id, '${table}', ${step})
      on conflict (org_id, table_name) do update set total = row_totals.total + ${step}`
    if (engine === 'sqlite') {
      await sql.raw(`create trigger ${name} after ${event} on ${table} begin ${add}; end`).execute(db)
    } else {
      // One update for a statement, however many rows it touches.
      const grouped = `insert into row_totals (org_id, table_name, total)
        select org_id, '${table}', ${step} * count(*) from changed group by org_id order by org_id
        on conflict (org_id, table_name) do update set total = row_totals.total + excluded.total`
      await sql
        .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${grouped}; return null; end $$`)
        .execute(db)
      await sql
        .raw(
          `create trigger ${name} after ${event} on ${table} referencing ${row} table as changed
           for each statement execute function ${name}()`,
        )
        .execute(db)
    }
  }
}

const totals = compiled((db: Db, orgId: OrgId, table: string) =>
  db.selectFrom('row_totals').select('total').where('org_id', '=', orgId).where('table_name', '=', table),
)

export async function selectTotal(db: Db, orgId: OrgId, table: string): Promise<number> {
  const [row] = await totals(db, orgId, table)
  return row?.total ?? 0
}
