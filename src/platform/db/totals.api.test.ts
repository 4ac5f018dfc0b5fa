import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganisation } from '../../modules/account/organisations/index.ts'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { insertTestRows } from '../../testing/engines/insert-test-rows.ts'
import { timestamp } from '../clock/index.ts'
import { newId, type OrgId } from '../ids/index.ts'
import { openDatabase } from './open.ts'
import { insertMissingRows } from './statements/insert-rows.ts'
import { columnsOf, type Row } from './statements/table-columns.ts'
import { createSumTriggers, lockTotal, selectTotal, sumOf, totalOf } from './totals.ts'
import type { Database, Tx } from './types.ts'

const NOW = timestamp(1_800_000_000_000)
const STATUSES = ['unconfigured', 'active', 'inactive', 'archived'] as const
type Status = (typeof STATUSES)[number]

let files: TestDatabase
let database: Database
let slugs = 0

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

/** A row without values, so that a new column that can be null needs no change here. */
const emptyRow = <Table extends 'qr_codes' | 'qr_groups'>(table: Table) => {
  const values: Record<string, number | null> = { version: 1, scheduled_count: 0 }
  return Object.fromEntries(columnsOf(table).map((column) => [column, values[column] ?? null])) as unknown as Row<Table>
}

async function createTenant(): Promise<{ orgId: OrgId; groups: string[] }> {
  const slug = `acme-${++slugs}`
  return database.write(async (tx) => {
    const { id: orgId } = await createOrganisation(tx, { name: 'Acme', slug }, NOW)
    const groups = [newId(), newId()]
    const texts = { name: 'Chairs', description: '', name_key: '', search_text: '' }
    await insertTestRows(
      tx,
      'qr_groups',
      groups.map((id) => ({
        ...emptyRow('qr_groups'),
        ...{ id, org_id: orgId, status: 'active', ...texts },
        created_at: NOW,
        updated_at: NOW,
      })),
    )
    return { orgId, groups }
  })
}

const code = (orgId: OrgId, status: Status = 'active', group_id: string | null = null) => ({
  ...emptyRow('qr_codes'),
  ...{ id: newId(), org_id: orgId, status, group_id, public_slug: `slug-${++slugs}` },
  ...{ name_key: '', search_text: '', created_at: NOW, updated_at: NOW },
})

/** The totals of the triggers, and those of the actual rows. */
async function countBoth(orgId: OrgId, groups: string[]) {
  const rows = await database.read
    .selectFrom('qr_codes')
    .select(['status', 'group_id'])
    .where('org_id', '=', orgId)
    .execute()
  const names = [
    'qr_codes',
    ...STATUSES.map((status) => totalOf('qr_codes', 'status', status)),
    ...groups.map((group) => totalOf('qr_codes', 'group_id', group)),
  ]
  const counted: number[] = []
  for (const name of names) counted.push(await selectTotal(database.read, orgId, name))
  const actual = [
    rows.length,
    ...STATUSES.map((status) => rows.filter((row) => row.status === status).length),
    ...groups.map((group) => rows.filter(({ group_id }) => group_id === group).length),
  ]
  return { counted, actual }
}

async function expectCorrect(orgId: OrgId, groups: string[], after: string): Promise<void> {
  const { counted, actual } = await countBoth(orgId, groups)
  expect(counted, after).toEqual(actual)
}

const codes = (tx: Tx, orgId: OrgId) => tx.updateTable('qr_codes').where('org_id', '=', orgId)

test('totals stay correct through every kind of insert, update and delete', async () => {
  const { orgId, groups } = await createTenant()
  const [chairs, tables] = groups as [string, string]
  const write = async (what: string, work: (tx: Tx) => Promise<unknown>) => {
    await database.write(work)
    await expectCorrect(orgId, groups, what)
  }
  await write('insert one', (tx) => tx.insertInto('qr_codes').values(code(orgId)).execute())
  await write('insert many in one statement', (tx) =>
    tx
      .insertInto('qr_codes')
      .values(STATUSES.flatMap((status) => [null, chairs, tables].map((group) => code(orgId, status, group))))
      .execute(),
  )
  const known = code(orgId, 'inactive', chairs)
  await write('insertRows', (tx) =>
    insertTestRows(tx, 'qr_codes', [known, ...Array.from({ length: 500 }, () => code(orgId, 'unconfigured', chairs))]),
  )
  await write('insertMissingRows with an existing and a new row', (tx) =>
    insertMissingRows(tx, 'qr_codes', [{ ...known, status: 'archived' }, code(orgId, 'archived', tables)]),
  )
  expect(await countBoth(orgId, groups)).toMatchObject({ counted: [515, 503, 4, 4, 4, 505, 5] })

  await write('update an uncounted column', (tx) => codes(tx, orgId).set({ name: 'Door' }).execute())
  await write('update a status to the same value', (tx) =>
    codes(tx, orgId).set({ status: 'active' }).where('status', '=', 'active').execute(),
  )
  await write('update a status', (tx) =>
    codes(tx, orgId).set({ status: 'active' }).where('status', '=', 'unconfigured').execute(),
  )
  await write('update a group', (tx) =>
    codes(tx, orgId).set({ group_id: tables }).where('group_id', '=', chairs).execute(),
  )
  await write('set a group to null', (tx) =>
    codes(tx, orgId).set({ group_id: null }).where('status', '=', 'inactive').execute(),
  )
  await write('set a group that was null', (tx) =>
    codes(tx, orgId).set({ group_id: chairs }).where('group_id', 'is', null).execute(),
  )
  await write('update status and group at once', (tx) =>
    codes(tx, orgId).set({ status: 'archived', group_id: null }).where('group_id', '=', tables).execute(),
  )
  await write('an update of no rows', (tx) =>
    codes(tx, orgId).set({ status: 'active' }).where('id', '=', newId()).execute(),
  )
  await write('several statements in one transaction', async (tx) => {
    await tx
      .insertInto('qr_codes')
      .values(code(orgId, 'inactive', tables))
      .execute()
    await codes(tx, orgId).set({ status: 'active' }).where('group_id', '=', tables).execute()
    await tx.deleteFrom('qr_codes').where('org_id', '=', orgId).where('group_id', '=', tables).execute()
  })
  await write('delete one', (tx) =>
    tx.deleteFrom('qr_codes').where('org_id', '=', orgId).where('id', '=', known.id).execute(),
  )
  await write('delete many', (tx) =>
    tx.deleteFrom('qr_codes').where('org_id', '=', orgId).where('status', '=', 'archived').execute(),
  )
  const { counted } = await countBoth(orgId, groups)
  expect(counted[0]).toBeGreaterThan(0)
  await write('delete all', (tx) => tx.deleteFrom('qr_codes').where('org_id', '=', orgId).execute())
  expect((await countBoth(orgId, groups)).counted).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('does not count rows that are rolled back', async () => {
  const { orgId, groups } = await createTenant()
  const failing = database.write(async (tx) => {
    await insertTestRows(tx, 'qr_codes', [code(orgId, 'active', groups[0]!), code(orgId)])
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect((await countBoth(orgId, groups)).counted).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('counts one statement over several organisations for each of them', async () => {
  const [acme, other] = [await createTenant(), await createTenant()]
  await database.write((tx) =>
    insertTestRows(tx, 'qr_codes', [
      code(acme.orgId, 'active', acme.groups[0]!),
      code(other.orgId, 'active', other.groups[0]!),
      code(acme.orgId, 'archived'),
    ]),
  )
  expect((await countBoth(acme.orgId, acme.groups)).counted).toEqual([2, 0, 1, 0, 1, 1, 0])
  expect((await countBoth(other.orgId, other.groups)).counted).toEqual([1, 0, 1, 0, 0, 1, 0])
  expect(await selectTotal(database.read, acme.orgId, totalOf('qr_codes', 'group_id', other.groups[0]!))).toBe(0)
})

test('counts concurrent writes correctly', async () => {
  const { orgId, groups } = await createTenant()
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      database.write(async (tx) => {
        const mine = [code(orgId, 'active', groups[n % 2]!), code(orgId, 'inactive', groups[(n + 1) % 2]!)]
        await insertTestRows(tx, 'qr_codes', n % 3 === 0 ? mine.reverse() : mine)
        await codes(tx, orgId).set({ status: 'archived', group_id: null }).where('id', '=', mine[0]!.id).execute()
        await tx.deleteFrom('qr_codes').where('org_id', '=', orgId).where('id', '=', mine[1]!.id).execute()
      }),
    ),
  )
  await expectCorrect(orgId, groups, '20 at once')
  expect((await countBoth(orgId, groups)).counted[0]).toBe(20)
})

test('adds up several totals', async () => {
  const { orgId } = await createTenant()
  await database.write((tx) =>
    insertTestRows(
      tx,
      'qr_codes',
      STATUSES.map((status) => code(orgId, status)),
    ),
  )
  const names = STATUSES.slice(0, 3).map((status) => totalOf('qr_codes', 'status', status))
  expect(await selectTotal(database.read, orgId, ...names)).toBe(3)
  expect(await selectTotal(database.read, orgId)).toBe(0)
})

test('keeps the sum of a column, starting with the rows that exist', async () => {
  const [acme, other] = [await createTenant(), await createTenant()]
  const name = sumOf('bags', 'weight')
  const sums = async () => [
    await selectTotal(database.read, acme.orgId, name),
    await selectTotal(database.read, other.orgId, name),
  ]
  const execute = (query: ReturnType<typeof sql>) => database.write((tx) => query.execute(tx))
  const id = database.engine === 'sqlite' ? sql`text` : sql`uuid`
  await execute(sql`create table bags (org_id ${id} not null, weight bigint not null)`)
  await execute(sql`insert into bags values (${acme.orgId}, 3), (${acme.orgId}, 4)`)
  await database.write((tx) => createSumTriggers(tx as never, 'bags', database.engine, 'weight'))
  expect(await sums()).toEqual([7, 0])
  await execute(sql`insert into bags values (${acme.orgId}, 10), (${other.orgId}, 20), (${other.orgId}, 5000000000)`)
  expect(await sums()).toEqual([17, 5_000_000_020])
  await execute(sql`update bags set weight = weight + 1 where weight < 10`)
  expect(await sums()).toEqual([19, 5_000_000_020])
  await execute(sql`delete from bags where weight > 10`)
  expect(await sums()).toEqual([19, 0])
  await execute(sql`drop table bags`)
})

test('a locked total changes only after the transaction that locked it, even if it did not exist', async () => {
  const { orgId } = await createTenant()
  const order: string[] = []
  const locked = Promise.withResolvers<void>()
  const first = database.write(async (tx) => {
    expect(await lockTotal(tx, orgId, 'qr_codes')).toBe(0)
    locked.resolve()
    await insertTestRows(tx, 'qr_codes', [code(orgId)])
    order.push('first')
  })
  await locked.promise
  const second = database.write(async (tx) => {
    expect(await lockTotal(tx, orgId, 'qr_codes')).toBe(1)
    order.push('second')
  })
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second'])
})
