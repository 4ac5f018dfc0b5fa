import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data
const LISTS = {
  properties: [{ key: 'material', value: 'Oak' }],
  url_params: [{ key: 'utm_source', value: 'label' }],
}
const HERE = { destination: { url: 'https://acme.com/here' } }

const KINDS = [
  ['/v1/qr-codes', 'qr_code'],
  ['/v1/qr-groups', 'qr_group'],
] as const

describe.each(KINDS)('POST %s', (path, object) => {
  test('creates, or changes what has the external id already, and has no effect when it is repeated', async () => {
    const acme = await harness.createTenant()
    const sent = { external_id: 'sign 🚪 1', name: 'Door', ...LISTS, ...HERE }
    const created = await acme.post(path, sent)
    expect(created).toMatchObject({ status: 201, body: { external_id: 'sign 🚪 1', status: 'active' } })
    const one = `${path}/${created.body.id}`
    harness.advance(5000)
    const again = await acme.post(path, sent)
    expect(again).toMatchObject({ status: 200, body: created.body })
    expect(await eventsOf(acme)).toHaveLength(1)

    const changed = await acme.post(path, { external_id: 'sign 🚪 1', name: 'Gate', url_params: [] })
    expect(changed).toMatchObject({
      status: 200,
      body: { ...created.body, name: 'Gate', updated_at: expect.any(String) },
    })
    expect(changed.body.updated_at > created.body.updated_at).toBe(true)
    expect((await acme.get(one)).body).toEqual(changed.body)
    const [{ type, data }] = await eventsOf(acme)
    expect({ type, changes: data.changes }).toEqual({
      type: `${object}.updated`,
      changes: { name: { from: 'Door', to: 'Gate' }, url_params: { from: LISTS.url_params, to: [] } },
    })
    expect((await acme.get(`${one}/properties`)).body.data).toMatchObject(LISTS.properties)
    expect((await acme.get(`${one}/url-params`)).body.data).toEqual([])

    // Only its own organisation finds it, and it is free again once it is deleted.
    const other = await harness.createTenant()
    const filter = `${path}?external_id=${encodeURIComponent('sign 🚪 1')}`
    expect((await acme.get(filter)).body).toMatchObject({ total: 1, data: [{ id: created.body.id }] })
    expect((await acme.get(`${path}?external_id=unknown`)).body).toMatchObject({ total: 0, data: [] })
    expect((await other.get(filter)).body).toMatchObject({ total: 0, data: [] })
    expect((await other.post(path, sent)).status).toBe(201)
    await acme.delete(one)
    const anew = await acme.post(path, sent)
    expect(anew.status).toBe(201)
    expect(anew.body.id).not.toBe(created.body.id)
  })

  test('refuses an external id that is taken, and of concurrent requests one creates', async () => {
    const acme = await harness.createTenant()
    await acme.post(path, { external_id: 'a', name: 'Door' })
    const { body: other } = await acme.post(path, { external_id: 'b', name: 'Gate' })
    const taken = await acme.patch(`${path}/${other.id}`, { external_id: 'a' })
    expect(taken).toMatchObject({ status: 409, body: { details: { field: 'external_id', value: 'a' } } })
    expect((await acme.patch(`${path}/${other.id}`, { external_id: null })).body.external_id).toBeNull()
    for (const external_id of ['', 'x'.repeat(256), 5])
      expect((await acme.post(path, { external_id, name: 'Door' })).status).toBe(400)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => acme.post(path, { external_id: 'c', name: 'Shed', ...LISTS })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  })
})

test('a batch creates and changes codes by their external ids, and names the item that it refuses', async () => {
  const acme = await harness.createTenant()
  const { id: group } = (await acme.post('/v1/qr-groups', { name: 'Signs' })).body
  const items = [
    { external_id: 'a', name: 'Door', group_id: group, ...LISTS, ...HERE },
    { external_id: 'b', name: 'Gate' },
    { name: 'Shed' },
  ]
  const first = await acme.post('/v1/qr-codes/batch', { items })
  expect(first.status).toBe(201)
  const [door, gate, shed] = first.body.data
  expect((await scan(harness, `/${door.public_slug}`)).headers.get('location')).toBe(
    'https://acme.com/here?utm_source=label',
  )
  const again = await acme.post('/v1/qr-codes/batch', { items })
  expect(again.status).toBe(201)
  const known = items.slice(0, 2)
  const last = await acme.post('/v1/qr-codes/batch', { items: known })
  expect(last).toMatchObject({ status: 200, body: { data: [{ id: door.id }, gate] } })
  const types = (await eventsOf(acme)).map(({ type }) => type)
  expect(types.filter((type) => type !== 'qr_code.scanned' && type !== 'qr_group.created')).toEqual(
    Array(4).fill('qr_code.created'),
  )
  expect((await acme.get('/v1/qr-codes?search=Shed')).body.total).toBe(2)
  expect((await acme.get(`/v1/qr-codes/${shed.id}`)).body).toEqual(shed)

  await acme.post('/v1/qr-codes', { external_id: 'Lift-0042' })
  expect((await acme.get('/v1/qr-codes?search=lift-00')).body).toMatchObject({
    total: 1,
    data: [{ external_id: 'Lift-0042' }],
  })

  const foreign = newId()
  for (const [bad, status, field] of [
    [{ external_id: 'a' }, 400, 'external_id'],
    [{ group_id: foreign }, 422, 'group_id'],
    [{ destination: { page: foreign } }, 422, 'destination.page'],
    [{ properties: [{ key: '' }] }, 400, 'properties[0].key'],
  ] as const) {
    const { status: actual, body } = await acme.post('/v1/qr-codes/batch', { items: [{ external_id: 'a' }, bad] })
    expect(actual).toBe(status)
    const place = status === 400 ? Object.keys(body.details.fieldErrors)[0] : body.details.field
    expect(place).toBe(`items[1].${field}`)
  }
  const counted = await acme.post('/v1/qr-codes/batch', { count: 2, destination: { page: foreign } })
  expect(counted.body.details).toEqual({ field: 'destination.page', value: foreign })
  const shared = await acme.post('/v1/qr-codes/batch', { count: 2, ...LISTS })
  expect(shared.status).toBe(201)
  for (const { id } of shared.body.data)
    expect((await acme.get(`/v1/qr-codes/${id}/properties`)).body.data).toMatchObject(LISTS.properties)
  expect((await acme.post('/v1/qr-codes/batch', { count: 2, external_id: 'x' })).status).toBe(400)
})

test('a product takes its lists when it is created', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.post('/v1/products', { name: 'Chair', gtin: '9506000134352', ...LISTS, ...HERE })
  const below = `/v1/products/${body.id}`
  expect((await acme.get(`${below}/properties`)).body.data).toMatchObject(LISTS.properties)
  expect((await scan(harness, new URL(body.url).pathname)).headers.get('location')).toBe(
    'https://acme.com/here?utm_source=label',
  )
  await acme.patch(below, { url_params: [{ key: 'utm_source', value: 'box' }] })
  expect((await scan(harness, new URL(body.url).pathname)).headers.get('location')).toBe(
    'https://acme.com/here?utm_source=box',
  )
})
