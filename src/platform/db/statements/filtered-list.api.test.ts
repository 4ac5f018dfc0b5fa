import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { numberedRows } from '../../../testing/engines/numbered-rows.ts'
import { readCost } from '../../../testing/engines/plans.ts'
import { columnTypes } from '../column-types.ts'
import { openDatabase } from '../open.ts'
import type { Database } from '../types.ts'
import { inRange, type ListOrder } from './filtered-list.ts'

type Thing = { id: string; kind: string; color: string | null; made_at: string }

const KINDS = ['bed', 'chair', 'table']
const COLORS = ['blue', 'red', null]
/** Several rows of a time, so that their ids decide the order. */
const THINGS: Thing[] = Array.from({ length: 90 }, (_, n) => ({
  id: `id-${String((n * 37) % 90).padStart(2, '0')}`,
  kind: KINDS[n % 3] as string,
  color: COLORS[Math.floor(n / 3) % 3] as string | null,
  made_at: `day-${n % 5}`,
}))

let files: TestDatabase
let database: Database

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
  const { text } = columnTypes[database.engine]
  await sql`create table things (id ${text} not null, kind ${text} not null, color ${text}, made_at ${text} not null)`.execute(
    database.kysely,
  )
  await sql`create index things_kind_idx on things (kind, made_at, id)`.execute(database.kysely)
  await things().insertInto('things').values(THINGS).execute()
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

const things = () => database.kysely.withTables<{ things: Thing }>()
type Range = Parameters<typeof inRange>[2]

const listed = (range: Range) => inRange(things(), things().selectFrom('things').select(['id', 'made_at']), range)

/** What a list must contain, in order. */
function expected({ filters, order: { direction }, from, to }: Range): string[] {
  const matches = THINGS.filter(
    (thing) =>
      filters.every(([column, value]) => thing[column as keyof Thing] === value) &&
      (from === undefined || thing.made_at >= from) &&
      (to === undefined || thing.made_at < to),
  )
  const keyOf = ({ made_at, id }: Thing) => `${made_at} ${id}`
  const sorted = matches.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).map(({ id }) => id)
  return direction === 'asc' ? sorted : sorted.reverse()
}

const ORDERS: ListOrder[] = [
  { column: 'made_at', direction: 'asc' },
  { column: 'made_at', direction: 'desc' },
]
const FILTERS: Range['filters'][] = [
  [],
  [['kind', 'chair']],
  [['color', null]],
  [
    ['kind', 'table'],
    ['color', 'red'],
  ],
  [
    ['kind', 'bed'],
    ['color', null],
  ],
]
const LIMITS = [{}, { from: 'day-1' }, { to: 'day-3' }, { from: 'day-1', to: 'day-3' }]
const RANGES = ORDERS.flatMap((order) =>
  FILTERS.flatMap((filters) => LIMITS.map((limits): Range => ({ filters, order, ...limits }))),
)

test.each(RANGES)('pages have every row of the range once, in order: %j', async (range) => {
  const found: string[] = []
  let after: Range['after']
  for (;;) {
    const page = await listed({ ...range, after })
      .limit(4)
      .execute()
    found.push(...page.map(({ id }) => id))
    const last = page.at(-1)
    if (last === undefined) break
    after = { value: last.made_at, id: last.id }
  }
  expect(found.length).toBeGreaterThan(0)
  expect(found).toEqual(expected(range))
})

/** Many rows of one kind, in the same order on both engines. */
const MANY = 20_000

async function fillMany(): Promise<void> {
  const { from, number } = numberedRows(database.engine, MANY)
  await sql`insert into things select 'many-' || ${number}, 'sofa', 'red', 'day-' || ${number} from ${from}`.execute(
    database.kysely,
  )
  await sql`analyze things`.execute(database.kysely)
}

const costOf = (range: Range) => readCost(database, files.location, listed(range).limit(25).compile())

test('a page far behind the first reads no more than that', async () => {
  await fillMany()
  for (const order of ORDERS) {
    const range: Range = { filters: [['kind', 'sofa']], order }
    const number = String(order.direction === 'asc' ? MANY - 100 : 100).padStart(8, '0')
    const first = await costOf(range)
    const deep = await costOf({ ...range, after: { value: `day-${number}`, id: `many-${number}` } })
    expect(deep, order.direction).toBeGreaterThan(0)
    expect(deep, order.direction).toBeLessThanOrEqual(first + 10)
  }
})
