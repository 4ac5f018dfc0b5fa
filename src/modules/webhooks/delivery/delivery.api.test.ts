/** The whole service delivers to a real receiver on loopback. */
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useReceivingHarness } from '../../../testing/harness.ts'
import { isSignedBy } from '../../../testing/world/webhook-receiver.ts'

/** The tests wait for many retries. */
const { harness, receiver } = await useReceivingHarness({ overrides: { deliveryPollMs: 50 } })
let tenant: Tenant
let paths = 0

/**
 * From a failed first attempt to its retry. Longer than a lease, because the worker takes an expired lease at once; one with
 * too little time left must first be renewed.
 */
const RETRY_MS = 30 * SECOND_MS

beforeEach(async () => {
  receiver.reply = 200
  receiver.openMax = 0
  tenant = await harness.createTenant()
})

/** Creates an endpoint with a unique path at the receiver. */
async function subscribe(events = ['qr_group.created'], more: object = {}) {
  const path = `/hook-${++paths}`
  const endpoint = await harness.subscribe(tenant, events, { url: receiver.url(path), ...more })
  const base = `/v1/webhooks/${endpoint.id}`
  return {
    path,
    endpoint,
    arrived: () => receiver.at(path),
    ids: () => receiver.at(path).map(({ delivery }) => delivery),
    patch: async (changes: object) => expect(await tenant.patch(base, changes)).toMatchObject({ status: 200 }),
    get: async () => (await tenant.get(base)).body,
    deliveries: async (query = '') => (await tenant.get(`${base}/deliveries?limit=100${query}`)).body.data,
    delivery: async (id: string) => (await tenant.get(`${base}/deliveries/${id}`)).body,
    post: (path: string, body?: object) => tenant.post(`${base}${path}`, body),
  }
}

const createGroup = async (name = 'Spring') => (await tenant.post('/v1/qr-groups', { name })).body
/** Waits until the latest delivery of the endpoint has had this many attempts. */
const attempted = async (endpoint: Awaited<ReturnType<typeof subscribe>>, count: number) => {
  // Costs nothing, unlike asking the API again and again.
  await eventually(() => endpoint.arrived().length >= count)
  await eventually(async () => (await endpoint.deliveries())[0]?.attempt_count === count)
  return endpoint.delivery((await endpoint.deliveries())[0].id)
}

/** Reads the row: the health of an endpoint is stored once a second. */
const healthOf = ({ endpoint }: Awaited<ReturnType<typeof subscribe>>) =>
  harness.service.database.kysely
    .selectFrom('webhook_endpoints')
    .select(['failed_attempts', 'failing_since'])
    .where('org_id', '=', tenant.orgId)
    .where('id', '=', endpoint.id)
    .executeTakeFirstOrThrow()

describe('an event', () => {
  test('arrives once at each subscribed endpoint, signed, with the body that its GET returns', async () => {
    const [one, other, unsubscribed] = [await subscribe(), await subscribe(), await subscribe(['qr_group.deleted'])]
    const group = await createGroup('Frühling 🌳 ربيع')
    await eventually(() => one.arrived().length === 1 && other.arrived().length === 1)
    for (const { arrived, endpoint, delivery } of [one, other]) {
      const [received] = arrived()
      expect(JSON.parse(received!.body)).toEqual((await tenant.get(`/v1/qr-groups/${group.id}`)).body)
      expect(received!.event).toBe('qr_group.created')
      expect(received!.headers).toMatchObject({ 'content-type': 'application/json' })
      expect(isSignedBy(received!, endpoint.signing_secret)).toBe(true)
      await eventually(async () => (await delivery(received!.delivery)).status === 'delivered')
      expect(await delivery(received!.delivery)).toMatchObject({
        event: 'qr_group.created',
        attempt_count: 1,
        next_attempt_at: null,
        payload: JSON.parse(received!.body),
        attempts: [{ number: 1, status: 200, error: null, response_body: '' }],
      })
    }
    expect(one.ids()).not.toEqual(other.ids())
    expect(unsubscribed.arrived()).toEqual([])
  })

  test('of a scan arrives as GET /scans lists it', async () => {
    const hook = await subscribe(['qr_code.scanned'])
    const { body: code } = await tenant.post('/v1/qr-codes', { destination: { type: 'url', url: 'https://acme.com/' } })
    const response = await fetch(`${harness.baseUrl}/${code.public_slug}`, { redirect: 'manual' })
    expect(response.status).toBe(302)
    await eventually(() => hook.arrived().length === 1)
    const { body: scans } = await tenant.get('/v1/scans')
    expect(JSON.parse(hook.arrived()[0]!.body)).toEqual(scans.data[0])
  })

  test('of another organisation does not arrive', async () => {
    const hook = await subscribe()
    const stranger = await harness.createTenant()
    await stranger.post('/v1/qr-groups', { name: 'Theirs' })
    const own = await createGroup()
    await eventually(() => hook.arrived().length === 1)
    expect(JSON.parse(hook.arrived()[0]!.body).id).toBe(own.id)
  })

  test('arrives in nearly the order of the events, at most eight at a time', async () => {
    const hook = await subscribe()
    receiver.reply = (response) => setTimeout(() => response.end(), 20)
    const names = Array.from({ length: 40 }, (_, index) => `Group ${index}`)
    for (const name of names) await createGroup(name)
    await eventually(() => hook.arrived().length === 40)
    const order = hook.arrived().map(({ body }) => names.indexOf(JSON.parse(body).name))
    for (const [index, at] of order.entries()) expect(Math.abs(at - index)).toBeLessThan(16)
    expect(receiver.openMax).toBeLessThanOrEqual(8)
  })
})

describe('a receiver that fails', () => {
  test('gets retries with the same ID and body and a new signature until it accepts', async () => {
    const hook = await subscribe()
    receiver.reply = (response) => response.writeHead(500).end('broken \0 down')
    await createGroup()
    const failed = await attempted(hook, 1)
    expect(failed).toMatchObject({
      status: 'pending',
      delivered_at: null,
      attempts: [{ number: 1, status: 500, error: null, response_body: 'broken \ufffd down' }],
    })
    receiver.reply = 204
    harness.advance(RETRY_MS)
    expect(await attempted(hook, 2)).toMatchObject({ status: 'delivered', attempts: [{}, { number: 2, status: 204 }] })
    const [first, second] = hook.arrived()
    expect(second).toMatchObject({ delivery: first!.delivery, body: first!.body })
    expect(second!.headers['x-service-timestamp']).not.toBe(first!.headers['x-service-timestamp'])
    for (const received of [first!, second!]) expect(isSignedBy(received, hook.endpoint.signing_secret)).toBe(true)
  })

  test('and works again gets what waits at once when the pending deliveries are replayed', async () => {
    const hook = await subscribe()
    receiver.reply = 503
    await createGroup()
    const { id } = await attempted(hook, 1)
    receiver.reply = 200
    const from = timestamp(harness.nowMs() - HOUR_MS)
    expect((await hook.post('/replay', { from, status: 'pending' })).body).toMatchObject({ replayed: 1 })
    expect(await attempted(hook, 2)).toMatchObject({ id, status: 'delivered' })
  })

  test('for a weekend accepts every delivery once on Monday', async () => {
    const hook = await subscribe()
    receiver.reply = 503
    await createGroup()
    for (const [index, wait] of [RETRY_MS, 24 * HOUR_MS, 24 * HOUR_MS].entries()) {
      await attempted(hook, index + 1)
      harness.advance(wait)
    }
    await attempted(hook, 4)
    for (let index = 0; index < 5; index++) await createGroup()
    receiver.reply = 200
    harness.advance(12 * HOUR_MS)
    await eventually(async () => (await hook.deliveries('&status=delivered')).length === 6)
    expect(new Set(hook.ids()).size).toBe(6)
    const arrivals = new Map<string, number>()
    for (const id of hook.ids()) arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
    for (const { id, attempt_count } of await hook.deliveries()) expect(arrivals.get(id)).toBe(attempt_count)
  })

  test('ten times gets no more attempts until a replay', async () => {
    const hook = await subscribe()
    receiver.reply = 500
    await createGroup()
    for (let attempt = 1; attempt < 10; attempt++) {
      // Not later: an endpoint whose attempts have all failed for five days is disabled, and the replay would wait.
      const { next_attempt_at } = await attempted(hook, attempt)
      harness.advance(Date.parse(next_attempt_at) - harness.nowMs())
    }
    const { status, id } = await attempted(hook, 10)
    expect(status).toBe('failed')
    receiver.reply = 200
    expect((await hook.post(`/deliveries/${id}/replay`)).status).toBe(200)
    expect(await attempted(hook, 11)).toMatchObject({ status: 'delivered' })
    expect(new Set(hook.ids())).toEqual(new Set([id]))
  })

  test('with Retry-After gets no attempt before that time', async () => {
    const hook = await subscribe()
    receiver.reply = (response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    await createGroup()
    const { next_attempt_at } = await attempted(hook, 1)
    expect(Date.parse(next_attempt_at) - harness.nowMs()).toBeGreaterThan(3500 * SECOND_MS)
  })

  test('with 410 disables the endpoint, and gets the held deliveries when it is resumed', async () => {
    const hook = await subscribe()
    receiver.reply = 410
    await createGroup()
    await eventually(async () => !(await hook.get()).isActive)
    expect((await hook.get()).disabled_reason).toMatch(/410/)
    const [entry] = (await tenant.get('/v1/audit-log?action=webhook_endpoint.disabled')).body.data
    expect(entry).toMatchObject({
      actor: { type: 'system', id: null },
      changes: { isActive: { from: true, to: false } },
    })
    await createGroup()
    expect((await hook.deliveries('&status=held')).length).toBe(2)
    receiver.reply = 200
    await hook.patch({ isActive: true })
    expect(await hook.get()).toMatchObject({ isActive: true, disabled_reason: null })
    await eventually(async () => (await hook.deliveries('&status=delivered')).length === 2)
  })

  test('with a redirect is not followed, and a huge response is truncated', async () => {
    const hook = await subscribe()
    receiver.reply = (response) => response.writeHead(302, { location: receiver.url('/elsewhere') }).end()
    await createGroup()
    expect(await attempted(hook, 1)).toMatchObject({ attempts: [{ status: 302 }] })
    expect(receiver.at('/elsewhere')).toEqual([])
    receiver.reply = (response) => response.end('x'.repeat(10_000_000))
    harness.advance(RETRY_MS)
    const { attempts, status } = await attempted(hook, 2)
    expect(status).toBe('delivered')
    expect(attempts[1].response_body).toBe('x'.repeat(2048))
  })

  test('and recovers before its failure is stored is not failing, although it was changed meanwhile', async () => {
    const hook = await subscribe()
    receiver.reply = 500
    const { id } = await createGroup()
    await eventually(() => hook.arrived().length === 1)
    await hook.patch({ description: 'Loaded again' })
    receiver.reply = 200
    harness.advance(RETRY_MS)
    await eventually(async () => (await hook.deliveries('&status=delivered')).length === 1)
    // Stored after it.
    const control = await subscribe(['qr_group.deleted'])
    receiver.reply = 500
    await tenant.delete(`/v1/qr-groups/${id}`)
    await eventually(async () => (await healthOf(control)).failed_attempts === 1)
    expect(await healthOf(hook)).toEqual({ failed_attempts: 0, failing_since: null })
  })

  test('for five days is disabled with a reason; one that succeeds in between is not', async () => {
    const [hook, flaky] = [await subscribe(), await subscribe()]
    const arrive = (count: number) =>
      eventually(() => hook.arrived().length >= count && flaky.arrived().length >= count)
    const failures = async () => (await healthOf(flaky)).failed_attempts
    receiver.reply = 500
    for (let index = 0; index < 10; index++) await createGroup()
    await eventually(async () => (await failures()) >= 10)
    receiver.reply = (response, { path }) => response.writeHead(path === flaky.path ? 200 : 500).end()
    harness.advance(RETRY_MS)
    await arrive(20)
    await eventually(async () => (await failures()) === 0)
    expect(await hook.get()).toMatchObject({ isActive: true })

    receiver.reply = 500
    harness.advance(5 * DAY_MS)
    for (let index = 0; index < 10; index++) await createGroup()
    await eventually(async () => !(await hook.get()).isActive)
    expect((await hook.get()).disabled_reason).toMatch(/^Every attempt has failed since /)
    await eventually(async () => (await failures()) >= 10)
    expect(await flaky.get()).toMatchObject({ isActive: true })
  })
})

describe('an endpoint', () => {
  test('that is paused gets nothing; once resumed, it gets the held deliveries, oldest first', async () => {
    const hook = await subscribe()
    await hook.patch({ isActive: false })
    const names = Array.from({ length: 12 }, (_, index) => `Held ${index}`)
    for (const name of names) await createGroup(name)
    const held = await hook.deliveries()
    expect(held.map(({ status, next_attempt_at }: any) => [status, next_attempt_at])).toEqual(
      names.map(() => ['held', null]),
    )
    // A delivery to another endpoint proves that the worker ran in the meantime.
    const active = await subscribe()
    await createGroup()
    await eventually(() => active.arrived().length === 1)
    expect(hook.arrived()).toEqual([])
    await hook.patch({ isActive: true })
    await eventually(() => hook.arrived().length === 13)
    expect(JSON.parse(hook.arrived()[0]!.body).name).toBe('Held 0')
  })

  test('that changes its URL gets the next attempt at the new URL', async () => {
    const [hook, newPath] = [await subscribe(), `/moved-${paths}`]
    receiver.reply = 500
    await createGroup()
    await attempted(hook, 1)
    receiver.reply = 200
    await hook.patch({ url: receiver.url(newPath) })
    harness.advance(RETRY_MS)
    await eventually(() => receiver.at(newPath).length === 1)
    expect(receiver.at(newPath)[0]!.delivery).toBe(hook.ids()[0])
  })

  test('that is deleted gets nothing more', async () => {
    const hook = await subscribe()
    receiver.reply = 500
    await createGroup()
    await attempted(hook, 1)
    expect((await tenant.delete(`/v1/webhooks/${hook.endpoint.id}`)).status).toBe(204)
    harness.advance(RETRY_MS)
    const other = await subscribe()
    receiver.reply = 200
    await createGroup()
    await eventually(() => other.arrived().length === 1)
    expect(hook.arrived()).toHaveLength(1)
  })

  test('whose secret is rotated gets both signatures, until the old one expires', async () => {
    const hook = await subscribe()
    const { body: rotated } = await hook.post('/rotate-secret', { expire_old_after_seconds: 60 })
    const secrets = [rotated.signing_secret, hook.endpoint.signing_secret]
    await createGroup()
    await eventually(() => hook.arrived().length === 1)
    for (const secret of secrets) expect(isSignedBy(hook.arrived()[0]!, secret)).toBe(true)
    harness.advance(61 * SECOND_MS)
    await createGroup()
    await eventually(() => hook.arrived().length === 2)
    expect(secrets.map((secret) => isSignedBy(hook.arrived()[1]!, secret))).toEqual([true, false])
  })

  test('gets a test once, even while it is paused', async () => {
    const hook = await subscribe()
    await hook.patch({ isActive: false })
    receiver.reply = 500
    const { body: test } = await hook.post('/test', {})
    await eventually(async () => (await hook.delivery(test.id)).status === 'failed')
    expect(hook.arrived()[0]).toMatchObject({ event: 'webhook.test', delivery: test.id })
    const { body: sample } = await hook.post('/test', { event: 'product.scanned' })
    await eventually(() => hook.arrived().length === 2)
    expect(hook.arrived()[1]).toMatchObject({ event: 'product.scanned', delivery: sample.id })
    expect(isSignedBy(hook.arrived()[1]!, hook.endpoint.signing_secret)).toBe(true)
  })

  test('gets replayed deliveries again with the same IDs', async () => {
    const hook = await subscribe()
    for (let index = 0; index < 5; index++) await createGroup()
    await eventually(async () => (await hook.deliveries('&status=delivered')).length === 5)
    const ids = new Set(hook.ids())
    const from = new Date(harness.nowMs() - HOUR_MS).toISOString()
    const { body } = await hook.post('/replay', { from, status: 'delivered' })
    expect(body).toMatchObject({ replayed: 5, has_more: false })
    await eventually(() => hook.arrived().length === 10)
    expect(new Set(hook.ids())).toEqual(ids)
  })
})

describe('fairness', () => {
  test('an endpoint that hangs delays no other endpoint, in its organisation or another', async () => {
    const hanging = await subscribe()
    const open: ServerResponse[] = []
    receiver.reply = (response, { path }) => {
      if (path === hanging.path) open.push(response)
      else response.end()
    }
    for (let index = 0; index < 40; index++) await createGroup()
    await eventually(() => hanging.arrived().length === 8)
    const neighbour = await subscribe()
    await createGroup()
    await eventually(() => neighbour.arrived().length === 1)
    tenant = await harness.createTenant()
    const stranger = await subscribe()
    await createGroup()
    await eventually(() => stranger.arrived().length === 1)
    expect(hanging.arrived()).toHaveLength(8)
    // A service that stops would wait for them.
    receiver.reply = 200
    for (const response of open) response.end()
  })
})

describe('a service that stops', () => {
  test('leaves unsent deliveries to the next one', async () => {
    const hook = await subscribe()
    await hook.patch({ isActive: false })
    for (let index = 0; index < 20; index++) await createGroup()
    await hook.patch({ isActive: true })
    await eventually(() => hook.arrived().length > 0)
    await harness.restart()
    tenant = Object.assign(harness.client(tenant.apiKey), tenant)
    await eventually(async () => (await hook.deliveries('&status=delivered')).length === 20)
    expect(new Set(hook.ids()).size).toBe(20)
  })
})
