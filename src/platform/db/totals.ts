import { type Kysely, sql } from 'kysely'
import type { OrgId } from '../ids/index.ts'
import { compiled } from './compiled.ts'
import type { Db, Engine } from './types.ts'

/**
 * The number of rows of a table per organisation, maintained by triggers. Every offset list returns a `total`, and
 * counting a million rows for each page would cost more than the page itself.
 */
interface RowTotals {
  org_id: string
  /** The table, or `totalOf(…)` for the rows with one value in a column. */
  table_name: string
  total: number
}

declare module './types.ts' {
  interface Tables {
    row_totals: RowTotals
  }
}

/** The name of the counter for the rows with this value in a column. */
export const totalOf = (table: string, column: string, value: string): string => `${table}.${column}=${value}`

/**
 * For migrations: creates the triggers that count the rows of a table. With columns, they also count the rows per value
 * of each column.
 */
export async function createTotalTriggers(
  db: Kysely<unknown>,
  table: string,
  engine: Engine,
  columns: readonly string[] = [],
): Promise<void> {
  for (const event of ['insert', 'delete', 'update'] as const) {
    if (event === 'update' && columns.length === 0) continue
    await (engine === 'sqlite'
      ? createRowTrigger(db, table, event, columns)
      : createStatementTrigger(db, table, event, columns))
  }
}

const CHANGES = {
  insert: [['new', 1]],
  delete: [['old', -1]],
  update: [
    ['old', -1],
    ['new', 1],
  ],
} as const

type Event = keyof typeof CHANGES

const ADD = 'on conflict (org_id, table_name) do update set total = row_totals.total + excluded.total'

async function createRowTrigger(
  db: Kysely<unknown>,
  table: string,
  event: Event,
  columns: readonly string[],
): Promise<void> {
  const statements = CHANGES[event].flatMap(([row, step]) => [
    ...(event === 'update' ? [] : [`select ${row}.org_id, '${table}', ${step} where true ${ADD};`]),
    ...columns.map((column) => {
      const changed = event === 'update' ? `and old.${column} is not new.${column}` : ''
      return `select ${row}.org_id, '${table}.${column}=' || ${row}.${column}, ${step}
        where ${row}.${column} is not null ${changed} ${ADD};`
    }),
  ])
  const of = event === 'update' ? ` of ${columns.join(', ')}` : ''
  const body = statements
    .map((statement) => `insert into row_totals (org_id, table_name, total) ${statement}`)
    .join('\n')
  await sql.raw(`create trigger ${table}_total_${event} after ${event}${of} on ${table} begin ${body} end`).execute(db)
}

/** Updates each total once per statement, for any number of rows, in a fixed order that prevents deadlocks. */
async function createStatementTrigger(
  db: Kysely<unknown>,
  table: string,
  event: Event,
  columns: readonly string[],
): Promise<void> {
  const name = `${table}_total_${event}`
  const changes = CHANGES[event].flatMap(([row, step]) => [
    `select org_id, '${table}' as table_name, ${step} as step from ${row}_rows`,
    ...columns.map(
      (column) =>
        `select org_id, '${table}.${column}=' || ${column}, ${step} from ${row}_rows where ${column} is not null`,
    ),
  ])
  const add = `insert into row_totals (org_id, table_name, total)
    select org_id, table_name, sum(step) from (${changes.join(' union all ')}) changes
    group by org_id, table_name having sum(step) <> 0 order by org_id, table_name ${ADD}`
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${add}; return null; end $$`)
    .execute(db)
  const rows = CHANGES[event].map(([row]) => `${row} table as ${row}_rows`).join(' ')
  await sql
    .raw(
      `create trigger ${name} after ${event} on ${table} referencing ${rows}
       for each statement execute function ${name}()`,
    )
    .execute(db)
}

const totals = compiled((db: Db, orgId: OrgId, name: string) =>
  db.selectFrom('row_totals').select('total').where('org_id', '=', orgId).where('table_name', '=', name),
)

export async function selectTotal(db: Db, orgId: OrgId, ...names: string[]): Promise<number> {
  let sum = 0
  for (const name of names) sum += (await totals(db, orgId, name))[0]?.total ?? 0
  return sum
}
