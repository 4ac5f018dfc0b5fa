import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../platform/db/open.ts'
import { newId } from '../../../platform/ids/index.ts'
import { hostileUrls } from '../../../platform/outbound/testing/hostile-urls.ts'
import { readEverything } from '../../../testing/data/awkward/index.ts'
import { announcedBy as announced } from '../../../testing/engines/announcements.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'
import { ENDPOINTS_TOPIC, SUBSCRIPTIONS_TOPIC } from './index.ts'

/** No worker runs, so endpoints change only when a test changes them. */
const harness = useHarness({
  role: 'api',
  config: {
    outbound: { ports: [443], devAllow: ['localhost:3000'], dnsServers: ['127.0.0.1:1'] },
    webhookPrivateHosts: [{ name: 'hooks.acme.internal', ranges: ['10.1.2.3'] }],
  },
})

const URL = 'https://acme.com/hooks'
const EVENTS = ['qr_code.created', 'qr_code.scanned']
const create = (tenant: Tenant, body: object = {}) => harness.subscribe(tenant, EVENTS, { url: URL, ...body })
const get = async (tenant: Tenant, id: string) => (await tenant.get(`/v1/webhooks/${id}`)).body
const rowOf = ({ orgId }: Tenant, id: string) =>
  harness.service.database.read
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const subscriptionsOf = async ({ orgId }: Tenant, id: string) =>
  (
    await harness.service.database.read
      .selectFrom('event_subscriptions')
      .select('type')
      .where('org_id', '=', orgId)
      .where('endpoint_id', '=', id)
      .orderBy('type')
      .execute()
  ).map(({ type }) => type)
const open = (sealed: string) => harness.service.keyring.open(sealed, harness.service.database.read, harness.nowMs())
const setRow = ({ orgId }: Tenant, id: string, values: object) =>
  harness.service.database.write((tx) =>
    tx.updateTable('webhook_endpoints').set(values).where('org_id', '=', orgId).where('id', '=', id).execute(),
  )

const announcedBy = (work: () => Promise<unknown>) => announced(harness.service.database, work)

describe('an endpoint', () => {
  test('is active and has no description by default, and gets its subscriptions', async () => {
    const acme = await harness.createTenant()
    const { signing_secret, ...endpoint } = await create(acme)
    expect(endpoint).toEqual({
      object: 'webhook_endpoint',
      id: expect.any(String),
      url: URL,
      description: null,
      events: EVENTS,
      isActive: true,
      disabled_reason: null,
      created_at: expect.any(String),
      updated_at: endpoint.created_at,
    })
    expect(await get(acme, endpoint.id)).toEqual(endpoint)
    expect(await subscriptionsOf(acme, endpoint.id)).toEqual(EVENTS)
  })

  test.each([{ isActive: false }, { is_active: false }])('can be created paused, with %j', async (body) => {
    const acme = await harness.createTenant()
    const endpoint = await create(acme, { ...body, description: '' })
    expect(endpoint).toMatchObject({ isActive: false, disabled_reason: null, description: '' })
    expect(await subscriptionsOf(acme, endpoint.id), 'subscribed, so that deliveries are held').toEqual(EVENTS)
  })

  testOnce.each([
    ['url', { url: undefined }],
    ['url', { url: `https://acme.com/${'x'.repeat(2032)}` }],
    ['url', { url: 5 }],
    ['events', { events: undefined }],
    ['events', { events: [] }],
    ['events', { events: ['qr_code.created', 'qr_code.created'] }],
    ['events[1]', { events: ['qr_code.created', 'qr_code.invented'] }],
    ['events[0]', { events: ['webhook.test'] }],
    ['events[0]', { events: ['*'] }],
    ['events', { events: 'qr_code.created' }],
    ['description', { description: 'x'.repeat(501) }],
    ['isActive', { isActive: null }],
    ['isActive', { isActive: 'true' }],
    ['is_active', { is_active: null }],
    ['is_active', { isActive: true, is_active: true }],
  ])('returns 400 for an invalid %s and changes nothing: %j', async (field, body) => {
    const acme = await harness.createTenant()
    const endpoint = await create(acme)
    const refusal = { error: 'invalid_payload', details: { fieldErrors: { [field]: [expect.any(String)] } } }
    const created = await acme.post('/v1/webhooks', { url: URL, events: EVENTS, ...body })
    expect(created).toMatchObject({ status: 400, body: refusal })
    expect((await acme.get('/v1/webhooks')).body.total).toBe(1)
    if (Object.values(body).includes(undefined)) return
    expect(await acme.patch(`/v1/webhooks/${endpoint.id}`, body)).toMatchObject({ status: 400, body: refusal })
    expect(await get(acme, endpoint.id)).toMatchObject({ url: URL, updated_at: endpoint.updated_at })
  })

  test('accepts a URL of 2,048 characters, and one that devAllow exempts', async () => {
    const acme = await harness.createTenant()
    const long = `https://acme.com/${'x'.repeat(2031)}`
    expect(await create(acme, { url: long })).toMatchObject({ url: long })
    expect(await create(acme, { url: 'http://localhost:3000/hooks' })).toMatchObject({ isActive: true })
    expect((await acme.post('/v1/webhooks', { url: 'http://localhost:3001/', events: EVENTS })).status).toBe(400)
  })
})

testOnce('accepts a listed private host, for webhooks only', async () => {
  const acme = await harness.createTenant()
  const url = 'https://hooks.acme.internal/waymark'
  const endpoint = await create(acme, { url })
  expect(endpoint).toMatchObject({ url })
  expect((await acme.patch(`/v1/webhooks/${(await create(acme)).id}`, { url })).status).toBe(200)
  for (const wrong of ['http://hooks.acme.internal/', 'https://10.1.2.3/', 'https://erp.acme.internal/']) {
    expect((await acme.post('/v1/webhooks', { url: wrong, events: EVENTS })).status).toBe(400)
    expect((await acme.patch(`/v1/webhooks/${endpoint.id}`, { url: wrong })).status).toBe(400)
  }
  const { id } = (await acme.post('/v1/products', { name: 'Kettle' })).body
  const image = await acme.post(`/v1/products/${id}/images`, { url: 'https://hooks.acme.internal/kettle.png' })
  expect(image).toMatchObject({
    status: 400,
    body: { details: { fieldErrors: { url: ['Must name a public host such as acme.com'] } } },
  })
})

testOnce('every hostile URL returns 400 and changes nothing', async () => {
  const acme = await harness.createTenant()
  const { signing_secret: _, ...endpoint } = await create(acme)
  const urls = hostileUrls(443)
  expect(urls.length).toBeGreaterThan(200)
  for (const [n, url] of urls.entries()) {
    const replies = [await acme.post('/v1/webhooks', { url, events: EVENTS })]
    // A change is checked by the same schema, so some of them are enough.
    if (n % 10 === 0) replies.push(await acme.patch(`/v1/webhooks/${endpoint.id}`, { url, description: 'changed' }))
    for (const reply of replies) {
      expect({ url, status: reply.status, error: reply.body.error }).toEqual({
        url,
        status: 400,
        error: 'invalid_payload',
      })
      expect(Object.keys(reply.body.details.fieldErrors), url).toEqual(['url'])
    }
  }
  expect((await acme.get('/v1/webhooks')).body).toMatchObject({ total: 1, data: [endpoint] })
})

describe('the signing secret', () => {
  test('is returned only on creation and rotation, and is stored encrypted', async () => {
    const acme = await harness.createTenant()
    const [first, second] = [await create(acme), await create(acme)]
    expect(first.signing_secret).toMatch(/^whsec_[0-9a-f]{64}$/)
    expect(second.signing_secret).not.toBe(first.signing_secret)
    expect(await open((await rowOf(acme, first.id)).secret)).toBe(first.signing_secret)

    const key = { 'idempotency-key': 'once' }
    const rotated = (await acme.post(`/v1/webhooks/${first.id}/rotate-secret`, {}, key)).body
    const secrets = [first.signing_secret, second.signing_secret, rotated.signing_secret]
    const patched = await acme.patch(`/v1/webhooks/${first.id}`, { description: 'x' })
    const got = await acme.get(`/v1/webhooks/${first.id}`)
    const texts = [patched.text, got.text, (await acme.get('/v1/webhooks')).text, (await acme.get('/v1/events')).text]
    const opened = await openDatabase(harness.location)
    texts.push(JSON.stringify(await readEverything(opened)))
    await opened.close()
    for (const secret of secrets) {
      for (const text of texts) expect(text).not.toContain(secret.slice('whsec_'.length))
    }
  })

  test('is rotated: the old one is kept until the requested expiry, or dropped at once', async () => {
    const acme = await harness.createTenant()
    const { signing_secret: first, ...endpoint } = await create(acme)
    const rotate = async (body: object) => {
      harness.advance(1000)
      const reply = await acme.post(`/v1/webhooks/${endpoint.id}/rotate-secret`, body)
      expect(reply.status).toBe(200)
      return reply.body
    }
    const { signing_secret: second, ...rotated } = await rotate({})
    expect(rotated).toEqual({ ...endpoint, updated_at: rotated.updated_at })
    expect(Date.parse(rotated.updated_at)).toBeGreaterThan(Date.parse(endpoint.updated_at))
    let row = await rowOf(acme, endpoint.id)
    expect([await open(row.secret), await open(row.old_secret!)]).toEqual([second, first])
    expect(Date.parse(row.old_secret_expires_at!)).toBe(Date.parse(rotated.updated_at) + 86_400_000)

    const { signing_secret: third, updated_at } = await rotate({ expire_old_after_seconds: 60 })
    row = await rowOf(acme, endpoint.id)
    expect([await open(row.secret), await open(row.old_secret!)]).toEqual([third, second])
    expect(Date.parse(row.old_secret_expires_at!)).toBe(Date.parse(updated_at) + 60_000)

    const { signing_secret: fourth } = await rotate({ expire_old_after_seconds: 0 })
    row = await rowOf(acme, endpoint.id)
    expect(await open(row.secret)).toBe(fourth)
    expect(row).toMatchObject({ old_secret: null, old_secret_expires_at: null })
    expect(new Set([first, second, third, fourth]).size).toBe(4)
  })

  test.each([-1, 86_401, 1.5, '60', null])(
    'is not rotated with an expiry of %j seconds',
    async (expire_old_after_seconds) => {
      const acme = await harness.createTenant()
      const { id, signing_secret } = await create(acme)
      const reply = await acme.post(`/v1/webhooks/${id}/rotate-secret`, { expire_old_after_seconds })
      expect(reply.body).toMatchObject({ details: { fieldErrors: { expire_old_after_seconds: [expect.any(String)] } } })
      expect(await open((await rowOf(acme, id)).secret)).toBe(signing_secret)
    },
  )

  test('does not change when the endpoint is updated', async () => {
    const acme = await harness.createTenant()
    const { id, signing_secret } = await create(acme)
    const body = { url: 'https://acme.org/', events: ['product.created'], description: 'x', isActive: false }
    expect((await acme.patch(`/v1/webhooks/${id}`, body)).body).not.toHaveProperty('signing_secret')
    expect(await open((await rowOf(acme, id)).secret)).toBe(signing_secret)
  })
})

describe('a PATCH', () => {
  test('changes only the given fields', async () => {
    const acme = await harness.createTenant()
    const { signing_secret: _, ...endpoint } = await create(acme, { description: 'Orders' })
    const path = `/v1/webhooks/${endpoint.id}`
    let expected = endpoint
    for (const change of [
      { url: 'https://acme.org/hooks?a=b' },
      { events: ['product.deleted', 'qr_code.created'] },
      { description: null },
      { description: 'Returns' },
      { isActive: false },
    ]) {
      harness.advance(1000)
      const { body } = await acme.patch(path, change)
      expected = { ...expected, ...change, updated_at: body.updated_at }
      expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(endpoint.updated_at))
      expect(body).toEqual(expected)
      expect(await get(acme, endpoint.id)).toEqual(expected)
    }
    expect((await acme.patch(path, { is_active: true })).body).toMatchObject({ isActive: true })
  })

  test('with the current values changes nothing, not even updated_at', async () => {
    const acme = await harness.createTenant()
    const { signing_secret: _, ...endpoint } = await create(acme)
    await setRow(acme, endpoint.id, { failing_since: endpoint.created_at, failed_attempts: 3 })
    harness.advance(1000)
    const same = { url: URL, events: EVENTS, description: null, isActive: true }
    const announcements = await announcedBy(async () => {
      for (const body of [{}, same]) {
        expect((await acme.patch(`/v1/webhooks/${endpoint.id}`, body)).body).toEqual(endpoint)
      }
    })
    expect(announcements).toEqual([])
    expect(await rowOf(acme, endpoint.id)).toMatchObject({ failed_attempts: 3 })
  })

  test('replaces the subscriptions', async () => {
    const acme = await harness.createTenant()
    const [{ id }, other] = [await create(acme), await create(acme)]
    await acme.patch(`/v1/webhooks/${id}`, { events: ['product.created', 'qr_code.scanned'] })
    expect(await subscriptionsOf(acme, id)).toEqual(['product.created', 'qr_code.scanned'])
    expect(await subscriptionsOf(acme, other.id)).toEqual(EVENTS)
  })

  test('that resumes clears disabled_reason and failures; any other keeps them', async () => {
    const acme = await harness.createTenant()
    const { id, created_at } = await create(acme)
    const disabled = { is_active: false, disabled_reason: 'Gone', failing_since: created_at, failed_attempts: 10 }
    await setRow(acme, id, disabled)
    const path = `/v1/webhooks/${id}`
    expect((await acme.patch(path, { isActive: false, description: 'x' })).body).toMatchObject({
      isActive: false,
      disabled_reason: 'Gone',
    })
    expect(await rowOf(acme, id)).toMatchObject({ ...disabled, description: 'x' })
    expect((await acme.patch(path, { isActive: true })).body).toMatchObject({ isActive: true, disabled_reason: null })
    expect(await rowOf(acme, id)).toMatchObject({ failing_since: null, failed_attempts: 0 })
  })
})

test('deleting an endpoint deletes its subscriptions', async () => {
  const acme = await harness.createTenant()
  const [{ id }, other] = [await create(acme), await create(acme)]
  expect((await acme.delete(`/v1/webhooks/${id}`)).status).toBe(204)
  expect(await subscriptionsOf(acme, id)).toEqual([])
  expect(await subscriptionsOf(acme, other.id)).toEqual(EVENTS)
  for (const path of ['', '/deliveries', `/deliveries/${newId()}`]) {
    expect((await acme.get(`/v1/webhooks/${id}${path}`)).body.error).toBe('gone')
  }
})

test('changes of endpoints and subscriptions are announced, and reads are not', async () => {
  const acme = await harness.createTenant()
  const endpoints = `${ENDPOINTS_TOPIC} ${acme.orgId}`
  const both = [`${SUBSCRIPTIONS_TOPIC} ${acme.orgId}`, endpoints].sort()
  let id = ''
  const created = await announcedBy(async () => {
    id = (await create(acme)).id
  })
  expect(created).toEqual(both)
  const path = `/v1/webhooks/${id}`
  expect(await announcedBy(() => acme.patch(path, { description: 'x' }))).toEqual([endpoints])
  expect(await announcedBy(() => acme.patch(path, { events: ['product.created'] }))).toEqual(both)
  expect(await announcedBy(() => acme.post(`${path}/rotate-secret`, {}))).toEqual([endpoints])
  expect(await announcedBy(() => acme.patch(path, { isActive: false }))).toEqual([endpoints])
  expect(await announcedBy(() => acme.patch(path, { isActive: true }))).toEqual([`events ${acme.orgId}`, endpoints])
  expect(await announcedBy(() => acme.get(path))).toEqual([])
  expect(await announcedBy(() => acme.delete(path))).toEqual(both)
})

describe('at most 50 in an organisation', () => {
  test('exactly, even when 60 are created concurrently; deleting one makes room', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => acme.post('/v1/webhooks', { url: URL, events: EVENTS })),
    )
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(10)
    for (const { status, body } of refused) {
      expect({ status, error: body.error }).toEqual({ status: 422, error: 'unprocessable' })
      expect(body.message).toContain('at most 50')
    }
    const { total, data } = (await acme.get('/v1/webhooks?page_size=100')).body
    expect({ total, length: data.length }).toEqual({ total: 50, length: 50 })
    const { n } = await harness.service.database.read
      .selectFrom('event_subscriptions')
      .select((row) => row.fn.countAll<number>().as('n'))
      .where('org_id', '=', acme.orgId)
      .executeTakeFirstOrThrow()
    expect(Number(n), 'refused requests left no subscriptions').toBe(50 * EVENTS.length)

    expect((await create(other)).id).toBeDefined()
    await acme.delete(`/v1/webhooks/${data[0].id}`)
    expect((await acme.post('/v1/webhooks', { url: URL, events: EVENTS })).status).toBe(201)
    expect((await acme.post('/v1/webhooks', { url: URL, events: EVENTS })).status).toBe(422)
  })
})

describe('a credential with an OAuth grant', () => {
  const GRANT = 'grant-1'
  const withGrant = (tenant: Tenant, grant: string) =>
    harness.client(harness.scoped.issue(tenant.orgId, ['webhooks.manage'], grant))
  const idsOf = async (client: { get: Tenant['get'] }) => {
    const { total, data } = (await client.get('/v1/webhooks')).body
    expect(total).toBe(data.length)
    return data.map(({ id }: { id: string }) => id).sort()
  }

  test('sees the endpoints of its grant, regardless of which token created them, and the API key sees all', async () => {
    const acme = await harness.createTenant()
    const [token, refreshed, stranger] = [withGrant(acme, GRANT), withGrant(acme, GRANT), withGrant(acme, 'grant-2')]
    const own = [await harness.subscribe(token, EVENTS), await harness.subscribe(refreshed, EVENTS)].map(({ id }) => id)
    const [theirs, byKey] = [await harness.subscribe(stranger, EVENTS), await create(acme)]
    expect(await idsOf(token)).toEqual(own.toSorted())
    expect(await idsOf(refreshed)).toEqual(own.toSorted())
    expect(await idsOf(stranger)).toEqual([theirs.id])
    expect(await idsOf(acme)).toEqual([...own, theirs.id, byKey.id].sort())
    expect((await refreshed.patch(`/v1/webhooks/${own[0]}`, { description: 'x' })).status).toBe(200)
    expect((await acme.get(`/v1/webhooks/${own[0]}`)).body.description).toBe('x')
  })

  test('gets 404 for every other endpoint, existing or deleted, on every operation', async () => {
    const acme = await harness.createTenant()
    const [token, stranger] = [withGrant(acme, GRANT), withGrant(acme, 'grant-2')]
    const [theirs, byKey, deleted] = [await harness.subscribe(stranger, EVENTS), await create(acme), await create(acme)]
    await acme.delete(`/v1/webhooks/${deleted.id}`)
    const before = (await acme.get('/v1/webhooks')).text
    for (const id of [theirs.id, byKey.id, deleted.id, newId()]) {
      const test = (await acme.post(`/v1/webhooks/${id}/test`, {})).body
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { description: 'mine' }],
        ['DELETE', ''],
        ['POST', '/rotate-secret', {}],
        ['POST', '/test', {}],
        ['POST', '/replay', { from: '2026-01-01T00:00:00Z' }],
        ['GET', '/deliveries'],
        ['GET', `/deliveries/${test.id ?? newId()}`],
        ['POST', `/deliveries/${test.id ?? newId()}/replay`],
      ] as const) {
        const reply = await token.request(method, `/v1/webhooks/${id}${path}`, body && { body })
        expect({ path, status: reply.status, error: reply.body?.error }).toEqual({
          path,
          status: 404,
          error: 'not_found',
        })
      }
    }
    expect((await acme.get('/v1/webhooks')).text).toBe(before)
  })
})
