import { beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newIdAt } from '../../../platform/ids/index.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { findOwnTarget, productSlug, targetKey } from '../scan-targets/index.ts'
import { storeScans } from '../scans/index.ts'
import { toRecordedScan } from '../scans/testing/stored-scan.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.acme.com' } })
let acme: Tenant

beforeAll(async () => {
  acme = await harness.createTenant()
})

/** Each GTIN-14 with all its accepted forms. */
const NUMBERS = [
  ['09506000134352', ['9506000134352', '09506000134352']],
  ['00614141007349', ['614141007349', '0614141007349', '00614141007349']],
  ['00000040170725', ['40170725', '000040170725', '0000040170725', '00000040170725']],
  ['10614141007346', ['10614141007346']],
] as const
const GTIN = '9506000134352'
const GTIN_14 = '09506000134352'

const create = async (tenant: Tenant, body: object): Promise<any> => {
  const reply = await tenant.post('/v1/products', { name: 'Chair', ...body })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}
const names = async (tenant: Tenant, query: string) => {
  const { data, total } = (await tenant.get(`/v1/products?${query}`)).body
  return { total, names: data.map(({ name }: { name: string }) => name) }
}
const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data
const setupOf = async (tenant: Tenant, gtin: string) => {
  const key = targetKey('product', productSlug(tenant.orgId, gtin))
  return findOwnTarget(harness.service.database.read, tenant.orgId, key)
}

describe('a GTIN', () => {
  test.each(NUMBERS)('%s is stored as fourteen digits and found by every form', async (gtin14, forms) => {
    for (const sent of forms) {
      const tenant = await harness.createTenant()
      const product = await create(tenant, { gtin: sent })
      expect(product).toMatchObject({ gtin: gtin14, url: `https://go.acme.com/g/${tenant.slug}/01/${gtin14}` })
      for (const form of forms) {
        expect((await tenant.get(`/v1/products/by-gtin/${form}`)).body).toEqual(product)
      }
    }
  })

  test.each([
    ['a wrong check digit', '9506000134353'],
    ['a digit missing', '950600013435'],
    ['fifteen digits', '109506000134352'],
    ['nine digits', '950600013'],
    ['a letter', '950600013435x'],
    ['a space', '9506000134352 '],
    ['a dash', '9-506000-134352'],
    ['digits of another script', '٩٥٠٦٠٠٠١٣٤٣٥٢'],
    ['an empty string', ''],
    ['only zeros', '00000000'],
    ['a number', 9506000134352],
  ])('with %s returns 400 and changes nothing', async (_name, gtin) => {
    const tenant = await harness.createTenant()
    const product = await create(tenant, {})
    for (const reply of [
      await tenant.post('/v1/products', { name: 'Chair', gtin }),
      await tenant.patch(`/v1/products/${product.id}`, { gtin }),
    ]) {
      expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
      expect(Object.keys(reply.body.details.fieldErrors)).toEqual(['gtin'])
    }
    expect((await tenant.get('/v1/products')).body).toMatchObject({ total: 1, data: [product] })
  })

  test('is unique in its organisation in every form; a conflict reports it as it was sent', async () => {
    const tenant = await harness.createTenant()
    await create(tenant, { gtin: '40170725' })
    const other = await create(tenant, {})
    const conflict = (value: string) => ({
      status: 409,
      body: { error: 'conflict', details: { field: 'gtin', value } },
    })
    for (const gtin of NUMBERS[2][1]) {
      expect(await tenant.post('/v1/products', { name: 'Table', gtin })).toMatchObject(conflict(gtin))
      expect(await tenant.patch(`/v1/products/${other.id}`, { gtin })).toMatchObject(conflict(gtin))
    }
    expect((await tenant.get(`/v1/products/${other.id}`)).body).toEqual(other)
    expect(await eventsOf(tenant)).toHaveLength(2)
  })

  test('is given to only one of many concurrent requests', async () => {
    const tenant = await harness.createTenant()
    const forms = [...NUMBERS[2][1], ...NUMBERS[2][1]]
    const replies = await Promise.all(forms.map((gtin) => tenant.post('/v1/products', { name: 'Chair', gtin })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect((await tenant.get('/v1/products')).body.total).toBe(1)
  })

  test('is independent of other organisations', async () => {
    const [one, two] = [await harness.createTenant(), await harness.createTenant()]
    const ours = await create(one, { gtin: GTIN })
    expect(await two.get(`/v1/products/by-gtin/${GTIN}`)).toMatchObject({ status: 404, body: { error: 'not_found' } })
    const theirs = await create(two, { gtin: GTIN })
    expect((await one.get(`/v1/products/by-gtin/${GTIN}`)).body).toEqual(ours)
    expect((await two.get(`/v1/products/by-gtin/${GTIN}`)).body).toEqual(theirs)
  })

  test('in a path returns 400 when malformed and 404 with a wrong check digit', async () => {
    for (const text of ['1', 'x', '950600013435x', '950600013', '109506000134352', '9506000134352%20', '%00', ':id']) {
      expect(await acme.get(`/v1/products/by-gtin/${text}`)).toMatchObject({
        status: 400,
        body: { error: 'invalid_id' },
      })
    }
    for (const text of ['9506000134353', '00000000', '40170726']) {
      expect(await acme.get(`/v1/products/by-gtin/${text}`)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
    }
  })

  test('of a deleted product returns 404 and can be used by another product', async () => {
    const tenant = await harness.createTenant()
    const first = await create(tenant, { gtin: GTIN })
    expect((await tenant.delete(`/v1/products/${first.id}`)).status).toBe(204)
    expect((await tenant.get(`/v1/products/by-gtin/${GTIN}`)).status).toBe(404)
    expect((await tenant.get(`/v1/products/${first.id}`)).status).toBe(410)
    const second = await create(tenant, { gtin: GTIN })
    expect((await tenant.get(`/v1/products/by-gtin/${GTIN}`)).body).toEqual(second)
    expect(await setupOf(tenant, GTIN_14)).toMatchObject({ id: second.id, setup: { status: 'unconfigured' } })
  })

  test('that is cleared removes the URL and can be used by another product', async () => {
    const tenant = await harness.createTenant()
    const first = await create(tenant, { gtin: GTIN, destination: { url: 'https://acme.com/a' } })
    const cleared = (await tenant.patch(`/v1/products/${first.id}`, { gtin: null })).body
    expect(cleared).toMatchObject({ gtin: null, url: null, status: 'active' })
    expect((await tenant.get(`/v1/products/by-gtin/${GTIN}`)).status).toBe(404)
    const second = await create(tenant, {})
    expect((await tenant.patch(`/v1/products/${second.id}`, { gtin: GTIN_14 })).body).toMatchObject({ gtin: GTIN_14 })
    expect(await setupOf(tenant, GTIN_14)).toMatchObject({ id: second.id })
  })

  test('sent again in another form changes nothing', async () => {
    const tenant = await harness.createTenant()
    const product = await create(tenant, { gtin: GTIN })
    harness.advance(5000)
    expect((await tenant.patch(`/v1/products/${product.id}`, { gtin: GTIN_14 })).body).toEqual(product)
    expect(await eventsOf(tenant)).toHaveLength(1)
  })
})

describe('the scan setup', () => {
  test('is published under the current GTIN only', async () => {
    const tenant = await harness.createTenant()
    const product = await create(tenant, { destination: { url: 'https://acme.com/a' } })
    const path = `/v1/products/${product.id}`
    await tenant.put(`${path}/url-params`, { url_params: [{ key: 'utm_source', value: 'package' }] })
    await tenant.patch(path, { gtin: GTIN })
    const setup = { status: 'active', destination: { type: 'url', address: 'https://acme.com/a' } }
    expect(await setupOf(tenant, GTIN_14)).toMatchObject({
      id: product.id,
      setup: { ...setup, params: [['utm_source', 'package']] },
    })
    await tenant.patch(path, { gtin: '40170725', status: 'inactive' })
    expect(await setupOf(tenant, GTIN_14)).toMatchObject({ id: product.id, setup: null })
    expect(await setupOf(tenant, '00000040170725')).toMatchObject({ id: product.id, setup: { status: 'inactive' } })
    await tenant.delete(path)
    expect(await setupOf(tenant, '00000040170725')).toMatchObject({ id: product.id, setup: null })
  })
})

describe('a product', () => {
  test('can be created from a name alone', async () => {
    expect(await create(acme, { name: '  Oak chair ' })).toEqual({
      object: 'product',
      id: expect.any(String),
      name: 'Oak chair',
      gtin: null,
      description: null,
      status: 'unconfigured',
      destination: { chatbot: null, page: null, knowledge_base: null, url: null },
      destination_article_id: null,
      has_rules: false,
      metadata: {},
      url: null,
      total_scans: 0,
      last_scanned_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  test.each([
    ['no name', {}],
    ['a blank name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['a null name', { name: null }],
    ['a long description', { name: 'x', description: 'x'.repeat(2001) }],
    ['an unknown status', { name: 'x', status: 'paused' }],
    ['two destinations', { name: 'x', destination: { url: 'https://acme.com', page: newIdAt(0) } }],
  ])('with %s returns 400', async (_name, body) => {
    expect(await acme.post('/v1/products', body)).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
  })

  test('has a status that follows its destination, unless the request sets one', async () => {
    const destination = { url: 'https://acme.com/a' }
    expect(await create(acme, { destination })).toMatchObject({ status: 'active' })
    expect(await create(acme, { destination, status: 'inactive' })).toMatchObject({ status: 'inactive' })
    expect(await create(acme, { status: 'active' })).toMatchObject({ status: 'active' })
    const { id } = await create(acme, {})
    const patch = async (body: object) => (await acme.patch(`/v1/products/${id}`, body)).body.status
    expect(await patch({ destination })).toBe('active')
    expect(await patch({ status: 'archived' })).toBe('archived')
    expect(await patch({ destination: { url: 'https://acme.com/b' } })).toBe('archived')
    expect(await patch({ destination: null })).toBe('unconfigured')
  })

  test('accepts a destination with its type and returns it without', async () => {
    const { destination } = await create(acme, { destination: { type: 'url', url: 'https://acme.com/a' } })
    expect(destination).toEqual({ chatbot: null, page: null, knowledge_base: null, url: 'https://acme.com/a' })
  })

  test("is not created with a destination that is not the organisation's own", async () => {
    const tenant = await harness.createTenant()
    const page = newIdAt(0)
    const refused = await tenant.post('/v1/products', { name: 'Chair', destination: { page } })
    expect(refused).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', details: { field: 'destination.page', value: page } },
    })
    expect((await tenant.get('/v1/products')).body.total).toBe(0)
  })

  test('returns its metadata as it was sent, and replaces it as a whole', async () => {
    const metadata = { a: 1, b: [null, { c: 'ü' }], d: { e: false } }
    const { id } = await create(acme, { metadata })
    expect((await acme.get(`/v1/products/${id}`)).body.metadata).toEqual(metadata)
    expect((await acme.patch(`/v1/products/${id}`, { metadata: { f: 1.5 } })).body.metadata).toEqual({ f: 1.5 })
    expect((await acme.patch(`/v1/products/${id}`, { name: 'Table' })).body.metadata).toEqual({ f: 1.5 })
    expect((await acme.patch(`/v1/products/${id}`, { metadata: {} })).body.metadata).toEqual({})
  })

  test.each([
    ['one byte over 16 KiB', { a: 'x'.repeat(16 * 1024 - 7) }],
    ['over 16 KiB of multi-byte characters', { a: 'ü'.repeat(8 * 1024) }],
    ['a list instead of an object', []],
    ['null instead of an object', null],
    ['a string instead of an object', 'x'],
    ['a __proto__ key', '{"__proto__":1}'],
    ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['200,000 levels', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['a number that overflows', '{"a":1e999}'],
  ])('refuses metadata with %s', async (_name, metadata) => {
    const text = typeof metadata === 'string' && metadata.startsWith('{') ? metadata : JSON.stringify(metadata)
    const reply = await acme.post('/v1/products', `{"name":"Chair","metadata":${text}}`)
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    expect(Object.keys(reply.body.details.fieldErrors)).toEqual(['metadata'])
  })

  test('accepts metadata of 16 KiB, and of 32 levels', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)
    for (const metadata of [{ a: 'x'.repeat(16 * 1024 - 8) }, deep]) {
      expect((await create(acme, { metadata })).metadata).toEqual(metadata)
    }
  })

  test('has a QR code image of its URL; without a gtin it returns 422', async () => {
    const tenant = await harness.createTenant()
    const product = await create(tenant, {})
    const path = `/v1/products/${product.id}`
    expect(await tenant.get(`${path}/image`)).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', message: expect.stringMatching(/^Give the product a gtin first/) },
    })
    const { url } = (await tenant.patch(path, { gtin: GTIN })).body
    expect((await tenant.get(`${path}/image?format=json`)).body).toMatchObject({
      object: 'qr_code_image',
      product_id: product.id,
      gtin: GTIN_14,
      encoded_url: url,
    })
    expect((await tenant.get(`${path}/image?format=png`)).headers.get('content-type')).toBe('image/png')
  })

  test('has properties', async () => {
    const { id } = await create(acme, {})
    const properties = [{ key: 'material', value: 'Oak' }]
    const replaced = (await acme.put(`/v1/products/${id}/properties`, { properties })).body
    expect(replaced).toMatchObject({ total: 1, data: [{ object: 'product_property', key: 'material', value: 'Oak' }] })
    expect((await acme.get(`/v1/products/${id}/properties`)).body).toEqual(replaced)
  })

  test('emits events for every change, with the changed fields', async () => {
    const tenant = await harness.createTenant()
    const created = await create(tenant, { gtin: GTIN })
    const updated = (await tenant.patch(`/v1/products/${created.id}`, { name: 'Table', gtin: null })).body
    await tenant.put(`/v1/products/${created.id}/properties`, { properties: [{ key: 'a', value: 'b' }] })
    await tenant.delete(`/v1/products/${created.id}`)
    const [deleted, listed, changed, first] = await eventsOf(tenant)
    expect(first).toMatchObject({ type: 'product.created', data: created })
    expect(changed).toMatchObject({ type: 'product.updated', data: updated })
    expect(changed.data.changes).toEqual({
      name: { from: 'Chair', to: 'Table' },
      gtin: { from: GTIN_14, to: null },
      url: { from: created.url, to: null },
    })
    expect(listed.data.changes).toEqual({ properties: { from: [], to: [{ key: 'a', value: 'b' }] } })
    expect(deleted).toMatchObject({ type: 'product.deleted', data: { id: created.id, deleted: true } })
  })
})

describe('the list', () => {
  let shop: Tenant

  beforeAll(async () => {
    shop = await harness.createTenant()
    const chair = await create(shop, { name: 'chair', gtin: GTIN, status: 'active' })
    await create(shop, { name: 'Bench', description: 'Made of OAK', status: 'inactive' })
    const armchair = await create(shop, { name: 'Ärmchair', status: 'archived' })
    await create(shop, { name: 'Dresser' })
    await scan(chair.id, 1)
    await scan(armchair.id, 2)
  })

  async function scan(target_id: string, times: number): Promise<void> {
    const now = timestamp(harness.nowMs())
    const gs1 = { cpv: null, lot: 'L1', serial: null }
    const scans = Array.from({ length: times }, () =>
      toRecordedScan(shop.orgId, { target_kind: 'product', target_id, scanned_at: now, gs1 }),
    )
    await storeScans(harness.service.database, scans, now)
  }

  test.each([
    ['', ['Dresser', 'Bench', 'chair']],
    ['sort=name', ['Bench', 'chair', 'Dresser']],
    ['sort=scans', ['chair', 'Dresser', 'Bench']],
    ['status=archived', ['Ärmchair']],
    ['status=archived&sort=scans', ['Ärmchair']],
    ['status=inactive&sort=name', ['Bench']],
    ['status=active&sort=scans', ['chair']],
    ['search=chair', ['chair']],
    ['search=%C3%A4RMCH&status=archived', ['Ärmchair']],
    ['search=oak', ['Bench']],
    ['search=9506000134352', ['chair']],
    ['search=50600', ['chair']],
    ['search=e&sort=name', ['Bench', 'Dresser']],
    ['search=%25', []],
    ['search=', ['Dresser', 'Bench', 'chair']],
  ])('with "%s" has the matching products and their total', async (query, expected) => {
    expect(await names(shop, query)).toEqual({ total: expected.length, names: expected })
  })

  test('has a correct total after products change status and are deleted', async () => {
    const tenant = await harness.createTenant()
    const { id } = await create(tenant, { name: 'a' })
    await create(tenant, { name: 'b' })
    await tenant.patch(`/v1/products/${id}`, { status: 'archived' })
    expect(await names(tenant, '')).toEqual({ total: 1, names: ['b'] })
    await tenant.patch(`/v1/products/${id}`, { status: 'active' })
    expect(await names(tenant, 'status=active')).toEqual({ total: 1, names: ['a'] })
    await tenant.delete(`/v1/products/${id}`)
    expect(await names(tenant, '')).toEqual({ total: 1, names: ['b'] })
    expect(await names(tenant, 'status=active')).toEqual({ total: 0, names: [] })
  })

  test('shows scan counts, and each product lists its scans', async () => {
    const [chair] = (await shop.get('/v1/products?search=chair')).body.data
    expect(chair).toMatchObject({ total_scans: 1, last_scanned_at: expect.any(String) })
    const { data } = (await shop.get(`/v1/products/${chair.id}/scans`)).body
    expect(data).toMatchObject([{ object: 'scan', product_id: chair.id, gs1: { cpv: null, lot: 'L1', serial: null } }])
  })
})
