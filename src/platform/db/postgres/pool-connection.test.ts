import { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../testing/engines/postgres.ts'
import { ConstraintViolation } from '../failures.ts'
import { runWithoutResult } from '../statements/run-without-result.ts'
import type { Database, Tx } from '../types.ts'
import { openPostgres } from './index.ts'

let server: TestPostgres
let database: Database

beforeAll(async () => {
  server = await startPostgres()
  // One connection, so that a test would notice what an earlier one left behind.
  database = await openPostgres(server.url('postgres'), { connectionsMax: 1 })
  await sql`create table things (id integer primary key)`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await server.stop()
})
beforeEach(async () => {
  await sql`delete from things`.execute(database.kysely)
})

const insert = (tx: Tx, id: number) => runWithoutResult(tx, sql`insert into things values (${id})`)
const ids = async () => (await sql<{ id: number }>`select id from things order by id`.execute(database.read)).rows

const SYNC = Buffer.from('S\0\0\0\x04', 'latin1')

/** What the connection sent to the server. */
async function sentBy(work: (tx: Tx) => Promise<void>): Promise<{ messages: number; syncs: number }> {
  const { _write, _writev } = Socket.prototype
  const sent = new Map<Socket, Buffer[]>()
  const note = (socket: Socket, chunk: Buffer) => sent.set(socket, [...(sent.get(socket) ?? []), chunk])
  Socket.prototype._write = function (chunk, ...args) {
    note(this, chunk)
    return _write.call(this, chunk, ...args)
  }
  Socket.prototype._writev = function (chunks, ...args) {
    note(this, Buffer.concat(chunks.map(({ chunk }) => chunk)))
    return _writev?.call(this, chunks, ...args)
  }
  try {
    await database.write(work)
  } finally {
    Object.assign(Socket.prototype, { _write, _writev })
  }
  // Another connection may have asked whether the server responds.
  const [messages = []] = [...sent.values()].sort((a, b) => Buffer.concat(b).length - Buffer.concat(a).length)
  return {
    messages: messages.length,
    syncs: Buffer.concat(messages).toString('latin1').split(SYNC.toString('latin1')).length - 1,
  }
}

test('statements without a result are sent together with the commit, and when prepared as one transaction', async () => {
  const insertTwo = (first: number) => async (tx: Tx) => {
    await insert(tx, first)
    await runWithoutResult(tx, sql`insert into things select ${first}::integer + 1`)
  }
  // Without a name, `begin` and `commit` are queries of their own, without a Sync.
  expect(await sentBy(insertTwo(1))).toEqual({ messages: 1, syncs: 2 })
  expect(await sentBy(insertTwo(3))).toEqual({ messages: 1, syncs: 4 })
  expect(await sentBy(insertTwo(5))).toEqual({ messages: 1, syncs: 1 })
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 6].map((id) => ({ id })))
})

test('a transaction without statements sends nothing', async () => {
  expect(await sentBy(async () => {})).toEqual({ messages: 0, syncs: 0 })
})

test('the failure of a prepared transaction is that of its statement, and nothing is stored', async () => {
  const meaning = (id: number) => () => new Error(`${id} is taken`)
  const insertNamed = (tx: Tx, id: number) =>
    runWithoutResult(tx, sql`insert into things values (${id} + 0)`, meaning(id))
  const insertAll = (...all: number[]) =>
    database.write(async (tx) => {
      for (const id of all) await insertNamed(tx, id)
    })
  await insertAll(1)
  await expect(insertAll(2, 1, 3)).rejects.toThrow('1 is taken')
  expect(await ids()).toEqual([{ id: 1 }])
  await insertAll(2, 3)
  expect(await ids()).toEqual([1, 2, 3].map((id) => ({ id })))
})

test('the failure of one does not stay with the connection', async () => {
  const twice = database.write(async (tx) => {
    await insert(tx, 1)
    await insert(tx, 1)
  })
  await expect(twice).rejects.toBeInstanceOf(ConstraintViolation)
  await expect(sql`select nothing`.execute(database.kysely)).rejects.toThrow('column "nothing" does not exist')
  await database.write((tx) => insert(tx, 3))
  expect(await ids()).toEqual([{ id: 3 }])
})

test('a transaction that throws is rolled back with the statements that were held back', async () => {
  const thrown = database.write(async (tx) => {
    await insert(tx, 1)
    throw new Error('changed its mind')
  })
  await expect(thrown).rejects.toThrow('changed its mind')
  expect(await ids()).toEqual([])
})

test('a statement that could not be prepared in a failed transaction is prepared again', async () => {
  const select = (tx: Tx) => sql`select id + 1000 as id from things`.execute(tx)
  const failing = database.write(async (tx) => {
    await insert(tx, 1)
    await insert(tx, 1)
    await select(tx)
  })
  await expect(failing).rejects.toBeInstanceOf(ConstraintViolation)
  await database.write((tx) => insert(tx, 1))
  expect((await database.write(select)).rows).toEqual([{ id: 1001 }])
})
