import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { numberedRows } from '../../../testing/engines/numbered-rows.ts'
import { readCost } from '../../../testing/engines/plans.ts'
import { newId, type OrgId } from '../../ids/index.ts'
import { columnTypes } from '../column-types.ts'
import { openDatabase } from '../open.ts'
import type { Database } from '../types.ts'
import { inRanges, type ListRanges } from './merged-ranges.ts'

type Thing = { id: string; org_id: OrgId; owner: string | null; kind: string; is_new: boolean; made_at: string }

const ACME = newId() as OrgId
const OTHER = newId() as OrgId
/** Some things are nobody's. */
const OWNERS = ['ann', 'bob', null]
const KINDS = ['bed', 'chair', 'table']
const TIMES = ['day-0', 'day-1', 'day-2', 'day-3', 'day-4']

/** Several rows of a time, so that their ids decide the order. */
const THINGS: Thing[] = Array.from({ length: 200 }, (_, n) => ({
  id: `id-${String((n * 37) % 200).padStart(3, '0')}`,
  org_id: n % 10 === 0 ? OTHER : ACME,
  owner: OWNERS[n % 3] as string | null,
  kind: KINDS[Math.floor(n / 3) % 3] as string,
  is_new: n % 7 < 3,
  made_at: TIMES[Math.floor(n / 5) % 5] as string,
}))

let files: TestDatabase
let database: Database

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
  const { text, boolean, id } = columnTypes[database.engine]
  await sql`create table things (id ${text} not null primary key, org_id ${id} not null, owner ${text}, kind ${text} not null,
    is_new ${boolean} not null, made_at ${text} not null)`.execute(database.kysely)
  await sql`create index things_idx on things (org_id, kind, is_new, owner, made_at, id)`.execute(database.kysely)
  await things().insertInto('things').values(THINGS).execute()
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

const things = () => database.kysely.withTables<{ things: Thing }>()
type List = Omit<ListRanges, 'orgId' | 'limit'>

const listed = (list: List, limit: number) =>
  inRanges(database.kysely, 'things' as 'submissions', { ...list, orgId: ACME, limit }).select([
    'id',
    sql<string>`made_at`.as('made_at'),
  ])

/** What a list must contain, in order. */
function expected({ filters, order: { direction }, from, to }: List): string[] {
  const matches = THINGS.filter(
    (thing) =>
      thing.org_id === ACME &&
      filters.every(([column, values]) => values.includes(thing[column as keyof Thing])) &&
      (from === undefined || thing.made_at >= from) &&
      (to === undefined || thing.made_at < to),
  )
  const keyOf = ({ made_at, id }: Thing) => `${made_at} ${id}`
  const sorted = matches.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).map(({ id }) => id)
  return direction === 'asc' ? sorted : sorted.reverse()
}

const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1 })
const lists: fc.Arbitrary<List> = fc
  .record({
    owner: fc.option(some(OWNERS), { nil: undefined }),
    kind: fc.option(some(KINDS), { nil: undefined }),
    is_new: fc.option(some([true, false]), { nil: undefined }),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    from: fc.option(fc.constantFrom(...TIMES), { nil: undefined }),
    to: fc.option(fc.constantFrom(...TIMES), { nil: undefined }),
  })
  .map(({ direction, from, to, ...columns }) => ({
    filters: Object.entries(columns).filter((entry): entry is [string, any] => entry[1] !== undefined),
    order: { column: 'made_at', direction },
    behind: [],
    ...{ from, to },
  }))

test('pages have every row of all ranges once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 20 }), async (list, limit) => {
      const found: string[] = []
      let after: List['after']
      for (;;) {
        const page = await listed({ ...list, after }, limit).execute()
        expect(page.length).toBeLessThanOrEqual(limit)
        found.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        if (last === undefined) break
        after = { value: last.made_at, id: last.id }
      }
      expect(found).toEqual(expected(list))
    }),
    { numRuns: 100 },
  )
})

test('other columns and the check apply to every range', async () => {
  const order = { column: 'made_at', direction: 'asc' } as const
  const check = sql<boolean>`made_at like ${'%3'}`
  for (const kinds of [KINDS, ['bed']]) {
    const filters = [['kind', kinds]] as const
    const rows = await listed({ filters, order, behind: [['owner', 'bob']], check }, 200).execute()
    const all = expected({ filters: [...filters, ['owner', ['bob']]], order, behind: [], from: 'day-3', to: 'day-4' })
    expect(rows.map(({ id }) => id)).toEqual(all)
  }
})

/** Many new rows of one kind, in the same order on both engines. */
const MANY = 20_000

async function fillMany(): Promise<void> {
  const { from, number } = numberedRows(database.engine, MANY)
  await sql`insert into things (id, org_id, owner, kind, is_new, made_at)
    select 'many-' || ${number}, ${ACME}, 'ann', 'sofa', true, 'day-' || ${number} from ${from}`.execute(
    database.kysely,
  )
  await sql`analyze things`.execute(database.kysely)
}

test('neither a late page nor filters that contradict each other read more than the first page', async () => {
  await fillMany()
  const costOf = (isNew: boolean, more: Pick<List, 'order' | 'after'>) => {
    const filters = [['kind', ['sofa']] as const, ['is_new', [isNew]] as const, ['owner', ['ann', 'bob']] as const]
    return readCost(database, files.location, listed({ filters, behind: [], ...more }, 25).compile())
  }
  for (const direction of ['asc', 'desc'] as const) {
    const order = { column: 'made_at', direction }
    const number = String(direction === 'asc' ? MANY - 100 : 100).padStart(8, '0')
    const first = await costOf(true, { order })
    expect(first).toBeGreaterThan(0)
    expect(await costOf(false, { order }), direction).toBeLessThanOrEqual(first)
    const deep = await costOf(true, { order, after: { value: `day-${number}`, id: `many-${number}` } })
    expect(deep, direction).toBeLessThanOrEqual(first + 10)
  }
})
