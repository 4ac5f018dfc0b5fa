import { type Kysely, sql } from 'kysely'
import type { OrgId } from '../ids/index.ts'
import { compiled } from './compiled.ts'
import type { Db, Engine } from './types.ts'

/**
 * How many rows of a table an organisation has, kept by triggers. Every offset list answers a `total`, and
 * counting a million rows for each page would cost more than the page itself.
 */
interface RowTotals {
  org_id: string
  /** The table; or the table, a column and its value, for the rows that have this value there. */
  table_name: string
  total: number
}

declare module './types.ts' {
  interface Tables {
    row_totals: RowTotals
  }
}

/** The name under which the rows with this value in a column are counted. */
export const totalOf = (table: string, column: string, value: string): string => `${table}.${column}=${value}`

/**
 * For migrations: from here on the table's rows are counted as they come and go; with columns, also those that
 * share a value in one of them.
 */
export async function keepTotal(
  db: Kysely<unknown>,
  table: string,
  engine: Engine,
  columns: readonly string[] = [],
): Promise<void> {
  for (const event of ['insert', 'delete', 'update'] as const) {
    if (event === 'update' && columns.length === 0) continue
    await (engine === 'sqlite' ? countEach(db, table, event, columns) : countTogether(db, table, event, columns))
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

async function countEach(db: Kysely<unknown>, table: string, event: Event, columns: readonly string[]): Promise<void> {
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

/** One update of each total for a statement, however many rows it touches; in one order, so that none deadlock. */
async function countTogether(
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

/** Added up over all the names. */
export async function selectTotal(db: Db, orgId: OrgId, ...names: string[]): Promise<number> {
  let sum = 0
  for (const name of names) sum += (await totals(db, orgId, name))[0]?.total ?? 0
  return sum
}
