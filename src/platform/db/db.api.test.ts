/** Behaviour that must be the same on both engines. */
import { expect, test } from 'vitest'
import { useHarness } from '../../testing/harness.ts'
import { timestamp } from '../clock/index.ts'
import { newId } from '../ids/index.ts'
import { pendingMigrations } from './migrate.ts'
import { insertTombstone } from './tombstones.ts'
import { selectTotal } from './totals.ts'

const harness = useHarness()

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
