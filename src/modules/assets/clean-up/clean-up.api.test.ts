/** Tests the guarantee that a file is deleted a day after its last use, and never while something uses it. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, timestamp } from '../../../platform/clock/index.ts'
import type { AssetStore } from '../../../platform/files/asset-store.ts'
import { openLocalStore } from '../../../platform/files/local-store.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import {
  addAssetReferences,
  deleteExpiredAssets,
  measureAssets,
  openAsset,
  removeDueFiles,
  storeAsset,
} from '../assets/index.ts'
import { newGif } from '../assets/testing/sample-files.ts'

/** There is no worker: these tests do its work. */
const harness = useHarness({ role: 'api' })
let acme: Tenant

/** Files of earlier tests. */
let earlier: string[]

beforeEach(async () => {
  acme = await harness.createTenant()
  await sweep()
  earlier = await allFiles()
})

const database = () => harness.service.database
const store = () => openLocalStore(join(harness.folder, 'assets'))
const allFiles = async (): Promise<string[]> => (await readdir(join(harness.folder, 'assets')).catch(() => [])).sort()
const files = async (): Promise<string[]> => (await allFiles()).filter((name) => !earlier.includes(name))
const expire = () => deleteExpiredAssets(database(), harness.nowMs(), (orgId, work) => database().write(work, orgId))
async function sweep(from: AssetStore = store()): Promise<void> {
  while (await expire());
  while (await removeDueFiles(database(), from, harness.nowMs()));
}
const upload = async (): Promise<any> => (await acme.post('/v1/assets', newGif())).body
const nameOf = ({ url }: { url: string }) => url.split('/').at(-1) as string
const settings = () => ({
  store: store(),
  publicUrl: '',
  write: database().write,
  storageLimitOf: async () => 1_000_000,
})
const ctx = () => ({ orgId: acme.orgId, now: timestamp(harness.nowMs()), log: createLogger('silent') })

test('a file that nothing uses is deleted after a day, row and file, and not earlier', async () => {
  const asset = await upload()
  harness.advance(DAY_MS - HOUR_MS)
  await sweep()
  expect(await files()).toEqual([nameOf(asset)])
  harness.advance(2 * HOUR_MS)
  await sweep()
  expect(await files()).toEqual([])
  expect((await acme.get(`/v1/assets/${asset.id}`)).status).toBe(410)
})

test('a file that is used is kept, and its day begins with its last use', async () => {
  const asset = await upload()
  await acme.patch('/v1/organisation', { logo_url: asset.url.replace(/^http:/, 'https:') })
  harness.advance(30 * DAY_MS)
  await sweep()
  expect(await files()).toEqual([nameOf(asset)])
  await acme.patch('/v1/organisation', { logo_url: null })
  await sweep()
  expect(await files()).toEqual([nameOf(asset)])
  harness.advance(DAY_MS + HOUR_MS)
  await sweep()
  expect(await files()).toEqual([])
})

test('an upload of the same content gives it another day', async () => {
  const content = newGif()
  const asset = (await acme.post('/v1/assets', content)).body
  harness.advance(DAY_MS - HOUR_MS)
  expect((await acme.post('/v1/assets', content)).body.id).toBe(asset.id)
  harness.advance(2 * HOUR_MS)
  await sweep()
  expect(await files()).toEqual([nameOf(asset)])
  harness.advance(DAY_MS)
  await sweep()
  expect(await files()).toEqual([])
})

test('a mark that is wrong does not delete a file that is used', async () => {
  const asset = await upload()
  const owner = { kind: 'page', id: newId() }
  await database().write(async (tx) => {
    await addAssetReferences(tx, acme.orgId, owner, [asset.id])
    const wrong = { unreferenced_since: timestamp(0) }
    await tx.updateTable('assets').set(wrong).where('org_id', '=', acme.orgId).where('id', '=', asset.id).execute()
  })
  await sweep()
  expect((await acme.get(`/v1/assets/${asset.id}`)).body.is_referenced).toBe(true)
  expect(await files()).toEqual([nameOf(asset)])
})

test('a crash between row and file leaves no file for good', async () => {
  const asset = await upload()
  harness.advance(DAY_MS + HOUR_MS)
  // The row is deleted, and the process ends before the file is removed.
  while (await expire());
  expect(await files()).toEqual([nameOf(asset)])
  await harness.restart()
  while (await removeDueFiles(database(), store(), harness.nowMs()));
  expect(await files()).toEqual([])
})

test('a crash before a new file is complete leaves a row that nobody sees, and later none', async () => {
  const crash = { ...store(), stage: () => Promise.reject(new Error('crashed')) }
  const staged = await store().stage([newGif()])
  const file = { mediaType: 'image/gif', extension: 'gif', fileName: 'a.gif' }
  const failing = { ...staged, store: () => new Promise<never>(() => {}) }
  void storeAsset(ctx(), { ...file, staged: failing }, 'public', { ...settings(), store: crash })
  const rows = () => database().read.selectFrom('assets').select('id').where('org_id', '=', acme.orgId).execute()
  await expect.poll(rows).toHaveLength(1)
  expect((await acme.get('/v1/assets')).body.data).toEqual([])
  harness.advance(DAY_MS + HOUR_MS)
  await sweep()
  expect(await rows()).toEqual([])
  await staged.discard()
})

test('a store that fails is tried again, and the files of others are removed meanwhile', async () => {
  const [first, second] = [await upload(), await upload()]
  for (const { id } of [first, second]) await acme.delete(`/v1/assets/${id}`)
  const failing = { ...store(), remove: () => Promise.reject(new Error('the disk is away')) }
  await expect(removeDueFiles(database(), failing, harness.nowMs())).rejects.toThrow('the disk is away')
  expect(await removeDueFiles(database(), store(), harness.nowMs())).toBe(false)
  const third = await upload()
  await acme.delete(`/v1/assets/${third.id}`)
  await sweep()
  expect(await files()).toEqual([nameOf(first), nameOf(second)].sort())
  harness.advance(HOUR_MS)
  await sweep()
  expect(await files()).toEqual([])
})

test('a private file can be opened by its organisation only, and is not served', async () => {
  const content = newGif()
  const staged = await store().stage([content])
  const file = { staged, mediaType: 'image/gif', extension: 'gif', fileName: 'fault.gif' }
  const asset = await storeAsset(ctx(), file, 'private', settings())
  await staged.discard()
  expect(asset?.name).toMatch(/^private-[0-9a-f]{64}-\w{8}\.gif$/)
  const id = asset?.id as string
  const opened = await openAsset(database().read, acme.orgId, id, settings())
  expect(opened).toMatchObject({ fileName: 'fault.gif', mediaType: 'image/gif' })
  expect(Buffer.concat(await (await opened!.file.read()).toArray())).toEqual(content)
  const other = await harness.createTenant()
  expect(await openAsset(database().read, other.orgId, id, settings())).toBeUndefined()
  expect((await fetch(`${harness.baseUrl}/assets/${asset?.name}`)).status).toBe(404)
  expect((await fetch(`${harness.baseUrl}/assets/${asset?.name.replace('private-', '')}`)).status).toBe(404)
  expect((await acme.get(`/v1/assets/${id}`)).status).toBe(404)
  expect((await acme.get('/v1/assets')).body.data).toEqual([])
  // A public upload of the same content is another asset.
  expect((await acme.post('/v1/assets', content)).status).toBe(201)
})

test('reads the sizes of files from before sizes were stored, once', async () => {
  const [image, damaged] = [await upload(), (await acme.post('/v1/assets', Buffer.from('%PDF-1.7\n'))).body]
  expect([image.width, image.height, damaged.width]).toEqual([1, 1, null])
  const forget = { width: null, height: null, measured_at: null }
  await database().write((tx) => tx.updateTable('assets').set(forget).where('org_id', '=', acme.orgId).execute())
  const measure = () =>
    measureAssets(database(), store(), harness.nowMs, (orgId, work) => database().write(work, orgId))
  expect(await measure()).toBe(true)
  expect((await acme.get(`/v1/assets/${image.id}`)).body).toEqual(image)
  expect((await acme.get(`/v1/assets/${damaged.id}`)).body).toEqual(damaged)
  expect(await measure()).toBe(false)
})
