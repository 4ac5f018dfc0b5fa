import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { ConstraintViolation, DatabaseUnavailable } from '../failures.ts'
import type { Database } from '../types.ts'
import { closeGate, isCommitWaiting, newCommitGate, openGate } from './commit-gate.ts'
import { openSqlite, type SqliteOptions } from './index.ts'

let folder: string
let database: Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-sqlite-'))
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

async function open(options?: SqliteOptions): Promise<void> {
  database = await openSqlite(join(folder, 'test.db'), options)
  await sql`create table things (id integer primary key, name text, flag boolean, data jsontext)`.execute(
    database.kysely,
  )
  await sql`create unique index things_name_key on things (name)`.execute(database.kysely)
}

const insert = (name: string) => sql`insert into things (name) values (${name})`
const count = async () => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from things`.execute(database.read)
  return rows[0]!.n
}

test('a slow disk delays the commit but not the reads', async () => {
  const commitGate = newCommitGate()
  await open({ commitGate })
  closeGate(commitGate)
  let committed = false
  const commit = database
    .write((tx) => insert('slow').execute(tx))
    .then(() => {
      committed = true
    })
  await eventually(() => isCommitWaiting(commitGate))
  for (let reads = 0; reads < 10; reads++) expect(await count()).toBe(0)
  expect(committed).toBe(false)
  openGate(commitGate)
  await commit
  expect(await count()).toBe(1)
})

test('rolls back a transaction that throws and runs the next one normally', async () => {
  await open()
  const failing = database.write(async (tx) => {
    await insert('ghost').execute(tx)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await database.write((tx) => insert('real').execute(tx))
  expect(await count()).toBe(1)
})

test('runs transactions one after another', async () => {
  await open()
  await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      database
        .write(async (tx) => {
          const { rows } = await sql<{ n: number }>`select count(*) as n from things`.execute(tx)
          await insert(`thing ${rows[0]!.n}`).execute(tx)
          if (n % 5 === 0) throw new Error('every fifth fails')
        })
        .catch(() => {}),
    ),
  )
  expect(await count()).toBe(40)
})

test('a transaction cannot continue after a failed statement, as on PostgreSQL', async () => {
  await open()
  await database.write((tx) => insert('one').execute(tx))
  const continuing = database.write(async (tx) => {
    await insert('one')
      .execute(tx)
      .catch(() => {})
    await insert('two').execute(tx)
  })
  await expect(continuing).rejects.toBeInstanceOf(ConstraintViolation)
  const committing = database.write(async (tx) => {
    await insert('three').execute(tx)
    await insert('one')
      .execute(tx)
      .catch(() => {})
  })
  await expect(committing).rejects.toBeInstanceOf(ConstraintViolation)
  expect(await count()).toBe(1)
  await database.write((tx) => insert('four').execute(tx))
  expect(await count()).toBe(2)
})

test('names the violated unique index', async () => {
  await open()
  await database.write((tx) => insert('one').execute(tx))
  const error = await database.write((tx) => insert('one').execute(tx)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConstraintViolation)
  expect(error).toMatchObject({ kind: 'unique', constraint: 'things_name_key' })
})

test('converts booleans and JSON by the declared type of the column', async () => {
  await open()
  const data = { list: [1, 'zwei', null], nested: { emoji: '🏷️' } }
  await database.write((tx) => sql`insert into things (name, flag, data) values ('x', ${true}, ${data})`.execute(tx))
  await database.write((tx) => sql`insert into things (name, flag, data) values ('y', ${null}, ${'1'})`.execute(tx))
  const query = sql`select name, flag, data from things order by name`
  const expected = [
    { name: 'x', flag: true, data },
    { name: 'y', flag: null, data: 1 },
  ]
  for (const db of [database.read, database.readLong]) {
    const { rows } = await query.execute(db)
    expect(rows.map((row) => ({ ...(row as object) }))).toEqual(expected)
  }
})

test('reports a database that another process locks for too long as unavailable, and writes nothing', async () => {
  await open()
  const other = new DatabaseSync(join(folder, 'test.db'))
  other.exec('begin immediate')
  const blocked = database.write((tx) => insert('blocked').execute(tx)).catch((error: unknown) => error)
  expect(await count()).toBe(0)
  expect(await blocked).toBeInstanceOf(DatabaseUnavailable)
  other.exec('rollback')
  other.close()
  await database.write((tx) => insert('after').execute(tx))
  expect(await count()).toBe(1)
})

test('the read connections cannot write', async () => {
  await open()
  await expect(insert('x').execute(database.read)).rejects.toThrow(/readonly/)
  await expect(insert('x').execute(database.readLong)).rejects.toThrow(/readonly/)
})

test('a commit is on disk before it is acknowledged', async () => {
  await open()
  const { rows } = await sql`pragma synchronous`.execute(database.kysely)
  expect({ ...(rows[0] as object) }).toEqual({ synchronous: 2 })
  const { rows: mode } = await sql`pragma journal_mode`.execute(database.kysely)
  expect({ ...(mode[0] as object) }).toEqual({ journal_mode: 'wal' })
})

test('runs statements on row ids beyond the safe integers', async () => {
  await open()
  await sql`create table numbered (id integer primary key)`.execute(database.kysely)
  await database.write(async (tx) => {
    await sql`insert into numbered values (${2n ** 60n})`.execute(tx)
    const { numAffectedRows } = await sql`delete from numbered`.execute(tx)
    expect(Number(numAffectedRows)).toBe(1)
  })
})
