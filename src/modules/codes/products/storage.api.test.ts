import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { selectTotal, sumOf } from '../../../platform/db/index.ts'
import type { Reply } from '../../../testing/client.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { setLimits } from '../../account/organisations/index.ts'
import { IMAGES, startImageHost } from './testing/image-host.ts'

const host = await startImageHost('')
const SIZE = IMAGES.png.length
const harness = useHarness({
  config: { outbound: { ports: [443], devAllow: [host.address], dnsServers: [] }, storageBytesMax: 3 * SIZE },
})
afterAll(() => host.close())

const URL = host.url('/new.png')
/** Repeats a request that gets 503, as clients do: the database may be busy. */
const post = (tenant: Tenant, path: string, body: object): Promise<Reply> =>
  eventually(async () => {
    const reply = await tenant.post(path, body)
    return reply.status !== 503 && reply
  })
const create = async (tenant: Tenant, body: object = {}): Promise<any> => {
  const reply = await post(tenant, '/v1/products', { name: 'Chair', ...body })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}
const addImage = (tenant: Tenant, productId: string) => post(tenant, `/v1/products/${productId}/images`, { url: URL })
const remove = (tenant: Tenant, productId: string) =>
  eventually(async () => [204, 410].includes((await tenant.delete(`/v1/products/${productId}`)).status))
const setStorage = (tenant: Tenant, storage_bytes_max: number | null) =>
  harness.service.database.write((tx) => setLimits(tx, tenant.orgId, { storage_bytes_max }, timestamp(harness.nowMs())))
const usedBytes = (tenant: Tenant) =>
  selectTotal(harness.service.database.read, tenant.orgId, sumOf('assets', 'size_bytes'))
const countFiles = async (): Promise<number> => (await readdir(join(harness.folder, 'assets')).catch(() => [])).length

describe('an organisation without room', () => {
  test('gets 422 with what is used and allowed, and nothing is downloaded', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme)
    for (let n = 0; n < 3; n++) expect((await addImage(acme, id)).status).toBe(201)
    const hits = host.hits()
    const { status, body } = await addImage(acme, id)
    expect({ status, error: body.error, details: body.details }).toEqual({
      status: 422,
      error: 'unprocessable',
      details: { field: 'url', reason: 'storage_full', used_bytes: 3 * SIZE, limit_bytes: 3 * SIZE },
    })
    expect(body.message).toMatch(/Delete images or products, or ask the operator/)
    const product = await create(acme, { image_urls: [URL, URL] })
    expect(product.failed_image_urls).toEqual([URL, URL])
    expect(host.hits()).toBe(hits)

    const other = await harness.createTenant()
    expect((await addImage(other, (await create(other)).id)).status).toBe(201)
  })

  test('gets room again when images or products are deleted, or its limit is raised', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, { image_urls: [URL, URL] })
    const single = await create(acme)
    const image = (await addImage(acme, single.id)).body
    expect((await addImage(acme, single.id)).status).toBe(422)
    expect((await acme.delete(`/v1/products/${single.id}/images/${image.id}`)).status).toBe(204)
    expect(await usedBytes(acme)).toBe(2 * SIZE)
    expect((await addImage(acme, single.id)).status).toBe(201)
    expect((await acme.delete(`/v1/products/${id}`)).status).toBe(204)
    expect(await usedBytes(acme)).toBe(SIZE)

    await setStorage(acme, SIZE)
    expect((await addImage(acme, single.id)).status).toBe(422)
    await setStorage(acme, 2 * SIZE)
    expect((await addImage(acme, single.id)).status).toBe(201)
    expect((await addImage(acme, single.id)).status).toBe(422)
    await setStorage(acme, null)
    expect((await addImage(acme, single.id)).status).toBe(201)
    expect((await addImage(acme, single.id)).status).toBe(422)
  })
})

describe('the limit is exact', () => {
  test('when 20 requests add an image to different products at once', async () => {
    const acme = await harness.createTenant()
    await setStorage(acme, 6 * SIZE - 1)
    const products = await Promise.all(Array.from({ length: 20 }, () => create(acme)))
    const files = await countFiles()
    const replies = await Promise.all(products.map(({ id }) => addImage(acme, id)))
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(15).fill(422)])
    for (const { body } of replies.filter(({ status }) => status === 422)) {
      expect(body.details).toMatchObject({ reason: 'storage_full', used_bytes: 5 * SIZE, limit_bytes: 6 * SIZE - 1 })
    }
    expect(await usedBytes(acme)).toBe(5 * SIZE)
    await eventually(async () => (await countFiles()) === files + 5)
  })

  test('when 20 products with images are created and deleted at once', async () => {
    const acme = await harness.createTenant()
    await setStorage(acme, 25 * SIZE)
    const old = await Promise.all(Array.from({ length: 10 }, () => create(acme, { image_urls: [URL] })))
    const files = await countFiles()
    const [products] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => create(acme, { image_urls: [URL, URL] }))),
      Promise.all(old.map(({ id }) => remove(acme, id))),
    ])
    const failed = products.flatMap(({ failed_image_urls }) => failed_image_urls).length
    const kept = 40 - failed
    expect(kept).toBeGreaterThanOrEqual(15)
    expect(kept).toBeLessThanOrEqual(25)
    expect(await usedBytes(acme)).toBe(kept * SIZE)
    await eventually(async () => (await countFiles()) === files - 10 + kept)
  })
})

test('a product gets those of its images that fit, in their order', async () => {
  const acme = await harness.createTenant()
  await setStorage(acme, IMAGES.webp.length + IMAGES.gif.length)
  const [webp, jpg, gif] = ['/a.webp', '/b.jpg', '/c.gif'].map(host.url)
  const files = await countFiles()
  const product = await create(acme, { image_urls: [webp, jpg, gif] })
  expect(product.failed_image_urls).toEqual([jpg])
  const { data } = (await acme.get(`/v1/products/${product.id}/images`)).body
  expect(data.map(({ file_name }: any) => file_name)).toEqual(['a.webp', 'c.gif'])
  await eventually(async () => (await countFiles()) === files + 2)
})
