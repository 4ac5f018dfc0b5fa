/** Behaviour that must be the same on both engines. */
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { useHarness } from '../../testing/harness.ts'
import { timestamp } from '../clock/index.ts'
import { newId } from '../ids/index.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { openDatabase } from './open.ts'
import { insertTombstone } from './tombstones.ts'
import { selectTotal } from './totals.ts'

const harness = useHarness()

/** The lock that Kysely takes before it migrates. */
const MIGRATION_LOCK = '3853314791062309107'

test('totals follow inserts, rollbacks and deletes', async () => {
  const { orgId } = await harness.createTenant()
  const { database } = harness.service
  const total = () => selectTotal(database.read, orgId, 'article_tags')
  const row = (n: number) => ({
    id: newId(),
    org_id: orgId,
    name: `Tag ${n}`,
    name_folded: `tag ${n}`,
    created_at: timestamp(harness.nowMs()),
  })
  const rows = Array.from({ length: 10 }, (_, n) => row(n))
  await database.write((tx) => tx.insertInto('article_tags').values(rows).execute())
  expect(await total()).toBe(10)
  const failed = database.write(async (tx) => {
    await tx.insertInto('article_tags').values(row(11)).execute()
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await total()).toBe(10)
  await database.write((tx) =>
    tx.deleteFrom('article_tags').where('org_id', '=', orgId).where('name', '<', 'Tag 4').execute(),
  )
  expect(await total()).toBe(6)
})

test('text sorts by bytes, independent of the locale', async () => {
  const { orgId } = await harness.createTenant()
  const { database } = harness.service
  const names = ['a', 'B', 'ä', 'Z', 'é', '日']
  await database.write((tx) =>
    tx
      .insertInto('article_tags')
      .values(
        names.map((name) => ({
          id: newId(),
          org_id: orgId,
          name,
          name_folded: name,
          created_at: timestamp(0),
        })),
      )
      .execute(),
  )
  const sorted = await database.read
    .selectFrom('article_tags')
    .select('name')
    .where('org_id', '=', orgId)
    .orderBy('name')
    .execute()
  expect(sorted.map(({ name }) => name)).toEqual(['B', 'Z', 'a', 'ä', 'é', '日'])
})

test.runIf(inject('engine') === 'postgres')(
  'waits while another process migrates, for as long as it takes',
  async () => {
    const other = new pg.Client({ connectionString: (harness.location as { url: string }).url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const last = 'select name from migrations order by name desc limit 1'
    const { rows } = await other.query(`delete from migrations where name = (${last}) returning *`)
    const database = await openDatabase(harness.location, { waitMsMax: 200 })
    onTestFinished(() => database.close())
    const migrated = migrate(database)
    const waiting = `select query_start::text from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`
    const attempts = new Set<string>()
    await eventually(async () => {
      for (const { query_start } of (await other.query(waiting)).rows) attempts.add(query_start)
      return attempts.size > 1
    })
    await other.query('insert into migrations (name, timestamp) values ($1, $2)', [rows[0].name, rows[0].timestamp])
    await other.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    expect(await migrated).toEqual([])
  },
)

test('a migrated database has no pending migrations', async () => {
  expect(await pendingMigrations(harness.service.database)).toEqual([])
})

test('concurrent deletes of one id succeed once and write one tombstone', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.post('/v1/article-tags', { name: 'Twice' })
  const replies = await Promise.all([1, 2, 3, 4].map(() => acme.delete(`/v1/article-tags/${body.id}`)))
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 410, 410, 410])
  const again = harness.service.database.write((tx) =>
    insertTombstone(tx, acme.orgId, 'article_tag', body.id, timestamp(0)),
  )
  await expect(again).rejects.toMatchObject({ kind: 'unique' })
})
