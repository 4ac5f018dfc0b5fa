import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { up } from '../../../../migrations/0025_assets.ts'
import { up as addSizes } from '../../../../migrations/0041_asset_sizes.ts'
import { timestamp } from '../../../platform/clock/index.ts'
import { columnTypes } from '../../../platform/db/column-types.ts'
import { selectTotal, sumOf } from '../../../platform/db/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { createSumTriggers, dropSumTriggers } from '../../../platform/db/totals.ts'
import type { Engine } from '../../../platform/db/types.ts'
import { newId } from '../../../platform/ids/index.ts'
import { insertTestRows } from '../../../testing/engines/insert-test-rows.ts'
import { useHarness } from '../../../testing/harness.ts'

/** There is no worker, whose tables are gone for a while. */
const harness = useHarness({ role: 'api' })

/** Runs a migration outside the service, as migrations see the database: they know no tables. */
async function change(step: (db: Kysely<unknown>, engine: Engine) => Promise<void>): Promise<void> {
  const opened = await openDatabase(harness.location)
  await step(opened.kysely as unknown as Kysely<unknown>, opened.engine).finally(() => opened.close())
}

/** Brings the schema back to what it was before the migration. */
const revert = () =>
  change(async (db, engine) => {
    await dropSumTriggers(db, 'assets', engine, 'size_bytes')
    for (const table of ['asset_removals', 'asset_references', 'assets']) await db.schema.dropTable(table).execute()
    await createSumTriggers(db, 'product_images', engine, 'size_bytes')
  })

test('images from before keep their URLs, become assets, and use the storage that they used', async () => {
  const { database } = harness.service
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  await revert()
  const product = (await acme.post('/v1/products', { name: 'Chair' })).body.id
  const now = timestamp(harness.nowMs())
  const images = Array.from({ length: 3 }, (_, n) => {
    const id = newId()
    const file = { asset: `${id}.png`, file_name: `${n}.png`, media_type: 'image/png' as const, size_bytes: 100 + n }
    return { id, org_id: acme.orgId, product_id: product, ...file, sort_order: n, created_at: now }
  })
  await database.write((tx) => insertTestRows(tx, 'product_images', images))
  for (const step of [up, addSizes]) await change((db, engine) => step(db, columnTypes[engine], engine))

  const { data } = (await acme.get('/v1/assets')).body
  expect(data.map(({ url }: any) => url.split('/').at(-1)).sort()).toEqual(images.map(({ asset }) => asset).sort())
  expect(data).toMatchObject(Array(3).fill({ media_type: 'image/png', is_referenced: true }))
  const used = (orgId: typeof acme.orgId) => selectTotal(database.read, orgId, sumOf('assets', 'size_bytes'))
  expect(await used(acme.orgId)).toBe(303)
  expect(await used(other.orgId)).toBe(0)
  const listed = (await acme.get(`/v1/products/${product}/images`)).body.data
  expect(listed.map(({ file_url }: any) => file_url.split('/').at(-1))).toEqual(images.map(({ asset }) => asset))
  expect((await acme.delete(`/v1/assets/${images[0]?.id}`)).status).toBe(409)
  expect((await acme.delete(`/v1/products/${product}`)).status).toBe(204)
  expect(await used(acme.orgId)).toBe(0)
})
