import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { ConstraintViolation } from '../failures.ts'
import { openDatabase } from '../open.ts'
import type { Database, Tx } from '../types.ts'
import { runWithoutResult } from './run-without-result.ts'

let files: TestDatabase
let database: Database

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
  await sql`create table things (id integer primary key, name text)`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

const insert = (tx: Tx, id: number, name: string) =>
  runWithoutResult(tx, sql`insert into things (id, name) values (${id}, ${name})`)
const names = async () =>
  (await sql<{ name: string }>`select name from things order by id`.execute(database.kysely)).rows.map(
    ({ name }) => name,
  )

test('later statements of the transaction see what it did', async () => {
  const count = await database.write(async (tx) => {
    await insert(tx, 1, 'first')
    await insert(tx, 2, 'second')
    return (await sql<{ n: number }>`select count(*) as n from things`.execute(tx)).rows[0]?.n
  })
  expect(Number(count)).toBe(2)
  expect(await names()).toEqual(['first', 'second'])
})

test.each([
  ['the commit', async () => {}],
  ['the next statement', (tx: Tx) => sql`select 1`.execute(tx)],
])('a failure makes %s fail, and nothing is stored', async (_name, more) => {
  const failing = database.write(async (tx) => {
    await insert(tx, 3, 'third')
    await insert(tx, 1, 'again')
    await insert(tx, 4, 'fourth')
    await more(tx)
  })
  await expect(failing).rejects.toBeInstanceOf(ConstraintViolation)
  expect(await names()).toEqual(['first', 'second'])
  await database.write((tx) => insert(tx, 5, 'fifth'))
  expect(await names()).toEqual(['first', 'second', 'fifth'])
  await database.write((tx) => runWithoutResult(tx, sql`delete from things where id = 5`))
})
