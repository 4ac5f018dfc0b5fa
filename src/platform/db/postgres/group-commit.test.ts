import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../testing/engines/postgres.ts'
import { eventually } from '../../../testing/eventually.ts'
import type { OrgId } from '../../ids/index.ts'
import { deferFlush } from '../defer-flush.ts'
import { ConstraintViolation, DatabaseUnavailable } from '../failures.ts'
import { runWithoutResult } from '../statements/run-without-result.ts'
import type { Database, Tx } from '../types.ts'
import { openPostgres } from './index.ts'

const ACME = 'acme' as OrgId
const OTHER = 'other' as OrgId

let server: TestPostgres
let database: Database

beforeAll(async () => {
  server = await startPostgres()
  database = await openPostgres(server.url('postgres'))
  await sql`create table things (id integer primary key, text text)`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await server.stop()
})
beforeEach(clear)

async function clear(): Promise<void> {
  await sql`delete from things`.execute(database.kysely)
}

const insert = (id: number, text = '') => {
  const taken = (error: unknown) => (error instanceof ConstraintViolation ? new Error(`${id} is taken`) : error)
  return (tx: Tx) => runWithoutResult(tx, sql`insert into things values (${id}, ${text})`, taken)
}
const insertSlowly = (id: number, seconds: number) => (tx: Tx) =>
  runWithoutResult(tx, sql`insert into things select ${id}::integer from pg_sleep(${seconds})`)

/** Runs transactions at the same time, after each of their statements has been prepared on as many connections. */
async function runPrepared(
  prepare: (tx: Tx) => Promise<void>,
  transactions: [(tx: Tx) => Promise<void>, OrgId | undefined][],
) {
  const run = () =>
    database.write(async (tx) => {
      await prepare(tx)
      await sql`delete from things`.execute(tx)
    })
  // A statement has a name, and is prepared, from its second run on.
  await run()
  await Promise.all(transactions.map(run))
  return Promise.allSettled(transactions.map(([work, orgId]) => database.write(work, orgId)))
}

/** The ids that each transaction has stored. */
async function storedTogether(): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    select json_agg(id order by id) as ids from things group by xmin::text order by min(id)`.execute(database.read)
  return rows.map(({ ids }) => ids)
}

test('transactions of an organisation are committed together', async () => {
  await runPrepared(insert(1), [
    [insert(1), ACME],
    [insert(2), ACME],
    [insert(3), OTHER],
    [insert(4), ACME],
    [insert(5), undefined],
    [insert(6), undefined],
  ])
  expect(await storedTogether()).toEqual([[1, 2, 4], [3], [5], [6]])
})

test('rows that they insert into a table are one statement', async () => {
  await sql`create table counted (statements integer)`.execute(database.kysely)
  await sql`create function count_statement() returns trigger language plpgsql
    as $$ begin insert into counted values (1); return null; end $$`.execute(database.kysely)
  await sql`create trigger count_statement after insert on things execute function count_statement()`.execute(
    database.kysely,
  )
  const insertRow = (id: number) => (tx: Tx) =>
    runWithoutResult(tx, CompiledQuery.raw('insert into "things" ("id", "text") values ($1, $2)', [id, 'text']))
  const ids = [1, 2, 3, 4, 5]
  const runAll = () =>
    runPrepared(
      insertRow(1),
      ids.map((id) => [insertRow(id), ACME]),
    )
  // The statement for all rows has a name from its second run on, too.
  await runAll()
  for (const _ of ['when the statement is prepared', 'when it is prepared already']) {
    await sql`truncate counted, things`.execute(database.kysely)
    const outcomes = await runAll()
    expect(outcomes.map(({ status }) => status)).toEqual(ids.map(() => 'fulfilled'))
    expect(await storedTogether()).toEqual([ids])
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from counted`.execute(database.read)
    // One for each that prepared or was the first, and one for all of them.
    expect(rows).toEqual([{ count: 1 + ids.length + 1 }])
  }
  await sql`drop trigger count_statement on things`.execute(database.kysely)
})

test('only those with the same statements are', async () => {
  const both = async (tx: Tx) => {
    await insert(1)(tx)
    await insertSlowly(2, 0)(tx)
  }
  await runPrepared(both, [
    [insert(1), ACME],
    [insertSlowly(2, 0), ACME],
    [insert(3), ACME],
  ])
  expect(await storedTogether()).toEqual([[1, 3], [2]])
})

test('a large one is committed on its own', async () => {
  await runPrepared(insert(1), [
    [insert(1), ACME],
    [insert(2, 'x'.repeat(20_000)), ACME],
    [insert(3), ACME],
  ])
  expect(await storedTogether()).toEqual([[1, 3], [2]])
})

test('those that do not wait for the disk are committed on their own', async () => {
  const insertDeferred = (id: number) => async (tx: Tx) => {
    await deferFlush(tx)
    await insert(id)(tx)
  }
  await runPrepared(insertDeferred(1), [
    [insertDeferred(1), ACME],
    [insertDeferred(2), ACME],
  ])
  expect(await storedTogether()).toEqual([[1], [2]])
})

test('if one is refused, it alone fails, for its own reason', async () => {
  const [first, ...others] = await runPrepared(insert(1), [
    [insert(1), ACME],
    [insert(2), ACME],
    [insert(2), ACME],
    [insert(3), ACME],
  ])
  expect(first?.status).toBe('fulfilled')
  expect(others.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: new Error('2 is taken') },
  ])
  expect((await storedTogether()).flat()).toEqual([1, 2, 3])
})

test('if the connection is lost, all fail, and none runs again', async () => {
  const running = runPrepared(insertSlowly(1, 0), [
    [insertSlowly(1, 60), ACME],
    [insertSlowly(2, 60), ACME],
  ])
  await eventually(async () => {
    const { rows } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended from pg_stat_activity
      where wait_event = 'PgSleep' and pid <> pg_backend_pid()`.execute(database.kysely)
    return rows.length > 0
  })
  const outcomes = await running
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
    expect.any(DatabaseUnavailable),
    expect.any(DatabaseUnavailable),
  ])
  expect(await storedTogether()).toEqual([])
})
