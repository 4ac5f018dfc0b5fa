import { expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data
const slugsOf = (tenant: Tenant) =>
  harness.service.database.read
    .selectFrom('scan_targets')
    .select(['id', 'target_id'])
    .where('org_id', '=', tenant.orgId)
    .execute()

test('creates an object from a type alone', async () => {
  const acme = await harness.createTenant()
  const { status, body } = await acme.post('/v1/objects', { type: 'chair' })
  expect(status).toBe(201)
  expect(body).toEqual({
    object: 'object',
    id: expect.any(String),
    type: 'chair',
    external_id: null,
    gs1_key: null,
    public_slug: expect.stringMatching(/^[2-9A-Za-z]{8}$/),
    url: expect.stringMatching(new RegExp(`/o/${body.public_slug}$`)),
    name: null,
    description: null,
    metadata: {},
    destination: { type: null, chatbot: null, page: null, knowledge_base: null, url: null },
    destination_article_id: null,
    has_rules: false,
    is_active: true,
    total_scans: 0,
    last_scanned_at: null,
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
})

test('a POST with a known external id changes only the fields that were sent', async () => {
  const acme = await harness.createTenant()
  const { body: first } = await acme.post('/v1/objects', {
    type: 'chair',
    external_id: 'chair-1',
    name: 'Reading chair',
    description: 'By the window',
    metadata: { material: 'oak', seats: 1 },
    destination: { url: 'https://acme.com/chairs' },
  })
  harness.advance(5000)
  const { status, body } = await acme.post('/v1/objects', {
    type: 'stool',
    external_id: 'chair-1',
    description: null,
    metadata: { seats: 2 },
    is_active: false,
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...first,
    type: 'stool',
    description: null,
    metadata: { seats: 2 },
    is_active: false,
    updated_at: body.updated_at,
  })
  expect(body.updated_at > first.updated_at).toBe(true)
  expect((await acme.get(`/v1/objects/${first.id}`)).body).toEqual(body)

  const [updated, created] = await eventsOf(acme)
  expect(created).toMatchObject({ type: 'object.created', data: first })
  expect(updated).toMatchObject({ type: 'object.updated', data: body })
  expect(updated.data.changes).toEqual({
    type: { from: 'chair', to: 'stool' },
    description: { from: 'By the window', to: null },
    metadata: { from: { material: 'oak', seats: 1 }, to: { seats: 2 } },
    is_active: { from: true, to: false },
  })
})

test('a POST with a known external id replaces the lists that were sent and keeps the others', async () => {
  const acme = await harness.createTenant()
  const list = async (id: string, name: string) => (await acme.get(`/v1/objects/${id}/${name}`)).body.data
  const { body: object } = await acme.post('/v1/objects', {
    type: 'chair',
    external_id: 'chair-1',
    properties: [
      { key: 'material', value: 'Oak' },
      { key: 'colour', value: 'Brown' },
    ],
    url_params: [{ key: 'from', value: 'label' }],
  })
  const [material] = await list(object.id, 'properties')
  const [param] = await list(object.id, 'url-params')
  const { body } = await acme.post('/v1/objects', {
    type: 'chair',
    external_id: 'chair-1',
    name: 'Stool',
    properties: [{ key: 'material', value: 'Ash' }],
  })
  expect(await list(object.id, 'properties')).toEqual([
    { ...material, value: 'Ash', updated_at: expect.any(String), object: 'object_property' },
  ])
  expect(await list(object.id, 'url-params')).toEqual([param])
  const [updated, created, ...more] = await eventsOf(acme)
  expect(more).toEqual([])
  expect(created.data).toEqual(object)
  expect(updated.data).toEqual({
    ...body,
    changes: {
      name: { from: null, to: 'Stool' },
      properties: {
        from: [
          { key: 'material', value: 'Oak' },
          { key: 'colour', value: 'Brown' },
        ],
        to: [{ key: 'material', value: 'Ash' }],
      },
    },
  })
})

test('repeating a POST returns 200, emits no event and keeps updated_at', async () => {
  const acme = await harness.createTenant()
  const sent = {
    type: 'chair',
    external_id: 'chair-1',
    metadata: { zero: -0, tiny: 5e-324, huge: 1e21, nested: { list: [1.5, null, '🪑'] } },
    properties: [{ key: 'material', value: 'Oak' }],
    url_params: [],
  }
  const text = JSON.stringify(sent).replace('"zero":0', '"zero":-0')
  const { body: first } = await acme.post('/v1/objects', text)
  harness.advance(5000)
  const again = await acme.post('/v1/objects', text)
  expect(again.status).toBe(200)
  expect(again.body).toEqual(first)
  expect(await eventsOf(acme)).toHaveLength(1)
})

test('a repeated Idempotency-Key replays the 200 even after later changes', async () => {
  const acme = await harness.createTenant()
  const chair = { type: 'chair', external_id: 'chair-1' }
  const key = { 'idempotency-key': 'once' }
  const { body: first } = await acme.post('/v1/objects', chair)
  const changed = await acme.post('/v1/objects', { ...chair, name: 'One' }, key)
  await acme.patch(`/v1/objects/${first.id}`, { name: 'Two' })
  const replayed = await acme.post('/v1/objects', { ...chair, name: 'One' }, key)
  expect({ status: replayed.status, text: replayed.text }).toEqual({ status: 200, text: changed.text })
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect((await acme.get(`/v1/objects/${first.id}`)).body.name).toBe('Two')
})

test('of concurrent POSTs with the same new external id one creates and the others update', async () => {
  const acme = await harness.createTenant()
  for (let round = 0; round < 5; round++) {
    const external_id = `chair-${round}`
    const names = Array.from({ length: 8 }, (_, n) => `Chair ${n}`)
    const replies = await Promise.all(
      names.map((name, n) =>
        acme.post(
          '/v1/objects',
          { type: 'chair', external_id, name, url_params: [{ key: 'n', value: String(n) }] },
          n % 2 === 0 ? { 'idempotency-key': `${round} ${n}` } : undefined,
        ),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([...names.slice(1).map(() => 200), 201])
    expect(replies.map(({ body }) => body.name)).toEqual(names)
    expect(new Set(replies.map(({ body }) => `${body.id} ${body.public_slug}`)).size).toBe(1)
  }
  expect((await acme.get('/v1/objects')).body.total).toBe(5)
  const { data } = (await acme.get('/v1/objects?page_size=100')).body
  const published = data.map(({ id, public_slug }: any) => ({ id: `object:${public_slug}`, target_id: id }))
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  // A slug claimed for an object that was never created would be lost.
  expect((await slugsOf(acme)).sort(byId)).toEqual(published.sort(byId))
  // No change was lost: there is one event for the creation and one for each update.
  const summaries = (await eventsOf(acme)).map(({ type, data }) => [type, data.external_id, data.name].join(' '))
  expect(summaries).toHaveLength(40)
  expect(new Set(summaries.map((words) => words.replace(/^object\.\w+/, ''))).size).toBe(40)
  expect(summaries.filter((words) => words.startsWith('object.created'))).toHaveLength(5)
})

test('concurrent changes to different fields are all kept', async () => {
  const acme = await harness.createTenant()
  for (let round = 0; round < 5; round++) {
    const chair = { type: 'chair', external_id: `chair-${round}` }
    const { body: first } = await acme.post('/v1/objects', chair)
    const changes = [
      { name: 'Reading chair' },
      { description: 'By the window' },
      { metadata: { material: 'oak' } },
      { is_active: false },
    ]
    await Promise.all(changes.map((change) => acme.post('/v1/objects', { ...chair, ...change })))
    const { body } = await acme.get(`/v1/objects/${first.id}`)
    expect(body).toMatchObject(Object.assign({}, ...changes))
  }
})

test('creates a new object without an external id, and with one that only another organisation has', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const ids = new Set<string>()
  for (const [tenant, external_id] of [
    [acme, undefined],
    [acme, null],
    [acme, 'chair-1'],
    [other, 'chair-1'],
    [acme, 'Chair-1'],
    [acme, ' chair-1'],
    [acme, 'café'],
    [acme, 'café'.normalize('NFD')],
  ] as const) {
    const { status, body } = await tenant.post('/v1/objects', { type: 'chair', external_id })
    expect(status, String(external_id)).toBe(201)
    expect(body.external_id).toBe(external_id ?? null)
    ids.add(body.id)
  }
  expect(ids.size).toBe(8)
})

test('an external id can be reused after its object was deleted or renamed', async () => {
  const acme = await harness.createTenant()
  const chair = { type: 'chair', external_id: 'chair-1' }
  const { body: first } = await acme.post('/v1/objects', chair)
  await acme.delete(`/v1/objects/${first.id}`)
  const second = await acme.post('/v1/objects', chair)
  expect(second.status).toBe(201)
  await acme.patch(`/v1/objects/${second.body.id}`, { external_id: 'chair-2' })
  const third = await acme.post('/v1/objects', chair)
  expect(third.status).toBe(201)
  expect(new Set([first, second.body, third.body].map(({ public_slug }) => public_slug)).size).toBe(3)
})

test('a refused POST changes nothing', async () => {
  const acme = await harness.createTenant()
  const { body: first } = await acme.post('/v1/objects', { type: 'chair', external_id: 'chair-1' })
  const refused = await acme.post('/v1/objects', {
    type: 'stool',
    external_id: 'chair-1',
    properties: [{ key: 'a', value: 'b' }],
    destination: { page: first.id },
  })
  expect(refused.status).toBe(422)
  expect(refused.body.details).toEqual({ field: 'destination.page', value: first.id })
  expect((await acme.get(`/v1/objects/${first.id}`)).body).toEqual(first)
  expect((await acme.get(`/v1/objects/${first.id}/properties`)).body.total).toBe(0)
  expect(await eventsOf(acme)).toHaveLength(1)
})
