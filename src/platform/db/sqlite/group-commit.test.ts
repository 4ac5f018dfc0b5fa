/** Transactions that come at the same time are committed together, and each still succeeds or fails on its own. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import type { OrgId } from '../../ids/index.ts'
import { ConstraintViolation } from '../failures.ts'
import { runWithoutResult } from '../statements/run-without-result.ts'
import type { Database, Tx } from '../types.ts'
import { type CommitGate, closeGate, isCommitWaiting, newCommitGate, openGate } from './commit-gate.ts'
import { openSqlite } from './index.ts'

let folder: string
let database: Database
let commitGate: CommitGate

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-group-commit-'))
  commitGate = newCommitGate()
  database = await openSqlite(join(folder, 'test.db'), { commitGate })
  await sql`create table things (name text primary key)`.execute(database.kysely)
  await sql`create table parts (thing text references things (name) deferrable initially deferred)`.execute(
    database.kysely,
  )
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const insert = (tx: Tx, name: string) => runWithoutResult(tx, sql`insert into things (name) values (${name})`)
const write = (name: string, org = 'a') => database.write((tx) => insert(tx, name), org as OrgId)
const names = async () => {
  const { rows } = await sql<{ name: string }>`select name from things order by rowid`.execute(database.read)
  return rows.map(({ name }) => name)
}
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `thing ${n}`)

/** Starts the transactions while the thread waits for the disk. */
async function together(...works: ((tx: Tx) => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> {
  closeGate(commitGate)
  const first = write('first')
  await eventually(() => isCommitWaiting(commitGate))
  const outcomes = Promise.allSettled(works.map((work) => database.write(work, 'a' as OrgId)))
  // They get as far as they can without the thread.
  await tick()
  openGate(commitGate)
  await first
  return outcomes
}

/** In the WAL, the last frame of each commit has the size of the database in it. */
async function commits(): Promise<number> {
  const wal = await readFile(join(folder, 'test.db-wal'))
  let count = 0
  for (let frame = 32; frame < wal.length; frame += 24 + 4096) if (wal.readUInt32BE(frame + 4) > 0) count++
  return count
}

test('commits the transactions that wait in one go, in the order of their turns', async () => {
  const before = await commits()
  await together(...numbered(30).map((name) => (tx: Tx) => insert(tx, name)))
  expect(await names()).toEqual(['first', ...numbered(30)])
  expect((await commits()) - before).toBeLessThan(10)
})

test('none is acknowledged before it is visible to others', async () => {
  await Promise.all(
    numbered(30).map(async (name) => {
      await write(name)
      expect(await names()).toContain(name)
    }),
  )
})

test('a transaction that fails only loses its own changes', async () => {
  const outcomes = await together(
    (tx) => insert(tx, 'one'),
    async (tx) => {
      await insert(tx, 'two')
      throw new Error('changed my mind')
    },
    async (tx) => {
      await insert(tx, 'three')
      await insert(tx, 'one')
    },
    async (tx) => {
      await insert(tx, 'four')
      await runWithoutResult(tx, sql`insert into things (name) values ('one')`, () => new Error('taken'))
    },
    (tx) => insert(tx, 'five'),
  )
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : 'stored'))).toEqual([
    'stored',
    'changed my mind',
    'unique constraint things_pkey violated',
    'taken',
    'stored',
  ])
  expect(await names()).toEqual(['first', 'one', 'five'])
})

test('a commit that fails fails all of its transactions, and no later one', async () => {
  const outcomes = await together(
    (tx) => insert(tx, 'one'),
    (tx) => runWithoutResult(tx, sql`insert into parts (thing) values ('missing')`),
    (tx) => insert(tx, 'two'),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  for (const outcome of outcomes) {
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(ConstraintViolation)
  }
  await write('three')
  expect(await names()).toEqual(['first', 'three'])
})

test('if SQLite rolls back everything, no transaction counts as stored', async () => {
  const outcomes = await together(
    (tx) => insert(tx, 'one'),
    async (tx) => {
      await insert(tx, 'two')
      await runWithoutResult(tx, sql`insert or rollback into things (name) values ('two')`)
    },
    (tx) => insert(tx, 'three'),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await names()).toEqual(['first', 'three'])
})

test('a transaction with many statements runs again, on its own', async () => {
  let runs = 0
  const outcomes = await together(
    (tx) => insert(tx, 'one'),
    async (tx) => {
      runs++
      for (const name of numbered(300)) await insert(tx, name)
    },
    (tx) => insert(tx, 'two'),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect(runs).toBe(2)
  expect(await names()).toEqual(['first', 'one', 'two', ...numbered(300)])
})

test('a statement without a transaction does not become part of one', async () => {
  const [thing, part] = await Promise.allSettled([
    write('one'),
    sql`insert into parts (thing) values ('missing')`.execute(database.kysely),
  ])
  expect([thing.status, part.status]).toEqual(['fulfilled', 'rejected'])
  expect(await names()).toEqual(['one'])
})

test('the next transaction after a long one is committed separately', async () => {
  await database.write(async (tx) => {
    await sql`insert into things (name) values ('long')`.execute(tx)
    await sleep(100)
  }, 'long' as OrgId)
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  await Promise.all([
    write('short').then(note('short')),
    database
      .write(async (tx) => {
        await sql`insert into things (name) values ('longer')`.execute(tx)
        note('open')()
      }, 'long' as OrgId)
      .then(note('long')),
  ])
  expect(order).toEqual(['short', 'open', 'long'])
})
