/** A thread that ends takes only its open transaction with it. */
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { DatabaseUnavailable } from '../failures.ts'
import type { Database } from '../types.ts'
import { CHECKPOINT_PAGES } from './connect.ts'
import { openSqlite } from './index.ts'

let folder: string
let database: Database
let threads: Worker[]
const remember = (worker: Worker) => threads.push(worker)

beforeEach(async () => {
  threads = []
  process.on('worker', remember)
  folder = await mkdtemp(join(tmpdir(), 'waymark-threads-'))
  database = await openSqlite(join(folder, 'test.db'))
  await sql`create table things (id integer primary key, name text)`.execute(database.kysely)
})
afterEach(async () => {
  process.off('worker', remember)
  await database.close()
  await rm(folder, { recursive: true })
})

const insert = (name: string) => sql`insert into things (name) values (${name})`
const write = (name: string) => database.write((tx) => insert(name).execute(tx))
const names = async (db = database.read) => {
  const { rows } = await sql<{ name: string }>`select name from things order by id`.execute(db)
  return rows.map(({ name }) => name)
}
type Mode = 'read' | 'write' | 'checkpoint'
const threadOf = (mode: Mode) => threads.findLast(({ threadName }) => threadName === `sqlite-${mode}`)

async function kill(mode: Mode): Promise<void> {
  await (await eventually(() => threadOf(mode))).terminate()
}

test('the open transaction fails as a whole, and the next one runs on a new thread', async () => {
  await write('before')
  const failing = database.write(async (tx) => {
    await insert('first').execute(tx)
    await kill('write')
    await insert('second')
      .execute(tx)
      .catch(() => {})
    await insert('third').execute(tx)
  })
  await expect(failing).rejects.toBeInstanceOf(DatabaseUnavailable)
  await eventually(() => write('after').then(() => true, isUnavailable))
  expect(await names()).toEqual(['before', 'after'])
})

test('a transaction goes on while the event loop is busy, if its replies are taken', async () => {
  const steps: string[] = []
  const written = database.write(async (tx) => {
    for (const name of ['first', 'second', 'third']) {
      await sql`select 1`.execute(tx)
      await insert(name).execute(tx)
      steps.push(name)
    }
  })
  const pause = new Int32Array(new SharedArrayBuffer(4))
  // Awaiting a value lets promises continue, and the event loop rests.
  for (let waits = 0; steps.length < 3 && waits < 5000; waits++) {
    database.takeReplies()
    await undefined
    Atomics.wait(pause, 0, 0, 1)
  }
  expect(steps).toEqual(['first', 'second', 'third'])
  await written
  expect(await names()).toEqual(['first', 'second', 'third'])
})

test('a pending statement is rejected instead of waiting without end', async () => {
  const slow = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000)
    select max(i) from n`
  const pending = Promise.allSettled([slow.execute(database.kysely), slow.execute(database.readLong)])
  await Promise.all([kill('write'), kill('read')])
  for (const outcome of await pending) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseUnavailable' } })
  }
})

test('under load, everything acknowledged is stored, and nothing is stored in part', async () => {
  const acknowledged: string[] = []
  let running = true
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; running; n++) {
      const name = `${writer}-${n}`
      await database
        .write(async (tx) => {
          await insert(name).execute(tx)
          await insert(name).execute(tx)
        })
        .then(
          () => acknowledged.push(name),
          (error) => expect(error).toBeInstanceOf(DatabaseUnavailable),
        )
      await new Promise(setImmediate)
    }
  })
  for (let round = 1; round <= 3; round++) {
    const target = acknowledged.length + 50
    await eventually(() => acknowledged.length > target)
    await kill('write')
  }
  const target = acknowledged.length + 50
  await eventually(() => acknowledged.length > target)
  running = false
  await Promise.all(writers)
  const counts = new Map<string, number>()
  for (const name of await names()) counts.set(name, (counts.get(name) ?? 0) + 1)
  expect(acknowledged.filter((name) => counts.get(name) !== 2)).toEqual([])
  expect(new Set(counts.values())).toEqual(new Set([2]))
})

test('long reads continue on a new thread', async () => {
  await write('before')
  expect(await names(database.readLong)).toEqual(['before'])
  await expect(
    database.snapshot(async (db) => {
      await kill('read')
      await names(db)
    }),
  ).rejects.toBeInstanceOf(DatabaseUnavailable)
  await eventually(() => names(database.readLong).then((found) => found.length === 1, isUnavailable))
})

test('writes fail while no thread can open the file, which is not created anew', async () => {
  const file = join(folder, 'test.db')
  await write('before')
  await rename(file, `${file}.away`)
  await kill('write')
  const started = threads.length
  await eventually(async () => {
    await expect(write('lost')).rejects.toBeInstanceOf(DatabaseUnavailable)
    return threads.length >= started + 2
  })
  await rename(`${file}.away`, file)
  await eventually(() => write('after').then(() => true, isUnavailable))
  expect(await names()).toEqual(['before', 'after'])
})

test('threads return the same values as the main thread, and a text that is no JSON fails only its own statement', async () => {
  await sql`create table values_of_types (id integer primary key, flag boolean, data jsontext, name text)`.execute(
    database.kysely,
  )
  const data = { list: [1, null, 'two'], nested: { flag: true } }
  const inserted = await database.write((tx) =>
    sql`insert into values_of_types (flag, data, name) values (${true}, ${JSON.stringify(data)}, ${'1'}), (${null}, ${null}, ${null})
      returning *`.execute(tx),
  )
  const rows = [
    { id: 1, flag: true, data, name: '1' },
    { id: 2, flag: null, data: null, name: null },
  ]
  expect(inserted.rows).toEqual(rows)
  const select = sql`select * from values_of_types order by id`
  for (const db of [database.read, database.readLong]) expect((await select.execute(db)).rows).toEqual(rows)

  await database.write((tx) => sql`update values_of_types set data = ${'{'} where id = 2`.execute(tx))
  for (const db of [database.read, database.readLong]) await expect(select.execute(db)).rejects.toThrow('in JSON')
  expect((await sql`select id from values_of_types`.execute(database.readLong)).rows).toHaveLength(2)
})

test('closes while a thread has ended', async () => {
  await kill('write')
})

function isUnavailable(error: unknown): false {
  expect(error).toBeInstanceOf(DatabaseUnavailable)
  return false
}

/** The frames in the WAL, and how many of them are in the database file, too. */
async function wal(): Promise<{ log: number; checkpointed: number }> {
  const { rows } = await sql`pragma wal_checkpoint(noop)`.execute(database.kysely)
  return rows[0] as { log: number; checkpointed: number }
}

test('a thread copies the WAL, so that it is used again from its start', async () => {
  const megabyte = 'x'.repeat(1024 * 1024)
  await database.write(async (tx) => {
    for (let n = 0; n < 12; n++) await insert(megabyte).execute(tx)
  })
  await eventually(async () => {
    const { log, checkpointed } = await wal()
    return log > CHECKPOINT_PAGES && checkpointed === log
  })
  await write('next')
  expect((await wal()).log).toBeLessThan(100)
  await kill('checkpoint')
  await write('last')
  expect((await names()).slice(-2)).toEqual(['next', 'last'])
})
