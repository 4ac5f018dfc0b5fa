import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganisation } from '../../../modules/account/organisations/index.ts'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { timestamp } from '../../clock/index.ts'
import { newId, newIdAt, type OrgId } from '../../ids/index.ts'
import { ConstraintViolation } from '../failures.ts'
import { openDatabase } from '../open.ts'
import type { Database } from '../types.ts'
import { insertMissingRows, insertMissingRowsAlone, insertRows, upsertRows } from './insert-rows.ts'
import type { Row } from './table-columns.ts'
import { updateRows } from './update-rows.ts'

const NOW_MS = 1_800_000_000_000
let files: TestDatabase
let database: Database
let orgId: OrgId
let statements: string[]

beforeAll(async () => {
  files = await createDatabase()
  statements = []
  database = await openDatabase(files.location, { observe: (text) => statements.push(text) })
  orgId = (await database.write((tx) => createOrganisation(tx, { name: 'Acme', slug: 'acme' }, timestamp(NOW_MS)))).id
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

const scan = (changes: Partial<Row<'scans'>> = {}): Row<'scans'> => ({
  ...{ org_id: orgId, id: newIdAt(NOW_MS), target_kind: 'qr_code', target_id: newId(), scanned_at: timestamp(NOW_MS) },
  ...{ is_bot: false, visitor: '', user_agent: null, referrer: null, gs1: null, query_params: null },
  ...{ device_type: null, device_os: null, device_browser: null, country: null, region: null, city: null },
  ...{ destination_type: null, destination_id: null, destination_url: null, destination_version: null },
  ...{ group_id: null, object_id: null, domain: null, via: null, rule_id: null, rules_version: null, variant: null },
  reason: null,
  ...changes,
})
const insert = (rows: Row<'scans'>[]) => database.write((tx) => insertMissingRows(tx, 'scans', rows))
const read = async (ids: string[]): Promise<Row<'scans'>[]> => {
  const rows = await database.read
    .selectFrom('scans')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => rows.find((row) => row.id === id) as Row<'scans'>)
}

const TEXTS = [
  '',
  ' ',
  "it's; drop table scans",
  '"',
  '\\',
  '\\u0041',
  '$1 ? :a',
  'null',
  '{}',
  '[1]',
  '🏷️ ü 日本 شركة',
  '\u2028\r\n\t\u0001',
  '\ufeff',
  'x'.repeat(100_000),
]

test('stores every value unchanged', async () => {
  const rows = [
    ...TEXTS.map((text) => scan({ user_agent: text, city: text, query_params: { [text]: text } })),
    ...[{}, [], [null], { a: null, b: [1, -1.5, 1e21, true, { c: [] }] }, { __proto__: null, constructor: 'x' }].map(
      (json) => scan({ query_params: json, gs1: json }),
    ),
    ...[true, false].map((is_bot) => scan({ is_bot })),
    ...[0, 1, 999, 253_402_300_799_999].map((ms) => scan({ scanned_at: timestamp(ms) })),
    scan(),
  ]
  const ids = rows.map(({ id }) => id)
  expect(await insert(rows)).toEqual(ids)
  expect(await read(ids)).toEqual(rows.map((row) => JSON.parse(JSON.stringify(row))))
})

test('accepts rows with their keys in another order', async () => {
  const [one, other] = [scan({ city: 'one' }), scan({ city: 'other' })]
  const reversed = Object.fromEntries(Object.entries(other).reverse()) as unknown as Row<'scans'>
  await insert([one, reversed])
  expect((await read([one.id, other.id])).map(({ city }) => city)).toEqual(['one', 'other'])
})

test('stores null where a row lacks a column, and loses no column that the first row lacks', async () => {
  const { city: _, ...withoutCity } = scan({ country: 'DE' })
  const complete = scan({ city: 'Berlin', country: 'DE' })
  await insert([withoutCity as Row<'scans'>, complete])
  const stored = await read([withoutCity.id, complete.id])
  expect(stored.map(({ city, country }) => [city, country])).toEqual([
    [null, 'DE'],
    ['Berlin', 'DE'],
  ])
})

test('neither changes nor returns existing rows, even within one batch', async () => {
  const [old, fresh] = [scan({ city: 'old' }), scan({ city: 'fresh' })]
  expect(await insert([old])).toEqual([old.id])
  expect(await insert([{ ...old, city: 'new' }, fresh, { ...fresh, city: 'again' }])).toEqual([fresh.id])
  expect((await read([old.id, fresh.id])).map(({ city }) => city)).toEqual(['old', 'fresh'])
  expect(await insert([old, fresh])).toEqual([])
})

test('sends no statement for no rows', async () => {
  const before = statements.length
  await database.write(async (tx) => {
    expect(await insertMissingRows(tx, 'scans', [])).toEqual([])
  })
  expect(statements.slice(before).filter((text) => text.startsWith('insert'))).toEqual([])
})

test('uses one statement text for a single row, and one for any number of them', async () => {
  const before = statements.length
  for (const count of [1, 1, 2, 1000])
    expect(await insert(Array.from({ length: count }, () => scan()))).toHaveLength(count)
  const texts = statements.slice(before).filter((text) => text.startsWith('insert'))
  expect(texts).toHaveLength(4)
  expect(new Set(texts.slice(0, 2)).size).toBe(1)
  expect(new Set(texts.slice(2)).size).toBe(1)
})

test('rolls the whole batch back if one row cannot be stored', async () => {
  const rows = [scan(), scan({ target_kind: null as never }), scan()]
  await expect(insert(rows)).rejects.toThrow(/target_kind|null/i)
  expect(await read(rows.map(({ id }) => id))).toEqual([undefined, undefined, undefined])
})

test('reports a violated foreign key', async () => {
  const row = { id: `qr_code:${newId()}`, org_id: newId() as OrgId, target_id: newId(), rule: null }
  const refused = database.write((tx) => insertMissingRows(tx, 'scan_targets', [row])).catch((error: unknown) => error)
  expect(await refused).toBeInstanceOf(ConstraintViolation)
  expect(await refused).toMatchObject({ kind: 'foreign_key' })
})

test('a rolled back row can be inserted again', async () => {
  const row = scan()
  const failing = database.write(async (tx) => {
    expect(await insertMissingRows(tx, 'scans', [row])).toEqual([row.id])
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await insert([row])).toEqual([row.id])
})

test('insertRows fails and inserts nothing if one row exists', async () => {
  const [known, fresh] = [scan(), scan()]
  await insert([known])
  const failed = await database.write((tx) => insertRows(tx, 'scans', [fresh, known])).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(ConstraintViolation)
  expect((await read([known.id, fresh.id])).map((row) => row?.id)).toEqual([known.id, undefined])
})

test('insertMissingRowsAlone inserts all missing rows or none', async () => {
  const [known, fresh, broken] = [scan(), scan(), scan({ visitor: null as never })]
  await insert([known])
  await insertMissingRowsAlone(database, 'scans', [known, fresh])
  expect((await read([fresh.id]))[0]?.id).toBe(fresh.id)
  const other = scan()
  await expect(insertMissingRowsAlone(database, 'scans', [other, broken])).rejects.toThrow()
  expect(await read([other.id])).toEqual([undefined])
  await insertMissingRowsAlone(database, 'scans', [other])
  expect((await read([other.id]))[0]?.id).toBe(other.id)
})

test('insertMissingRowsAlone never joins an open transaction', async () => {
  const rolledBack = scan()
  const alone = Array.from({ length: 20 }, () => scan())
  const insertAlone = (index: number) => insertMissingRowsAlone(database, 'scans', [alone[index] as Row<'scans'>])
  const started: Promise<void>[] = [insertAlone(0)]
  const failing = database.write(async (tx) => {
    started.push(insertAlone(1))
    await insertMissingRows(tx, 'scans', [rolledBack])
    for (let index = 2; index < 19; index++) {
      started.push(insertAlone(index))
      await tx.selectFrom('scans').select('id').where('org_id', '=', orgId).limit(1).execute()
    }
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  started.push(insertAlone(19))
  await Promise.all(started)
  const found = await read([rolledBack, ...alone].map(({ id }) => id))
  expect(found.map((row) => row?.id)).toEqual([undefined, ...alone.map(({ id }) => id)])
})

test('upsertRows and updateRows store every value of many rows, and only those of the organisation', async () => {
  const rule = (n: number) => ({ status: 'active', params: [[`k${n}`, '🏷️ "ü" \\ $1']], n: 1.5, no: null, yes: true })
  const row = (n: number, value: unknown) => ({
    id: `qr_code:row-${n}`,
    org_id: orgId,
    target_id: newId(),
    rule: value,
  })
  const [one, two] = [row(1, rule(1)), row(2, null)]
  await database.write((tx) => upsertRows(tx, 'scan_targets', [one]))
  const replaced = { ...one, target_id: newId(), rule: rule(3) }
  await database.write((tx) => upsertRows(tx, 'scan_targets', [replaced, two]))
  const stored = () =>
    database.read.selectFrom('scan_targets').selectAll().where('org_id', '=', orgId).orderBy('id').execute()
  expect(await stored()).toEqual([replaced, two])

  const changed = { ...two, rule: rule(2) }
  await database.write((tx) => updateRows(tx, orgId, 'scan_targets', ['rule'], [changed, { id: one.id, rule: null }]))
  expect(await stored()).toEqual([{ ...replaced, rule: null }, changed])
  await database.write((tx) => updateRows(tx, newId() as OrgId, 'scan_targets', ['rule'], [{ ...two, rule: null }]))
  expect(await stored()).toEqual([{ ...replaced, rule: null }, changed])
})
