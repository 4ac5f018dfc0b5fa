import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../../platform/ids/index.ts'
import { startSink } from '../../../../platform/outbound/testing/sink.ts'
import { insertTestRows } from '../../../../testing/engines/insert-test-rows.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { testOnce } from '../../../../testing/test-once.ts'
import { startDnsServer } from '../../../../testing/world/dns-server.ts'
import { IMAGES, startImageHost } from '../testing/image-host.ts'

const sink = await startSink()
const host = await startImageHost(`http://127.0.0.1:${sink.port}/inside.png`)
const dns = await startDnsServer((name, type) => {
  if (name === 'inside.acme.example') return type === 'A' ? ['127.0.0.1'] : []
  return name === 'empty.acme.example' ? [] : undefined
})
const closed = await startSink()
const closedAddress = `127.0.0.1:${closed.port}`
await closed.close()
const harness = useHarness({
  config: {
    publicUrl: 'https://go.acme.com',
    outbound: { ports: [443], devAllow: [host.address, closedAddress], dnsServers: [dns.address] },
  },
})
let acme: Tenant

beforeAll(async () => {
  acme = await harness.createTenant()
})
afterAll(() => Promise.all([sink.close(), host.close(), dns.close()]))

const create = async (tenant: Tenant, body: object = {}): Promise<any> => {
  const reply = await tenant.post('/v1/products', { name: 'Chair', ...body })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}
const add = async (tenant: Tenant, productId: string, body: object): Promise<any> => {
  const reply = await tenant.post(`/v1/products/${productId}/images`, body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}
const imagesOf = async (tenant: Tenant, productId: string, query = ''): Promise<any> =>
  (await tenant.get(`/v1/products/${productId}/images${query}`)).body
const idsOf = (images: { id: string }[]) => images.map(({ id }) => id)
const filesOf = async (): Promise<string[]> => (await readdir(join(harness.folder, 'assets')).catch(() => [])).sort()
/** Waits for the worker, which removes files. */
const filesBecome = (files: string[]) => eventually(async () => String(await filesOf()) === String(files))
const pathOf = (image: { file_url: string }) => image.file_url.replace('https://go.acme.com', '')
const serve = (path: string, method = 'GET') => fetch(harness.baseUrl + path, { method })

describe('an image', () => {
  test.each([
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
  ] as const)(
    'in the format %s is stored and served as %s, with headers that prevent scripts',
    async (extension, type) => {
      const { id } = await create(acme)
      const image = await add(acme, id, { url: host.url(`/oak%20chair.${extension}?size=large`) })
      expect(image).toEqual({
        object: 'product_image',
        id: expect.any(String),
        product_id: id,
        file_url: expect.stringMatching(
          new RegExp(`^https://go\\.acme\\.com/assets/[0-9a-f]{64}-[0-9A-Za-z]{8}\\.${extension}$`),
        ),
        file_name: `oak chair.${extension}`,
        media_type: type,
        size_bytes: IMAGES[extension].length,
        sort_order: 0,
        created_at: expect.any(String),
      })
      expect(await imagesOf(acme, id)).toMatchObject({ total: 1, data: [image] })
      const served = await serve(pathOf(image))
      expect(served.status).toBe(200)
      expect(Buffer.from(await served.arrayBuffer())).toEqual(IMAGES[extension])
      const headers = {
        'content-type': type,
        'content-length': String(IMAGES[extension].length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      }
      expect(Object.fromEntries(served.headers)).toMatchObject(headers)
      const head = await serve(pathOf(image), 'HEAD')
      expect(Object.fromEntries(head.headers)).toMatchObject(headers)
      expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' })
    },
  )

  test('is recognised by its content, not by its name or Content-Type', async () => {
    const { id } = await create(acme)
    const image = await add(acme, id, { url: host.url('/lying.txt') })
    expect(image).toMatchObject({ media_type: 'image/png', file_name: 'lying.txt' })
    expect(image.file_url).toMatch(/\.png$/)
    expect((await serve(pathOf(image))).headers.get('content-type')).toBe('image/png')
  })

  testOnce('can have 15 MiB', async () => {
    const { id } = await create(acme)
    const image = await add(acme, id, { url: host.url('/largest.png') })
    expect(image.size_bytes).toBe(15 * 1024 * 1024)
    expect((await (await serve(pathOf(image))).arrayBuffer()).byteLength).toBe(15 * 1024 * 1024)
  })

  test('is placed by sort_order, by default after the last; of equals the older comes first', async () => {
    const { id } = await create(acme)
    const put = (sort_order?: number) =>
      add(acme, id, { url: host.url('/a.png'), ...(sort_order !== undefined && { sort_order }) })
    const [a, b, c, d] = [await put(), await put(7), await put(), await put(0)]
    expect([a, b, c, d].map(({ sort_order }) => sort_order)).toEqual([0, 7, 8, 0])
    const { data } = await imagesOf(acme, id)
    expect(idsOf(data)).toEqual(idsOf([a, d, b, c]))
    expect(await imagesOf(acme, id, '?page=2&page_size=3')).toMatchObject({ total: 4, page: 2, data: [{ id: c.id }] })
    expect(await imagesOf(acme, id, '?page=3&page_size=3')).toMatchObject({ total: 4, data: [] })
  })

  test.each([
    [{}],
    [{ url: '' }],
    [{ url: 5 }],
    [{ url: 'https://acme.com/a.png', sort_order: -1 }],
    [{ url: 'https://acme.com/a.png', sort_order: 1.5 }],
    [{ url: 'https://acme.com/a.png', sort_order: 1_000_001 }],
  ])('sent as %j returns 400', async (body) => {
    const { id } = await create(acme)
    expect(await acme.post(`/v1/products/${id}/images`, body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_payload' },
    })
  })
})

describe('an image that cannot be fetched', () => {
  testOnce('returns 422 with a reason, stores nothing and connects to no forbidden address', async () => {
    const { id } = await create(acme)
    const [files, connections] = [await filesOf(), sink.connections()]
    const reasons = {
      [host.url('/page.png')]: 'not_an_image',
      [host.url('/drawing.png')]: 'not_an_image',
      [host.url('/empty.png')]: 'not_an_image',
      [host.url('/missing.png')]: 'status',
      [host.url('/moved.png')]: 'status',
      [host.url('/too-large.png')]: 'too_large',
      [host.url('/slow.png')]: 'timeout',
      [host.url('/broken.png')]: 'protocol',
      'https://inside.acme.example/a.png': 'unreachable',
      'https://nowhere.acme.example/a.png': 'unreachable',
    }
    const urls = Object.keys(reasons)
    const replies = await Promise.all(urls.map((url) => acme.post(`/v1/products/${id}/images`, { url })))
    const errors = replies.map(({ status, body }, n) => [urls[n], status, body.error, body.details])
    expect(errors).toEqual(urls.map((url) => [url, 422, 'unprocessable', { field: 'url', reason: reasons[url] }]))
    expect(await imagesOf(acme, id)).toMatchObject({ total: 0 })
    expect(await filesOf()).toEqual(files)
    expect(sink.connections()).toBe(connections)
    // Proves that the sink does count connections.
    await fetch(`http://127.0.0.1:${sink.port}/`).catch(() => {})
    expect(sink.connections()).toBeGreaterThan(connections)
  })

  test('returns the same error for a private, a missing and an unreachable host', async () => {
    const { id } = await create(acme)
    const urls = [
      'https://inside.acme.example/a.png',
      'https://nowhere.acme.example/a.png',
      'https://empty.acme.example/a.png',
      `http://${closedAddress}/a.png`,
    ]
    const replies = await Promise.all(urls.map((url) => acme.post(`/v1/products/${id}/images`, { url })))
    for (const { status, body } of replies) {
      expect({ status, ...body, request_id: '' }).toEqual({
        status: 422,
        error: 'unprocessable',
        message: 'url: The host could not be reached.',
        details: { field: 'url', reason: 'unreachable' },
        request_id: '',
      })
    }
  })

  test('returns 400 without connecting when the URL itself is forbidden', async () => {
    const { id } = await create(acme)
    const connections = sink.connections()
    for (const url of [
      'nonsense',
      'ftp://acme.com/a.png',
      'http://acme.com/a.png',
      'https://acme.com:8443/a.png',
      'https://user:secret@acme.com/a.png',
      `http://127.0.0.1:${sink.port}/a.png`,
      `https://127.0.0.1:${sink.port}/a.png`,
      `https://localhost:${sink.port}/a.png`,
      `https://inside.acme.example:${sink.port}/a.png`,
      'https://169.254.169.254/latest',
      'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
      'file:///etc/passwd',
    ]) {
      const reply = await acme.post(`/v1/products/${id}/images`, { url })
      expect(reply, url).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
      expect(reply.body.details).toEqual({ formErrors: [], fieldErrors: { url: [expect.stringMatching(/^Must /)] } })
    }
    expect(sink.connections()).toBe(connections)
  })

  test('is not fetched for a product that does not exist', async () => {
    const hits = host.hits()
    const other = await harness.createTenant()
    const { id } = await create(acme)
    const gone = await create(acme)
    await acme.delete(`/v1/products/${gone.id}`)
    const url = host.url('/a.png')
    expect((await acme.post(`/v1/products/${newId()}/images`, { url })).status).toBe(404)
    expect((await other.post(`/v1/products/${id}/images`, { url })).status).toBe(404)
    expect((await acme.post(`/v1/products/${gone.id}/images`, { url })).status).toBe(410)
    expect(host.hits()).toBe(hits)
  })
})

describe('a product created with images', () => {
  test('has the images that could be fetched, in order, and lists the URLs that failed', async () => {
    const failed = [host.url('/missing.png'), 'http://acme.com/a.png', 'nonsense', host.url('/page.png')]
    const image_urls = [failed[0], host.url('/a.gif'), failed[1], host.url('/b.jpg'), failed[2], failed[3]]
    const product = await create(acme, { image_urls })
    expect(product.failed_image_urls).toEqual(failed)
    const { data } = await imagesOf(acme, product.id)
    expect(data.map(({ file_name, sort_order }: any) => [file_name, sort_order])).toEqual([
      ['a.gif', 0],
      ['b.jpg', 1],
    ])
    const { failed_image_urls: _, ...plain } = product
    expect((await acme.get(`/v1/products/${product.id}`)).body).toEqual(plain)
    const event = await acme.lastEvent()
    expect(event).toMatchObject({ type: 'product.created' })
    expect(event.data).toEqual(plain)
  })

  test('has failed_image_urls only if image_urls was sent, and accepts at most 20', async () => {
    expect(await create(acme)).not.toHaveProperty('failed_image_urls')
    expect(await create(acme, { image_urls: [] })).toMatchObject({ failed_image_urls: [] })
    const image_urls = Array(21).fill(host.url('/a.png'))
    expect((await acme.post('/v1/products', { name: 'Chair', image_urls })).status).toBe(400)
  })

  test('fetches at most four at a time', async () => {
    const other = await harness.createTenant()
    const creating = create(acme, { image_urls: Array(9).fill(host.url('/held.png')) })
    for (const expected of [4, 4, 1]) {
      await eventually(() => host.held() >= expected)
      // By the time this complete request is done, a fifth fetch would have arrived.
      await add(other, (await create(other)).id, { url: host.url('/a.png') })
      expect(host.held()).toBe(expected)
      host.release()
    }
    expect((await imagesOf(acme, (await creating).id)).total).toBe(9)
  })

  test('leaves no file behind when the request is refused', async () => {
    const tenant = await harness.createTenant()
    await create(tenant, { gtin: '9506000134352' })
    const [files, hits] = [await filesOf(), host.hits()]
    const image_urls = [host.url('/new.png'), host.url('/new.png')]
    const refuse = async (body: object) =>
      (await tenant.post('/v1/products', { name: 'Chair', image_urls, ...body })).status
    expect(await refuse({ gtin: '9506000134352' })).toBe(409)
    expect(await refuse({ destination: { page: newId() } })).toBe(422)
    expect(host.hits()).toBe(hits + 4)
    expect(await refuse({ gtin: '9506000134353' })).toBe(400)
    expect(host.hits()).toBe(hits + 4)
    await filesBecome(files)
    expect((await tenant.get('/v1/products')).body.total).toBe(1)
  })
})

test('deleting a product while its image is fetched leaves no file behind', async () => {
  const { id } = await create(acme)
  const files = await filesOf()
  const adding = acme.post(`/v1/products/${id}/images`, { url: host.url('/held.png') })
  await eventually(() => host.held() === 1)
  expect((await acme.delete(`/v1/products/${id}`)).status).toBe(204)
  host.release()
  expect((await adding).status).toBe(410)
  await filesBecome(files)
})

test('a repeated idempotency key replays the first response and fetches nothing', async () => {
  const tenant = await harness.createTenant()
  const { id } = await create(tenant)
  const requests = [
    ['/v1/products', { name: 'Table', image_urls: [host.url('/a.png'), host.url('/missing.png')] }],
    [`/v1/products/${id}/images`, { url: host.url('/new.png') }],
    [`/v1/products/${id}/images`, { url: host.url('/missing.png') }],
  ] as const
  for (const [n, [path, body]] of requests.entries()) {
    const key = { 'idempotency-key': `image-${n}` }
    const first = await tenant.post(path, body, key)
    const [files, hits] = [await filesOf(), host.hits()]
    const again = await tenant.post(path, body, key)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(host.hits()).toBe(hits)
    expect(await filesOf()).toEqual(files)
  }
  expect((await imagesOf(tenant, id)).total).toBe(1)
})

test('a product has at most 100 images, even with concurrent requests', async () => {
  const { id } = await create(acme, { image_urls: Array(20).fill(host.url('/new.png')) })
  await harness.service.database.write(async (tx) => {
    const images = tx.selectFrom('product_images').selectAll().where('org_id', '=', acme.orgId)
    const image = await images.where('product_id', '=', id).limit(1).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 70 }, (_, n) => ({ ...image, id: newId(), sort_order: 20 + n }))
    await insertTestRows(tx, 'product_images', copies)
  })
  const files = await filesOf()
  const send = () => acme.post(`/v1/products/${id}/images`, { url: host.url('/new.png') })
  const statuses = (await Promise.all(Array.from({ length: 15 }, send))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([...Array(10).fill(201), ...Array(5).fill(422)])
  const { total, data } = await imagesOf(acme, id, '?page_size=100')
  expect(total).toBe(100)
  expect(data.map(({ sort_order }: any) => sort_order)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  await eventually(async () => (await filesOf()).length === files.length + 10)
  const hits = host.hits()
  expect((await acme.post(`/v1/products/${id}/images`, { url: host.url('/a.png') })).status).toBe(422)
  expect(host.hits()).toBe(hits)
})

describe('deleting', () => {
  test('an image deletes its file and no other', async () => {
    const tenant = await harness.createTenant()
    const { id } = await create(tenant)
    const [first, second] = [
      await add(tenant, id, { url: host.url('/new.png') }),
      await add(tenant, id, { url: host.url('/new.png') }),
    ]
    const path = `/v1/products/${id}/images/${first.id}`
    const elsewhere = await create(tenant)
    const stranger = await harness.createTenant()
    expect((await tenant.delete(`/v1/products/${elsewhere.id}/images/${first.id}`)).status).toBe(404)
    expect((await stranger.delete(path)).status).toBe(404)
    expect((await serve(pathOf(first))).status).toBe(200)
    expect((await tenant.delete(path)).status).toBe(204)
    expect(await tenant.delete(path)).toMatchObject({ status: 410, body: { error: 'gone' } })
    expect((await stranger.delete(path)).status).toBe(404)
    await eventually(async () => (await serve(pathOf(first))).status === 404)
    expect((await serve(pathOf(second))).status).toBe(200)
    expect(await imagesOf(tenant, id)).toMatchObject({ total: 1, data: [{ id: second.id }] })
  })

  test('one of two images with the same content keeps their file, and the other one deletes it', async () => {
    const tenant = await harness.createTenant()
    const files = await filesOf()
    const [chair, table] = [await create(tenant), await create(tenant)]
    const [first, second, third] = [
      await add(tenant, chair.id, { url: host.url('/a.png') }),
      await add(tenant, chair.id, { url: host.url('/b.png') }),
      await add(tenant, table.id, { url: host.url('/c.png') }),
    ]
    expect(new Set([first, second, third].map(pathOf)).size).toBe(1)
    expect([first, second, third].map(({ file_name }) => file_name)).toEqual(['a.png', 'b.png', 'c.png'])
    expect(await filesOf()).toHaveLength(files.length + 1)
    for (const { product_id, id } of [first, third]) await tenant.delete(`/v1/products/${product_id}/images/${id}`)
    expect((await serve(pathOf(second))).status).toBe(200)
    expect((await tenant.get('/v1/assets')).body.data).toMatchObject([{ is_referenced: true }])
    await tenant.delete(`/v1/products/${chair.id}/images/${second.id}`)
    await filesBecome(files)
    expect((await tenant.get('/v1/assets')).body.data).toEqual([])
  })

  test('a product deletes the files of all its images', async () => {
    const files = await filesOf()
    const { id } = await create(acme, { image_urls: [host.url('/new.png'), host.url('/new.png')] })
    const { data } = await imagesOf(acme, id)
    expect(await filesOf()).toHaveLength(files.length + 2)
    expect((await acme.delete(`/v1/products/${id}`)).status).toBe(204)
    await filesBecome(files)
    expect((await serve(pathOf(data[0]))).status).toBe(404)
    expect((await acme.get(`/v1/products/${id}/images`)).status).toBe(410)
    expect((await acme.delete(`/v1/products/${id}/images/${data[0].id}`)).status).toBe(410)
  })
})

test('adding and deleting an image emits product.updated with the image ids', async () => {
  const tenant = await harness.createTenant()
  const product = await create(tenant)
  harness.advance(5000)
  const [a, b] = [
    await add(tenant, product.id, { url: host.url('/a.png'), sort_order: 1 }),
    await add(tenant, product.id, { url: host.url('/b.png'), sort_order: 0 }),
  ]
  await tenant.delete(`/v1/products/${product.id}/images/${a.id}`)
  const now = (await tenant.get(`/v1/products/${product.id}`)).body
  expect(now.updated_at > product.updated_at).toBe(true)
  const events = (await tenant.get('/v1/events')).body.data.slice(0, 3).reverse()
  expect(events.map(({ type }: any) => type)).toEqual(Array(3).fill('product.updated'))
  expect(events.map(({ data }: any) => data.changes.images)).toEqual([
    { from: [], to: [a.id] },
    { from: [a.id], to: [b.id, a.id] },
    { from: [b.id, a.id], to: [b.id] },
  ])
  expect(events[2].data).toMatchObject(now)
})

test('serves only complete images', async () => {
  const { id } = await create(acme)
  const image = await add(acme, id, { url: host.url('/a.png') })
  const folder = join(harness.folder, 'assets')
  for (const name of [`${newId()}.png.partial`, `${newId()}.svg`, `${newId()}.html`, 'a.png']) {
    await writeFile(join(folder, name), IMAGES.png)
    expect((await serve(`/assets/${name}`)).status, name).toBe(404)
  }
  for (const name of [
    '',
    '..%2Fwaymark.db',
    `..%2Fassets%2F${image.id}.png`,
    `.%2F${image.id}.png`,
    `${image.id}`,
    `${image.id}.jpg`,
    `${image.id}.PNG`,
    `${image.id.toUpperCase()}.png`,
    `${image.id}.png%00`,
    `${image.id}.png/`,
    `${newId()}.png`,
    '%zz',
  ]) {
    const reply = await serve(`/assets/${name}`)
    expect(reply.status, name).toBe(404)
    expect(reply.headers.get('cache-control') ?? '', name).not.toMatch(/immutable/)
  }
  expect((await serve(pathOf(image), 'POST')).status).toBe(405)
  expect((await serve(pathOf(image), 'DELETE')).status).toBe(405)
  expect((await serve(`${pathOf(image)}?v=1`)).status).toBe(200)
})
