import { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../testing/engines/postgres.ts'
import { ConstraintViolation } from '../failures.ts'
import { runWithoutResult } from '../run-without-result.ts'
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

/** The number of messages that the connection sent to the server. */
async function countMessages(work: (tx: Tx) => Promise<void>): Promise<number> {
  const { _write, _writev } = Socket.prototype
  const sent = new Map<Socket, number>()
  const count = (socket: Socket) => sent.set(socket, (sent.get(socket) ?? 0) + 1)
  Socket.prototype._write = function (...args) {
    count(this)
    return _write.apply(this, args)
  }
  Socket.prototype._writev = function (...args) {
    count(this)
    return _writev?.apply(this, args)
  }
  try {
    await database.write(work)
  } finally {
    Object.assign(Socket.prototype, { _write, _writev })
  }
  // Another connection may have asked whether the server responds.
  return Math.max(...sent.values())
}

test('statements without a result are sent together with the commit', async () => {
  const insertTwo = async (tx: Tx) => {
    await insert(tx, 1)
    await insert(tx, 2)
  }
  expect(await countMessages(insertTwo)).toBe(1)
  expect(await ids()).toEqual([{ id: 1 }, { id: 2 }])
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
