import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { OrgId } from '../ids/index.ts'
import { isSqlite } from './is-sqlite.ts'
import { compiled } from './statements/compiled.ts'
import { runWithoutResult } from './statements/run-without-result.ts'
import type { Db, Engine, Tx } from './types.ts'

/** The name of the counter for the rows with this value in a column. */
export const totalOf = (table: string, column: string, value: string): string => `${table}.${column}=${value}`

/** The name of the sum of a column. */
export const sumOf = (table: string, column: string): string => `${table}.sum(${column})`

/** A column, or several for the combinations of their values. Rows with a null are not counted. */
type Counted = string | readonly string[]

/** The value or combination of a row, as the name of its total has it. */
const valueIn = (counted: Counted, row?: string): string =>
  [counted]
    .flat()
    .map((column) => (row === undefined ? column : `${row}.${column}`))
    .join(" || ',' || ")

/**
 * Migrations use this: creates the triggers that count the rows of a table. If columns are given, they also count the
 * rows per value of each column, or per combination of several. On PostgreSQL, each may have 16 rows: have few combinations.
 */
export async function createTotalTriggers(
  db: Kysely<unknown>,
  table: string,
  engine: Engine,
  columns: readonly Counted[] = [],
): Promise<void> {
  for (const event of ['insert', 'delete', 'update'] as const) {
    if (event === 'update' && columns.length === 0) continue
    await (engine === 'sqlite'
      ? createRowTrigger(db, table, event, columns)
      : createStatementTrigger(db, table, event, columns))
  }
}

/** Migrations use this: drops what `createTotalTriggers` created for a table with columns, but keeps the totals. */
export async function dropTotalTriggers(db: Kysely<unknown>, table: string, engine: Engine): Promise<void> {
  for (const event of ['insert', 'delete', 'update'] as const)
    await dropTrigger(db, table, engine, `${table}_total_${event}`)
}

async function dropTrigger(db: Kysely<unknown>, table: string, engine: Engine, name: string): Promise<void> {
  await sql.raw(`drop trigger ${name}${engine === 'sqlite' ? '' : ` on ${table}`}`).execute(db)
  if (engine === 'postgres') await sql.raw(`drop function ${name}()`).execute(db)
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

const ADD = 'do update set total = row_totals.total + excluded.total'
const ADD_ON_SQLITE = `on conflict (org_id, table_name) ${ADD}`
/** Names the constraint, because its columns differ before and after the migration that added `slot`. */
const ADD_ON_POSTGRES = `on conflict on constraint row_totals_pkey ${ADD}`

async function createRowTrigger(
  db: Kysely<unknown>,
  table: string,
  event: Event,
  columns: readonly Counted[],
): Promise<void> {
  const statements = CHANGES[event].flatMap(([row, step]) => [
    ...(event === 'update' ? [] : [`select ${row}.org_id, '${table}', ${step} where true ${ADD_ON_SQLITE};`]),
    ...columns.map((counted) => {
      const changed = event === 'update' ? `and ${valueIn(counted, 'old')} is not ${valueIn(counted, 'new')}` : ''
      const value = valueIn(counted, row)
      return `select ${row}.org_id, '${table}.${counted}=' || ${value}, ${step}
        where ${value} is not null ${changed} ${ADD_ON_SQLITE};`
    }),
  ])
  const of = event === 'update' ? ` of ${[...new Set(columns.flat())].join(', ')}` : ''
  const body = statements
    .map((statement) => `insert into row_totals (org_id, table_name, total) ${statement}`)
    .join('\n')
  await sql.raw(`create trigger ${table}_total_${event} after ${event}${of} on ${table} begin ${body} end`).execute(db)
}

/** Migrations use this: creates the triggers that keep the sum of a column, and adds up the rows that exist already. */
export async function createSumTriggers(
  db: Kysely<unknown>,
  table: string,
  engine: Engine,
  column: string,
): Promise<void> {
  const name = sumOf(table, column)
  const insert = 'insert into row_totals (org_id, table_name, total)'
  for (const event of ['insert', 'delete', 'update'] as const) {
    const trigger = `${table}_${column}_${event}`
    if (engine === 'sqlite') {
      const body = CHANGES[event].map(
        ([row, step]) =>
          `${insert} select ${row}.org_id, '${name}', ${step} * ${row}.${column} where true ${ADD_ON_SQLITE};`,
      )
      await sql.raw(`create trigger ${trigger} after ${event} on ${table} begin ${body.join('\n')} end`).execute(db)
    } else {
      const changes = CHANGES[event].map(([row, step]) => `select org_id, ${step} * ${column} as step from ${row}_rows`)
      await executePerStatement(
        db,
        table,
        event,
        trigger,
        `${insert} select org_id, '${name}', sum(step) from (${changes.join(' union all ')}) changes
         group by org_id having sum(step) <> 0 order by org_id ${ADD_ON_POSTGRES}`,
      )
    }
  }
  await sql.raw(`${insert} select org_id, '${name}', sum(${column}) from ${table} group by org_id`).execute(db)
}

/** Migrations use this: drops what `createSumTriggers` created. */
export async function dropSumTriggers(
  db: Kysely<unknown>,
  table: string,
  engine: Engine,
  column: string,
): Promise<void> {
  for (const event of ['insert', 'delete', 'update'] as const)
    await dropTrigger(db, table, engine, `${table}_${column}_${event}`)
  await sql`delete from row_totals where table_name = ${sumOf(table, column)}`.execute(db)
}

/** Updates each total once per statement, for any number of rows, in a fixed order that prevents deadlocks. */
async function createStatementTrigger(
  db: Kysely<unknown>,
  table: string,
  event: Event,
  columns: readonly Counted[],
): Promise<void> {
  const changes = CHANGES[event].flatMap(([row, step]) => [
    `select org_id, '${table}' as table_name, ${step} as step from ${row}_rows`,
    ...columns.map((counted) => {
      const value = valueIn(counted)
      return `select org_id, '${table}.${counted}=' || ${value}, ${step} from ${row}_rows where ${value} is not null`
    }),
  ])
  const add = `insert into row_totals (org_id, table_name, total)
    select org_id, table_name, sum(step) from (${changes.join(' union all ')}) changes
    group by org_id, table_name having sum(step) <> 0 order by org_id, table_name ${ADD_ON_POSTGRES}`
  await executePerStatement(db, table, event, `${table}_total_${event}`, add)
}

async function executePerStatement(
  db: Kysely<unknown>,
  table: string,
  event: Event,
  name: string,
  statement: string,
): Promise<void> {
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`)
    .execute(db)
  const rows = CHANGES[event].map(([row]) => `${row} table as ${row}_rows`).join(' ')
  await sql
    .raw(
      `create trigger ${name} after ${event} on ${table} referencing ${rows}
       for each statement execute function ${name}()`,
    )
    .execute(db)
}

const SUM = sql<number>`cast(coalesce(sum(total), 0) as bigint)`

/** A subquery for the total with this name. */
export const totalNamed = (orgId: OrgId, name: RawBuilder<string>): RawBuilder<number> =>
  sql<number>`(select ${SUM} from row_totals where org_id = ${orgId} and table_name = ${name})`

const totals = compiled((db: Db, orgId: OrgId, name: string) =>
  db.selectFrom('row_totals').select(SUM.as('total')).where('org_id', '=', orgId).where('table_name', '=', name),
)

export async function selectTotal(db: Db, orgId: OrgId, ...names: string[]): Promise<number> {
  let sum = 0
  for (const name of names) sum += (await totals(db, orgId, name))[0]?.total ?? 0
  return sum
}

const totalsBetween = compiled((db: Db, orgId: OrgId, from: string, to: string, pattern: string) =>
  db
    .selectFrom('row_totals')
    .select(SUM.as('total'))
    .where('org_id', '=', orgId)
    .where('table_name', '>=', from)
    .where('table_name', '<', to)
    .where('table_name', 'like', pattern),
)

/**
 * The number of rows with these values: the sum of all combinations that have them. The columns are those of
 * `createTotalTriggers`, in the same order. One that is undefined may have any value.
 */
export async function selectCombinedTotal(
  db: Db,
  orgId: OrgId,
  table: string,
  values: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const pattern = `${table}.${Object.keys(values)}=${Object.values(values).map((value) => value ?? '%')}`
  // Most totals of an organisation begin in another way.
  const from = pattern.replace(/%.*/, '')
  const to = from.slice(0, -1) + String.fromCharCode(from.charCodeAt(from.length - 1) + 1)
  const [sum] = await totalsBetween(db, orgId, from, to, pattern)
  return sum?.total ?? 0
}

/** Triggers never add to this slot. */
const LOCKED_SLOT = -1

/** Reads a total and locks it, so that no other transaction can do the same before this one ends. */
export async function lockTotal(tx: Tx, orgId: OrgId, name: string): Promise<number> {
  // SQLite has one writer.
  if (!isSqlite(tx)) {
    const lock = tx
      .insertInto('row_totals')
      .values({ org_id: orgId, table_name: name, total: 0, slot: LOCKED_SLOT })
      .onConflict((conflict) => conflict.constraint('row_totals_pkey').doUpdateSet({ total: 0 }))
    await runWithoutResult(tx, lock)
  }
  return selectTotal(tx, orgId, name)
}
