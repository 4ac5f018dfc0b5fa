import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS, timestamp } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import type { Database } from '../../../platform/db/types.ts'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { VisitorSalt } from './visitor-salt.ts'

/** Shortly before midnight. */
const NOW_MS = Date.parse('2026-06-09T23:59:59.999Z')

let files: TestDatabase
let database: Database
let selects: number

beforeEach(async () => {
  files = await createDatabase()
  selects = 0
  database = await openDatabase(files.location, {
    observe: (text) => {
      if (text.startsWith('select "salt"')) selects++
    },
  })
})
afterEach(async () => {
  await database.close()
  await files.drop()
})

/** Blocks the salts of all processes, like another process in a transaction. Returns how to release them. */
async function blockSalts(): Promise<() => Promise<void>> {
  const { location } = files
  if ('file' in location) {
    const other = new DatabaseSync(location.file)
    other.exec('begin immediate')
    return async () => other.close()
  }
  const other = new pg.Client({ connectionString: location.url })
  await other.connect()
  await other.query('begin; lock table visitor_salts in access exclusive mode')
  return () => other.end()
}

const stored = async () =>
  (await database.read.selectFrom('visitor_salts').selectAll().orderBy('day').execute()).map((row) => ({ ...row }))

test('all processes share the salt of a day, even if they load it concurrently', async () => {
  const processes = Array.from({ length: 5 }, () => new VisitorSalt(database))
  const salts = await Promise.all(processes.map((process) => process.today(NOW_MS)))
  expect(new Set(salts).size).toBe(1)
  expect(salts[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(await new VisitorSalt(database).today(NOW_MS)).toBe(salts[0])
  expect(await stored()).toEqual([{ day: '2026-06-09', salt: salts[0], created_at: timestamp(NOW_MS) }])
})

test('it is loaded once a day, then returned synchronously', async () => {
  const salt = new VisitorSalt(database)
  const asked = await Promise.all(Array.from({ length: 100 }, () => salt.today(NOW_MS)))
  const before = selects
  expect(before).toBeLessThanOrEqual(2)
  expect(salt.today(NOW_MS - 60_000)).toBe(asked[0])
  expect(new Set(asked).size).toBe(1)
  expect(selects).toBe(before)
})

test('each day has a different salt', async () => {
  const salt = new VisitorSalt(database)
  const days = []
  for (let day = 0; day < 5; day++) days.push(await salt.today(NOW_MS + day * DAY_MS))
  expect(new Set(days).size).toBe(5)
  expect((await stored()).map((row) => row.salt)).toEqual(days)
  // One millisecond after NOW_MS the next day starts.
  expect(await new VisitorSalt(database).today(NOW_MS + 1)).toBe(days[1])
})

test('after midnight the new salt is used even if yesterday’s is still loading', async () => {
  const release = await blockSalts()
  const salt = new VisitorSalt(database)
  const yesterday = salt.today(NOW_MS)
  const today = salt.today(NOW_MS + 1)
  await release()
  expect(await today).not.toBe(await yesterday)
  expect(salt.today(NOW_MS + 1)).toBe(await today)
  expect(await new VisitorSalt(database).today(NOW_MS + 1)).toBe(await today)
})

test('without the database each process uses its own salt for the rest of the day', async () => {
  const release = await blockSalts()
  const [one, other] = [new VisitorSalt(database), new VisitorSalt(database)]
  const [first, second] = await Promise.all([one.today(NOW_MS), other.today(NOW_MS)])
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(first).not.toBe(second)
  await release()
  expect(one.today(NOW_MS)).toBe(first)
  const [tomorrow, theirs] = await Promise.all([one.today(NOW_MS + 1), other.today(NOW_MS + 1)])
  expect(tomorrow).toBe(theirs)
})
