import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { operatorContext } from '../../../../main/operator-context.ts'
import { ByteBudget, QueueFull } from '../../../../platform/bounded/index.ts'
import { openLocalStore } from '../../../../platform/files/local-store.ts'
import { newId } from '../../../../platform/ids/index.ts'
import { ImageCleaner } from '../../../../platform/images/index.ts'
import { createOutboundClient } from '../../../../platform/outbound/index.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { IMAGES, startImageHost } from '../testing/image-host.ts'
import { createImageDownloads, fetchImages, isFile } from './image-downloads.ts'
import { keepIfWritten } from './image-files.ts'

const host = await startImageHost('')
const harness = useHarness({
  config: { outbound: { ports: [443], devAllow: [host.address], dnsServers: [] }, metricsPort: 0 },
})
let acme: Tenant
let productId: string

beforeEach(async () => {
  acme = await harness.createTenant()
  productId = (await acme.post('/v1/products', { name: 'Chair' })).body.id
})
afterAll(() => host.close())

const MIB = 1024 * 1024
const HELD = host.url('/held.png')
const addImage = (tenant: Tenant, id: string, url: string) => tenant.post(`/v1/products/${id}/images`, { url })
const filesOf = async (): Promise<string[]> => (await readdir(join(harness.folder, 'assets')).catch(() => [])).sort()
/** Creates a product with images, for a client that can leave. */
function post(...paths: string[]): { leave(): void } {
  const leaving = new AbortController()
  fetch(`${harness.baseUrl}/v1/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Chair', image_urls: paths.map((path) => host.url(path)) }),
    signal: leaving.signal,
  }).catch(() => {})
  return { leave: () => leaving.abort() }
}
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${harness.service.metricsPort}/metrics`)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}
const queue = async () => ({
  waiting: await metric('waymark_queue_waiting{queue="image_downloads"}'),
  running: await metric('waymark_queue_running{queue="image_downloads"}'),
})
const refusals = () => metric('waymark_refused_total{limit="image_downloads"}')
/** Responds to held requests until the work is done. */
async function releaseUntil<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => host.release(), 10)
  return work.finally(() => clearInterval(timer))
}

test('60 parallel requests of one organisation download four images at a time; another gets its image meanwhile', async () => {
  const other = await harness.createTenant()
  const { id } = (await other.post('/v1/products', { name: 'Table' })).body
  const statuses: number[] = []
  const requests = Array.from({ length: 60 }, async () => {
    const reply = await acme.post('/v1/products', {
      name: 'Chair',
      image_urls: Array(4).fill(host.url('/held-large.png')),
    })
    statuses.push(reply.status)
    return reply
  })
  // Four downloads run and 100 wait: the images of 26 requests.
  await eventually(() => host.held() === 4 && statuses.length === 34)
  expect(statuses).toEqual(Array(34).fill(503))
  expect(await addImage(other, id, host.url('/a.png'))).toMatchObject({ status: 201 })
  expect(host.held()).toBe(4)

  const replies = await releaseUntil(Promise.all(requests))
  const created = replies.filter(({ status }) => status === 201)
  expect(created.flatMap(({ body }) => body.failed_image_urls)).toEqual([])
  const refused = replies.filter(({ status }) => status === 503)
  for (const { headers, body } of refused) {
    expect(body.error).toBe('service_unavailable')
    expect(headers.get('retry-after')).toBe('1')
  }
  expect(created.length + refused.length).toBe(60)
  expect((await acme.get('/v1/products')).body.total).toBe(created.length + 1)
  expect(host.heldMax()).toBe(4)
  expect((await filesOf()).filter((name) => name.endsWith('.partial'))).toEqual([])
})

test('16 images are downloaded at a time, and organisations that wait take turns', async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => harness.createTenant()))
  const create = (tenant: Tenant) => tenant.post('/v1/products', { name: 'Chair', image_urls: Array(4).fill(HELD) })
  const creating = tenants.flatMap((tenant) => [create(tenant), create(tenant)])
  await eventually(async () => host.held() === 16 && (await queue()).waiting === 16)
  const hits = host.hits()
  const adding = addImage(acme, productId, host.url('/a.png'))
  await eventually(async () => (await queue()).waiting === 17)
  expect(host.hits()).toBe(hits)
  host.release()
  expect((await adding).status).toBe(201)
  expect((await releaseUntil(Promise.all(creating))).map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect(host.heldMax()).toBe(16)
})

test('a request that is refused takes no place in the queue, is counted, and can be repeated', async () => {
  const busy = Array.from({ length: 51 }, () => acme.post('/v1/products', { name: 'Chair', image_urls: [HELD, HELD] }))
  await eventually(async () => (await queue()).waiting === 98)
  const before = await refusals()
  const body = { name: 'Table', image_urls: Array(4).fill(host.url('/a.png')) }
  const key = { 'idempotency-key': 'repeated' }
  expect(await acme.post('/v1/products', body, key)).toMatchObject({ status: 503 })
  expect(await queue()).toEqual({ waiting: 98, running: 4 })
  expect(await refusals()).toBe(before + 1)
  await releaseUntil(Promise.all(busy))
  const repeated = await eventually(async () => {
    const reply = await acme.post('/v1/products', body, key)
    return reply.status !== 503 && reply
  })
  expect(repeated).toMatchObject({ status: 201, body: { failed_image_urls: [] } })
  expect(await queue()).toEqual({ waiting: 0, running: 0 })
})

test('a client that leaves gives up its places in the queue, and none of its images are kept', async () => {
  const files = await filesOf()
  const started = post('/a.png', ...Array(4).fill('/held.png'))
  await eventually(() => host.held() === 4)
  const waiting = post('/b.png', '/b.png')
  await eventually(async () => (await queue()).waiting === 2)
  expect(await filesOf()).toHaveLength(files.length + 1)
  const hits = host.hits()
  waiting.leave()
  await eventually(async () => (await queue()).waiting === 0)
  expect(host.held()).toBe(4)
  started.leave()
  host.release()
  await eventually(async () => (await queue()).running === 0)
  await eventually(async () => (await filesOf()).length === files.length)
  expect(host.hits()).toBe(hits)
  expect((await acme.get('/v1/products')).body.total).toBe(1)
  expect(await metric('waymark_budget_used_bytes{budget="image_downloads"}')).toBe(0)
})

test('files that no row refers to yet are limited by their bytes, and so are those that are arriving', async () => {
  const folder = join(harness.folder, 'limited')
  const unwritten = new ByteBudget({ bytesMax: 40 * MIB, bytesPerKeyMax: 30 * MIB })
  const settings = {
    outbound: createOutboundClient({ ports: [443], devAllow: [host.address] }),
    store: openLocalStore(folder),
    images: new ImageCleaner(),
    publicUrl: '',
    write: harness.service.database.write,
    downloads: { ...createImageDownloads(), unwritten },
    storageLimitOf: async () => 1024 * MIB,
  }
  const ctx = operatorContext(harness.service.database, acme.orgId, harness.nowMs)()
  // Each of them may become 15 MiB, so there is no room for a third one.
  const refused = fetchImages(ctx, [HELD, HELD, host.url('/a.png')], settings)
  await eventually(() => host.held() === 2)
  await expect(releaseUntil(refused)).rejects.toThrow(QueueFull)
  expect(await readdir(folder)).toEqual([])
  expect(unwritten.usedBytes).toBe(0)

  const outcomes = await fetchImages(ctx, [host.url('/a.png'), host.url('/page.png')], settings)
  const files = outcomes.filter(isFile)
  expect(files).toHaveLength(1)
  expect(unwritten.usedBytes).toBe(IMAGES.png.length)
  await keepIfWritten(ctx, files, settings, async () => {})
  expect(unwritten.usedBytes).toBe(0)
  expect(await readdir(folder)).toHaveLength(1)
  settings.outbound.close()
})

test('removes partial files that a crash left behind when the service starts', async () => {
  expect((await addImage(acme, productId, host.url('/a.png'))).status).toBe(201)
  const files = await filesOf()
  const [old, recent] = [`${newId()}.png.partial`, `${newId()}.png.partial`]
  for (const name of [old, recent]) await writeFile(join(harness.folder, 'assets', name), 'half of an image')
  const hourAgo = new Date(Date.now() - 60 * 60 * 1000)
  await utimes(join(harness.folder, 'assets', old), hourAgo, hourAgo)
  await harness.restart()
  await eventually(async () => !(await filesOf()).includes(old))
  expect(await filesOf()).toEqual([...files, recent].sort())
})
