/** Backups of other versions. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS, systemClock, timestamp } from '../../platform/clock/index.ts'
import { writeBackup } from '../../platform/db/dump/backup.ts'
import { listTables } from '../../platform/db/dump/catalogue.ts'
import { selectTotal } from '../../platform/db/index.ts'
import { listAppliedMigrations, listKnownMigrations, migrateTo } from '../../platform/db/migrate.ts'
import { openDatabase } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/types.ts'
import { newId, type OrgId } from '../../platform/ids/index.ts'
import { adoptSecretKey, Keyring } from '../../platform/keyring/index.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { runCommand, type Settings, settingsFor } from '../../testing/process.ts'
import { TABLES_LEFT_OUT } from '../tables-left-out.ts'

/** Later steps add columns to the tables of this one, and fill them from its rows. */
const OLDER = '0034_questions'
const SECRET_KEY = 'a secret of sixteen or more'
const TAGS = 1500
const ACME = newId() as OrgId
const NOW = timestamp(systemClock())

let source: TestDatabase
let file: string
const databases: TestDatabase[] = []

beforeAll(async () => {
  source = await createEmptyDatabase()
  databases.push(source)
  file = join(source.folder, 'older.gz')
  const opened = await openDatabase(source.location, { waitMsMax: MINUTE_MS })
  await migrateTo(opened, OLDER)
  await fill(opened)
  await Keyring.load(opened, {}, systemClock())
  await adoptSecretKey(opened, { secretKey: SECRET_KEY })
  await writeBackup(opened, file, {
    build: { version: '0.1.0', commit: '0123456789ab' },
    now: NOW,
    tablesLeftOut: TABLES_LEFT_OUT,
  })
  await opened.close()
})
afterAll(async () => {
  for (const database of databases) await database.drop()
})

/** Rows as that version wrote them. */
async function fill({ kysely }: Database): Promise<void> {
  const insert = (table: string, values: Record<string, unknown>) =>
    kysely
      .insertInto(table as never)
      .values(values as never)
      .execute()
  await insert('organisations', { id: ACME, name: 'Acme', slug: 'acme', created_at: NOW, updated_at: NOW })
  await insert('custom_domains', { id: newId(), org_id: ACME, domain: 'go.acme.com', token: 'abc', created_at: NOW })
  for (let n = 0; n < TAGS; n++) {
    const tag = { id: newId(), org_id: ACME, name: `Tag ${n}`, name_folded: `tag ${n}`, created_at: NOW }
    await insert('article_tags', tag)
  }
}

async function createTarget(create = createEmptyDatabase) {
  const target = await create()
  databases.push(target)
  const restore = (from = file, settings: Settings = { SECRET_KEY }) =>
    runCommand(['restore', from, '--json'], { ...settingsFor(target), ...settings })
  return { ...target, restore }
}

async function inDatabase<T>({ location }: TestDatabase, work: (database: Database) => Promise<T>): Promise<T> {
  const opened = await openDatabase(location, { waitMsMax: MINUTE_MS })
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

const columnsIn = async ({ kysely, engine }: Database) =>
  Object.fromEntries(
    (await listTables(kysely, engine, {})).map(({ name, columns }) => [name, columns.map((one) => one.name).sort()]),
  )

test('a backup of an older version is migrated: all rows are there, and columns of later steps are filled', async () => {
  const target = await createTarget()
  const { code, stderr, json } = await target.restore()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(json.rows).toMatchObject({ organisations: 1, article_tags: TAGS })
  const fresh = await inDatabase(await createTarget(createDatabase), columnsIn)
  await inDatabase(target, async (database) => {
    expect(await listAppliedMigrations(database.read)).toEqual(await listKnownMigrations())
    expect(await columnsIn(database)).toEqual(fresh)
    expect(await selectTotal(database.read, ACME, 'article_tags')).toBe(TAGS)
    const domains = await sql`select check_due_at from custom_domains`.execute(database.kysely)
    expect(domains.rows).toEqual([{ check_due_at: NOW }])
  })
  const doctor = await runCommand(['doctor', '--json'], {
    ...settingsFor(target),
    SECRET_KEY,
    PUBLIC_URL: 'https://go.waymark.example',
  })
  expect(doctor.json.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([])
})

test('a restore that fails leaves no rows, and can be repeated', async () => {
  const target = await createTarget()
  const { code, json } = await target.restore(file, {})
  expect(code).toBe(1)
  expect(json.error.message).toMatch(/^Nothing was restored\. The backup of .+ needs the SECRET_KEY of that time\./)
  const isEmpty = await inDatabase(
    target,
    async ({ kysely }) =>
      (await sql`select 1 from organisations union all select 1 from article_tags`.execute(kysely)).rows.length === 0,
  )
  expect(isEmpty).toBe(true)
  expect((await target.restore()).code).toBe(0)
})

test('an older backup is not restored into the tables of this version', async () => {
  const target = await createTarget(createDatabase)
  const { code, json } = await target.restore()
  expect(code).toBe(1)
  expect(json.error.message).toMatch(/was made by an older version, .* Restore into a new one: set \w+ to an empty/)
})

test('a backup of a newer version is refused, with the version that it needs, although an older one has written it', async () => {
  const upgraded = await createTarget(createDatabase)
  const newer = join(upgraded.folder, 'newer.gz')
  await inDatabase(upgraded, async ({ kysely }) => {
    await sql`insert into migrations (name, timestamp) values ('9999_more', '2999-01-01T00:00:00.000Z')`.execute(kysely)
    await sql`insert into schema_steps (name, build, is_breaking, created_at)
      values ('9999_more', '9.1.0 (0123456789ab)', false, ${NOW})`.execute(kysely)
  })
  expect(await runCommand(['backup', newer], settingsFor(upgraded))).toMatchObject({ code: 0, stderr: '' })
  const { code, json } = await (await createTarget()).restore(newer)
  expect(code).toBe(1)
  expect(json.error.message).toContain('it needs 9.1.0 (0123456789ab) or later')
  expect(json.error.message).toContain('lacks 9999_more')
})
