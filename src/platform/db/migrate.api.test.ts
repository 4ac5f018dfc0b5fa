import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { describeBuild } from '../telemetry/build.ts'
import {
  findNewerSchema,
  listAppliedMigrations,
  listKnownMigrations,
  migrate,
  migrateTo,
  readMigration,
  requireMigrated,
} from './migrate.ts'
import { openDatabase } from './open.ts'
import { FIRST_RECORDED } from './schema-steps.ts'
import type { Database } from './types.ts'

const OLDER = '0040_article_old_slugs'
const NEWER = 'Waymark 9.0.0 (0123456789ab)'

const opened: { database: Database; test: TestDatabase }[] = []
async function open(create: () => Promise<TestDatabase>): Promise<Database> {
  const test = await create()
  const database = await openDatabase(test.location)
  opened.push({ database, test })
  return database
}
afterEach(async () => {
  for (const { database, test } of opened.splice(0)) {
    await database.close()
    await test.drop()
  }
})

const execute = (database: Database, statement: string) => sql.raw(statement).execute(database.kysely)

/** What the next version does to the database. */
async function addStep(database: Database, name: string, isBreaking: boolean): Promise<void> {
  await execute(database, `insert into migrations (name, timestamp) values ('${name}', '2999-01-01T00:00:00.000Z')`)
  await execute(
    database,
    `insert into schema_steps (name, build, is_breaking, created_at)
      values ('${name}', '9.0.0 (0123456789ab)', ${isBreaking}, '2999-01-01T00:00:00.000+00:00')`,
  )
}

test('a migration that fails leaves the database as it was, and can be run again', async () => {
  const database = await open(createEmptyDatabase)
  await migrateTo(database, OLDER)
  const before = await listAppliedMigrations(database.read)
  // The last step fails, after many others have changed tables.
  await execute(database, 'create table schema_steps (id integer primary key)')
  await expect(migrate(database)).rejects.toThrow(/^Migration \d{4}_\w+ failed: .*schema_steps/)
  expect(await listAppliedMigrations(database.read)).toEqual(before)
  await execute(database, 'drop table schema_steps')
  const known = await listKnownMigrations()
  expect(await migrate(database)).toEqual(known.slice(before.length))
  expect(await migrate(database)).toEqual([])
})

test('each step records what has applied it', async () => {
  const database = await open(createEmptyDatabase)
  await migrate(database)
  const rows = await database.read.selectFrom('schema_steps').select(['name', 'build', 'is_breaking']).execute()
  const recorded = (await listKnownMigrations()).filter((name) => name >= FIRST_RECORDED)
  expect(rows.map(({ name }) => name).sort()).toEqual(recorded)
  expect(rows[0]).toMatchObject({ build: describeBuild(), is_breaking: false })
})

test('a version goes on with a database that a newer one has added to, and refuses one that it cannot use', async () => {
  const database = await open(createDatabase)
  expect(await findNewerSchema(database.read)).toBeUndefined()
  await addStep(database, '9998_more_columns', false)
  expect(await migrate(database)).toEqual([])
  await requireMigrated(database)
  expect(await findNewerSchema(database.read)).toMatchObject({ names: ['9998_more_columns'], isUsable: true })
  await addStep(database, '9999_other_columns', true)
  const reason = `${NEWER} has migrated this database in a way that this version cannot use (9998_more_columns, 9999_other_columns)`
  await expect(migrate(database)).rejects.toThrow(reason)
  await expect(requireMigrated(database)).rejects.toThrow(reason)
})

/** What makes a version that does not know the change fail: see docs/versions.md. */
async function findBreaks(database: Database, change: () => Promise<unknown>): Promise<string[]> {
  const before = await database.kysely.introspection.getTables()
  await change()
  const after = new Map((await database.kysely.introspection.getTables()).map((table) => [table.name, table]))
  return before.flatMap((table) => {
    const now = after.get(table.name)?.columns
    if (now === undefined) return [`${table.name} is gone`]
    const lost = table.columns.filter(({ name }) => !now.some((column) => column.name === name))
    const changed = now.filter(({ name, dataType, isNullable, hasDefaultValue }) => {
      const old = table.columns.find((column) => column.name === name)
      if (old === undefined) return !isNullable && !hasDefaultValue
      return old.dataType !== dataType || (old.isNullable && !isNullable)
    })
    return [...lost, ...changed].map(({ name }) => `${table.name}.${name}`)
  })
}

test('every step since releases began only adds, or declares that it is breaking', async () => {
  const database = await open(createEmptyDatabase)
  await migrateTo(database, FIRST_RECORDED)
  for (const name of (await listKnownMigrations()).filter((name) => name > FIRST_RECORDED)) {
    const breaks = await findBreaks(database, () => migrateTo(database, name))
    const { isBreaking = false } = await readMigration(name)
    expect([name, isBreaking ? [] : breaks]).toEqual([name, []])
  }
})

test('what breaks an older version is recognised', async () => {
  const database = await open(createDatabase)
  const change = (...statements: string[]) =>
    findBreaks(database, async () => {
      for (const statement of statements) await execute(database, statement)
    })
  expect(await change('create table parts (id integer primary key, name text)')).toEqual([])
  expect(
    await change(
      'alter table parts add column size text',
      "alter table parts add column kind text not null default ''",
    ),
  ).toEqual([])
  expect(await change('alter table parts drop column size')).toEqual(['parts.size'])
  expect(await change('drop table parts', 'create table parts (id integer primary key, name text not null)')).toEqual(
    expect.arrayContaining(['parts.kind', 'parts.name']),
  )
  expect(await change('drop table parts')).toEqual(['parts is gone'])
})
