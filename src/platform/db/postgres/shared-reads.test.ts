import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../testing/engines/postgres.ts'
import { eventually } from '../../../testing/eventually.ts'
import { DatabaseUnavailable, UnstorableValue } from '../failures.ts'
import { compiled } from '../statements/compiled.ts'
import type { Database, Db } from '../types.ts'
import { openPostgres } from './index.ts'

let server: TestPostgres
let database: Database

beforeAll(async () => {
  server = await startPostgres()
  return () => server.stop()
})
beforeEach(async () => {
  database = await openPostgres(server.url('postgres'))
  // The connections are opened by the first reads, which do not wait for them.
  await eventually(async () => {
    const pids = await readMany()
    return pids.size === 2 && (await readMany()).isSubsetOf(pids)
  })
})
afterEach(() => database.close())

const pidAfter = compiled(
  (_db: Db, seconds: number) => sql<{ pid: number }>`select pg_backend_pid() as pid from pg_sleep(${seconds})`,
)
const pid = async (seconds = 0) => (await pidAfter(database.read, seconds))[0]?.pid as number
const readMany = async () => new Set(await Promise.all(Array.from({ length: 20 }, () => pid())))
const divide = compiled((_db: Db, by: number) => sql<{ result: number }>`select 6 / ${by}::integer as result`)

test('reads share two connections, and each has its own result', async () => {
  const divisors = [1, 2, 3, 6]
  const results = await Promise.all(divisors.map((by) => divide(database.read, by)))
  expect(results).toEqual([[{ result: 6 }], [{ result: 3 }], [{ result: 2 }], [{ result: 1 }]])
  expect((await readMany()).size).toBe(2)
})

test('one that fails leaves the others alone', async () => {
  const outcomes = await Promise.allSettled([1, 0, 2].map((by) => divide(database.read, by)))
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: [{ result: 6 }] },
    { status: 'rejected', reason: expect.any(UnstorableValue) },
    { status: 'fulfilled', value: [{ result: 3 }] },
  ])
})

test('while both are slow, others use those of the pool, and then the slow ones do', async () => {
  const shared = await readMany()
  const slow = Promise.all([pid(1), pid(1)])
  // Longer than a connection may be slow, and shorter than a statement may take.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await readMany()).isDisjointFrom(shared)).toBe(true)
  expect(new Set(await slow).isDisjointFrom(shared)).toBe(true)
})

test('reads that were sent behind a slow one do not wait until it ends', async () => {
  const finished: string[] = []
  const note = (name: string) => () => finished.push(name)
  const slow = Promise.all([pid(2).then(note('slow')), pid(2).then(note('slow'))])
  await readMany().then(note('behind'))
  expect(finished).toEqual(['behind'])
  await slow
})

test('a lost connection fails its reads, and is replaced', async () => {
  const before = await readMany()
  const reading = pid(60)
  reading.catch(() => {})
  await endBackends(before)
  await expect(reading).rejects.toBeInstanceOf(DatabaseUnavailable)
  await eventually(async () => {
    const after = await readMany().catch(() => before)
    return after.size === 2 && after.isDisjointFrom(before)
  })
})

test('a transaction reads what it has written', async () => {
  await sql`create table if not exists things (id integer)`.execute(database.kysely)
  const all = compiled((_db: Db, from: number) => sql<{ id: number }>`select id from things where id >= ${from}`)
  await database.write(async (tx) => {
    await sql`insert into things values (1)`.execute(tx)
    expect(await all(tx, 0)).toEqual([{ id: 1 }])
    expect(await all(database.read, 0)).toEqual([])
  })
  expect(await all(database.read, 0)).toEqual([{ id: 1 }])
})

/** Ends connections as a server does that restarts. */
async function endBackends(pids: Set<number>): Promise<void> {
  for (const one of pids) await sql`select pg_terminate_backend(${one}::integer)`.execute(database.kysely)
}
