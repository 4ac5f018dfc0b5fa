import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../testing/engines/postgres.ts'
import { eventually } from '../../../testing/eventually.ts'
import type { OrgId } from '../../ids/index.ts'
import { ConstraintViolation, DatabaseUnavailable } from '../failures.ts'
import type { Database } from '../types.ts'
import { openPostgres } from './index.ts'
import { canonicalTimestamp } from './pool.ts'

/** A separate server, because these tests change its settings and stop it. */
let server: TestPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

async function alter(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url('postgres') })
  await admin.connect()
  await admin.query(statement)
  await admin.query('select pg_reload_conf()')
  await admin.end()
}

describe('start-up', () => {
  test.each(['fsync', 'full_page_writes', 'synchronous_commit'])('refuses a server with %s off', async (setting) => {
    await alter(`alter system set ${setting} = off`)
    await expect
      .poll(() =>
        openPostgres(server.url('postgres')).then(
          () => 'opened',
          (error: Error) => error.message,
        ),
      )
      .toContain(`${setting} = off`)
    await alter(`alter system reset ${setting}`)
  })
})

describe('open', () => {
  let database: Database

  beforeAll(async () => {
    // It takes a moment until the restored settings apply to new sessions.
    database = await eventually(() => openPostgres(server.url('postgres')).catch(() => undefined))
    await sql`create table things (id int primary key, name text, at timestamptz(3), data jsonb, n bigint)`.execute(
      database.kysely,
    )
    await sql`create unique index things_name_key on things (name)`.execute(database.kysely)
  })
  afterAll(() => database.close())

  test('returns timestamps, JSON and large integers in their canonical form', async () => {
    const at = '2026-06-09T22:50:58.800+00:00'
    const data = [1, { a: '🏷️' }]
    await database.write((tx) =>
      sql`insert into things values (1, 'one', ${at}, ${data}, 9007199254740991)`.execute(tx),
    )
    const { rows } = await sql`select at, data, n from things where id = 1`.execute(database.read)
    expect(rows).toEqual([{ at, data, n: 9007199254740991 }])
  })

  test('names the violated unique index', async () => {
    const twice = database.write((tx) => sql`insert into things (id, name) values (2, 'two'), (3, 'two')`.execute(tx))
    const error = await twice.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConstraintViolation)
    expect(error).toMatchObject({ kind: 'unique', constraint: 'things_name_key' })
  })

  test('runs a transaction again after a deadlock', async () => {
    await database.write((tx) => sql`insert into things (id, n) values (10, 0), (11, 0)`.execute(tx))
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const update = (mine: 0 | 1) =>
      database.write(async (tx) => {
        const [first, second] = mine === 0 ? [10, 11] : [11, 10]
        await sql`update things set n = n + 1 where id = ${first}`.execute(tx)
        both[mine].resolve()
        await Promise.all([both[0].promise, both[1].promise])
        await sql`update things set n = n + 1 where id = ${second}`.execute(tx)
      })
    await Promise.all([update(0), update(1)])
    const { rows } = await sql`select n from things where id in (10, 11)`.execute(database.read)
    expect(rows).toEqual([{ n: 2 }, { n: 2 }])
  })

  test('reports a lost connection as unavailable and uses a new one for the next statement', async () => {
    const cut = database.write(async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    })
    expect(await cut.catch((error: unknown) => error)).toBeInstanceOf(DatabaseUnavailable)
    const { rows } = await sql`select 1 as one`.execute(database.read)
    expect(rows).toEqual([{ one: 1 }])
  })
})

test.each([
  ['2026-06-09 22:50:58.806+00', '2026-06-09T22:50:58.806+00:00'],
  ['2026-06-09 22:50:58.8+00', '2026-06-09T22:50:58.800+00:00'],
  ['2026-06-09 22:50:58+00', '2026-06-09T22:50:58.000+00:00'],
])('%s becomes %s', (text, canonical) => {
  expect(canonicalTimestamp(text)).toBe(canonical)
})

test.each([
  ['alone', false, 7],
  ['while others send requests', true, 2],
])('of 10 connections, an organisation has transactions on some at once: %s', async (_name, isShared, running) => {
  const database = await eventually(() =>
    openPostgres(server.url('postgres'), { isShared: () => isShared }).catch(() => undefined),
  )
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const all = Array.from({ length: 9 }, () => database.write(() => held, 'acme' as OrgId))
  await eventually(() => database.writeQueue.running === running)
  expect(database.writeQueue.waiting).toBe(9 - running)
  release()
  await Promise.all(all)
  await database.close()
})
