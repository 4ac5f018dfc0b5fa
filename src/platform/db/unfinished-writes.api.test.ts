/** Pieces are stored by SQLite only, but a backup with some of them can be restored into either engine. */
import { expect, test } from 'vitest'
import { useHarness } from '../../testing/harness.ts'
import { timestamp } from '../clock/index.ts'
import { newId } from '../ids/index.ts'
import { EachOf } from './statements/each-of.ts'
import { finishWrites, insertPieces } from './unfinished-writes.ts'

const harness = useHarness({ role: 'api' })

test('completes what an SQLite database had left, in order, with every type of value', async () => {
  const acme = await harness.createTenant()
  const { database } = harness.service
  const now = timestamp(harness.nowMs())
  const ids = Array.from({ length: 3 }, () => newId()).sort()
  const columns =
    'id, org_id, name_key, search_text, created_at, updated_at, type, public_slug, name, metadata, is_active'
  const rows = ids.map((id, n) => {
    const texts = [`chair ${n}`, `chair ${n}`, now, now, 'chair', `aB3dE5g${n + 2}`]
    return [id, acme.orgId, ...texts, n === 0 ? null : 'ü🏷 ?', { list: [1, { n }], text: '?' }, n === 1]
  })
  const insert = `insert into objects (${columns}) values (${rows[0]!.map(() => '?').join(', ')})`
  const update = 'update "objects" set "type" = ? where "org_id" = ? and "id" = ?'
  await database.write(
    (tx) =>
      insertPieces(tx, acme.orgId, [
        { id: newId(), statement: insert, each: new EachOf(rows) },
        { id: newId(), statement: update, each: new EachOf([['stool', acme.orgId, ids[2]]]) },
      ]),
    acme.orgId,
  )
  expect(await finishWrites(database)).toEqual(new Map())
  const objects = database.read
    .selectFrom('objects')
    .select(['id', 'type', 'name', 'metadata', 'is_active'])
    .where('org_id', '=', acme.orgId)
    .orderBy('id')
  expect(await objects.execute()).toEqual(
    ids.map((id, n) => ({
      ...{ id, type: n === 2 ? 'stool' : 'chair', name: n === 0 ? null : 'ü🏷 ?' },
      ...{ metadata: { list: [1, { n }], text: '?' }, is_active: n === 1 },
    })),
  )
  expect((await acme.get('/v1/objects')).body.total).toBe(3)
  expect(await finishWrites(database)).toEqual(new Map())
})
