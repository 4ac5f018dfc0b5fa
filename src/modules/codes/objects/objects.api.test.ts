import { expect, test } from 'vitest'
import type { Reply } from '../../../testing/client.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.waymark.example' } })

const create = async (tenant: Tenant, body: object = {}): Promise<any> => {
  const reply = await tenant.post('/v1/objects', { type: 'chair', ...body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data
const setupOf = async ({ orgId }: Tenant, { public_slug }: { public_slug: string }): Promise<any> => {
  const { rule } = await harness.service.database.read
    .selectFrom('scan_targets')
    .select('rule')
    .where('org_id', '=', orgId)
    .where('id', '=', `object:${public_slug}`)
    .executeTakeFirstOrThrow()
  return rule
}

function expectRefusal({ status, body }: Reply, field: string): void {
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
  expect(body.details.fieldErrors).toEqual({ [field]: [expect.any(String)] })
}

async function createDestination(tenant: Tenant, table: 'chatbots' | 'pages' | 'knowledge_bases') {
  if (table === 'knowledge_bases') return (await tenant.post('/v1/knowledge-bases', { name: 'Care' })).body
  if (table === 'pages') return (await tenant.post('/v1/pages', { title: 'Care', status: 'active' })).body
  return (await tenant.post('/v1/chatbots', { name: 'Care', status: 'active' })).body
}

test('returns texts as they were sent, in any script and at maximum length', async () => {
  const acme = await harness.createTenant()
  const sent = {
    type: `A${'z-9'.repeat(21)}`,
    external_id: ' '.concat('🪑'.repeat(254)),
    name: '\u202bكرسي القراءة\u202c 👩‍👩‍👧‍👦',
    description: '長'.repeat(2000),
    metadata: { 'ключ 🔑': ['\u2028', { نص: '"\\' }], constructor: 1, toString: null, '': [] },
  }
  const object = await create(acme, sent)
  expect(object).toMatchObject(sent)
  expect(object.url).toBe(`https://go.waymark.example/o/${object.public_slug}`)
  expect((await acme.get(`/v1/objects/${object.id}`)).body).toEqual(object)
  const query = `external_id=${encodeURIComponent(sent.external_id)}`
  expect((await acme.get(`/v1/objects?${query}`)).body).toMatchObject({ total: 1, data: [object] })
})

test('returns 400 naming the field for texts that are too long, empty or malformed', async () => {
  const acme = await harness.createTenant()
  const { id } = await create(acme)
  const bad = {
    type: ['', 'a'.repeat(65), 'arm chair', 'chair_1', 'стул', 'chair\n', 5, null],
    external_id: ['', 'a'.repeat(256), 5],
    name: ['', '  ', 'a'.repeat(201)],
    description: ['a'.repeat(2001), {}],
    is_active: ['true', 1, null],
    metadata: [null, [], 'text', 5],
  }
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      expectRefusal(await acme.post('/v1/objects', { type: 'chair', [field]: value }), field)
      expectRefusal(await acme.patch(`/v1/objects/${id}`, { [field]: value }), field)
    }
  }
  expect((await acme.post('/v1/objects', { name: 'Chair' })).body.details.fieldErrors).toEqual({ type: ['Required'] })
  expect((await acme.patch(`/v1/objects/${id}`, { properties: null })).status).toBe(400)
  expect((await acme.get('/v1/objects')).body.total).toBe(1)
})

test('limits metadata to 16 KiB of JSON in UTF-8', async () => {
  const acme = await harness.createTenant()
  const { id } = await create(acme)
  const sized = (bytes: number, letter: string) => ({
    text: letter.repeat((bytes - '{"text":""}'.length) / Buffer.byteLength(letter)),
  })
  const largest = sized(16 * 1024, 'a')
  expect((await acme.patch(`/v1/objects/${id}`, { metadata: largest })).body.metadata).toEqual(largest)
  expectRefusal(await acme.patch(`/v1/objects/${id}`, { metadata: sized(16 * 1024 + 1, 'a') }), 'metadata')
  expectRefusal(await acme.post('/v1/objects', { type: 'chair', metadata: sized(32 * 1024, 'я') }), 'metadata')
  const spaced = JSON.stringify({ metadata: largest }).replaceAll(':', ': '.padEnd(9000))
  expect((await acme.request('PATCH', `/v1/objects/${id}`, { body: spaced })).status).toBe(200)
})

test('refuses metadata that cannot be stored unchanged', async () => {
  const acme = await harness.createTenant()
  const send = (metadata: string) => acme.post('/v1/objects', `{"type":"chair","metadata":${metadata}}`)
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  expect((await send(nested(32))).body.metadata).toEqual(JSON.parse(nested(32)))
  for (const metadata of [
    nested(33),
    nested(5000),
    nested(200_000),
    '{"a":1e400}',
    '{"a":[-1e400]}',
    '{"__proto__":1}',
    '{"a":{"__proto__":{"b":1}}}',
  ]) {
    expectRefusal(await send(metadata), 'metadata')
  }
  expectRefusal(await acme.post('/v1/objects', `{"type":"chair","metadata":{"a":"\\u0000"}}`), 'metadata.a')
})

test('every change is published to the scan setup', async () => {
  const acme = await harness.createTenant()
  const object = await create(acme, {
    destination: { url: 'https://acme.com/käse' },
    url_params: [{ key: 'from', value: '🏷️' }],
  })
  const destination = { type: 'url', id: null, address: 'https://acme.com/k%C3%A4se' }
  const setup = { status: 'active', destination, params: [['from', '🏷️']], group: null }
  expect(await setupOf(acme, object)).toEqual(setup)
  await acme.patch(`/v1/objects/${object.id}`, { is_active: false })
  expect(await setupOf(acme, object)).toEqual({ ...setup, status: 'inactive', version: 2 })
  await acme.put(`/v1/objects/${object.id}/url-params`, { url_params: [{ key: 'b', value: '' }] })
  expect(await setupOf(acme, object)).toEqual({ ...setup, status: 'inactive', version: 2, params: [['b', '']] })
  await acme.patch(`/v1/objects/${object.id}`, { is_active: true, destination: null })
  expect(await setupOf(acme, object)).toEqual({ ...setup, destination: null, version: 3, params: [['b', '']] })
  await acme.delete(`/v1/objects/${object.id}`)
  expect(await setupOf(acme, object)).toBeNull()
  expect(await setupOf(acme, await create(acme, { is_active: false }))).toMatchObject({ status: 'inactive' })
})

test.each([
  ['chatbot', 'chatbots', '/c/'],
  ['page', 'pages', '/p/'],
  ['knowledge_base', 'knowledge_bases', '/kb/'],
] as const)('the destination can be a %s of the same organisation only', async (type, table, path) => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const { id: own, public_slug } = await createDestination(acme, table)
  const { id: foreign } = await createDestination(other, table)
  const object = await create(acme, { destination: { [type]: own } })
  const empty = { type: null, chatbot: null, page: null, knowledge_base: null, url: null }
  expect(object.destination).toEqual({ ...empty, type, [type]: own })
  expect((await setupOf(acme, object)).destination).toEqual({ type, id: own, address: path + public_slug })
  for (const refused of [
    await acme.post('/v1/objects', { type: 'chair', destination: { type, [type]: foreign } }),
    await acme.patch(`/v1/objects/${object.id}`, { destination: { [type]: foreign } }),
  ]) {
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ details: { field: `destination.${type}`, value: foreign } })
  }
  expect((await acme.get('/v1/objects')).body).toMatchObject({ total: 1, data: [object] })
})

test('a PATCH emits what changed, and returns 409 for an external id that is already in use', async () => {
  const acme = await harness.createTenant()
  await create(acme, { external_id: 'taken' })
  const object = await create(acme, { external_id: 'mine', name: 'Chair', metadata: { a: 1 } })
  harness.advance(1000)
  const refused = await acme.patch(`/v1/objects/${object.id}`, { external_id: 'taken', name: 'Stool' })
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ error: 'conflict', details: { field: 'external_id', value: 'taken' } })
  expect((await acme.get(`/v1/objects/${object.id}`)).body).toEqual(object)

  const change = { external_id: null, name: 'كرسي', destination: { url: 'https://acme.com/' }, metadata: { a: 1 } }
  const { body } = await acme.patch(`/v1/objects/${object.id}`, change)
  const destination = { ...object.destination, type: 'url', url: 'https://acme.com/' }
  expect(body).toEqual({ ...object, external_id: null, name: 'كرسي', destination, updated_at: body.updated_at })
  expect(body.updated_at > object.updated_at).toBe(true)
  expect((await acme.get('/v1/objects?search=mine')).body.total).toBe(0)
  expect((await acme.patch(`/v1/objects/${object.id}`, change)).body).toEqual(body)

  const events = await eventsOf(acme)
  expect(events.map(({ type }) => type)).toEqual(['object.updated', 'object.created', 'object.created'])
  expect(events[1].data).toEqual(object)
  expect(events[0].data).toEqual({
    ...body,
    changes: {
      external_id: { from: 'mine', to: null },
      name: { from: 'Chair', to: 'كرسي' },
      destination: { from: object.destination, to: destination },
    },
  })
})

test('deleting an object emits one event and deletes its lists', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const lists = { properties: [{ key: 'a', value: 'b' }], url_params: [{ key: 'a', value: 'b' }] }
  const { id } = await create(acme, lists)
  expect((await other.delete(`/v1/objects/${id}`)).status).toBe(404)
  expect((await acme.delete(`/v1/objects/${id}`)).status).toBe(204)
  for (const below of ['properties', 'url-params', 'scans', 'image']) {
    expect((await acme.get(`/v1/objects/${id}/${below}`)).status, below).toBe(410)
    expect((await other.get(`/v1/objects/${id}/${below}`)).status, below).toBe(404)
  }
  const [deleted, created] = await eventsOf(acme)
  expect(deleted).toMatchObject({ type: 'object.deleted' })
  expect(deleted.data).toEqual({ object: 'object', id, deleted: true, deleted_at: deleted.created_at })
  expect(created.type).toBe('object.created')
  const left = await harness.service.database.read
    .selectFrom('key_values')
    .select('id')
    .where('org_id', '=', acme.orgId)
    .execute()
  expect(left).toEqual([])
})

test('the QR code image encodes the printed URL', async () => {
  const acme = await harness.createTenant()
  const { id, public_slug, url } = await create(acme)
  const { body } = await acme.get(`/v1/objects/${id}/image?format=json`)
  expect(body).toMatchObject({ object: 'qr_code_image', object_id: id, public_slug, encoded_url: url })
  const svg = await acme.get(`/v1/objects/${id}/image`)
  expect(svg.headers.get('content-type')).toContain('image/svg+xml')
})
