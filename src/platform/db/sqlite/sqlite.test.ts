import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConstraintViolation, DatabaseUnavailable } from '../failures.ts'
import type { Database } from '../types.ts'
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

test('a disk that is slow to sync delays its own commit and nothing else', async () => {
  await open({ commitDelayMs: 400 })
  let committed = false
  const commit = database
    .write((tx) => insert('slow').execute(tx))
    .then(() => {
      committed = true
    })
  // Between the disk's commit and its report a read may already see the row, so only the looks before it count.
  let readsBefore = 0
  while (!committed) {
    if ((await count()) === 0) readsBefore++
    await sleep(5)
  }
  await commit
  // Had the event loop waited for the disk, the first look after the start would have found it committed.
  expect(readsBefore).toBeGreaterThan(10)
  expect(await count()).toBe(1)
})

test('a transaction that throws leaves nothing behind, and the next one is not harmed', async () => {
  await open()
  const failing = database.write(async (tx) => {
    await insert('ghost').execute(tx)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await database.write((tx) => insert('real').execute(tx))
  expect(await count()).toBe(1)
})

test('transactions queue: none sees another half done', async () => {
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

test('as on PostgreSQL, a transaction in which a statement failed cannot go on', async () => {
  await open()
  await database.write((tx) => insert('one').execute(tx))
  const stubborn = database.write(async (tx) => {
    await insert('one')
      .execute(tx)
      .catch(() => {})
    await insert('two').execute(tx)
  })
  await expect(stubborn).rejects.toBeInstanceOf(ConstraintViolation)
  const forgetful = database.write(async (tx) => {
    await insert('three').execute(tx)
    await insert('one')
      .execute(tx)
      .catch(() => {})
  })
  await expect(forgetful).rejects.toBeInstanceOf(ConstraintViolation)
  expect(await count()).toBe(1)
  await database.write((tx) => insert('four').execute(tx))
  expect(await count()).toBe(2)
})

test('a violated unique index is told by its name', async () => {
  await open()
  await database.write((tx) => insert('one').execute(tx))
  const error = await database.write((tx) => insert('one').execute(tx)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConstraintViolation)
  expect(error).toMatchObject({ kind: 'unique', constraint: 'things_name_key' })
})

test('booleans and JSON come back as what they were, told by the declared type', async () => {
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

test('a database locked by another process for too long is unavailable, and nothing half done remains', async () => {
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

test('a statement may insert rows with numbers that JavaScript has not', async () => {
  await open()
  await sql`create table numbered (id integer primary key)`.execute(database.kysely)
  await database.write(async (tx) => {
    await sql`insert into numbered values (${2n ** 60n})`.execute(tx)
    const { numAffectedRows } = await sql`delete from numbered`.execute(tx)
    expect(Number(numAffectedRows)).toBe(1)
  })
})
