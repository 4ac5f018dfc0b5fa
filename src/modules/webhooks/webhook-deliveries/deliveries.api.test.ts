import { describe, expect, test } from 'vitest'
import { MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Row } from '../../../platform/db/index.ts'
import { newId, newIdAt } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import { announcedBy } from '../../../testing/engines/announcements.ts'
import { insertTestRows } from '../../../testing/engines/insert-test-rows.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'
import { customDomainEvents } from '../../domains/custom-domains/index.ts'
import type { AttemptRow } from './attempt-queries.ts'

/** No worker runs, so deliveries change only when a test changes them. */
const harness = useHarness({ role: 'api' })

const CREATED = 'qr_group.created'
const UPDATED = 'qr_group.updated'

const createGroup = async (tenant: Tenant) => (await tenant.post('/v1/qr-groups', { name: 'Doors' })).body
const deliveriesOf = async (tenant: Tenant, id: string, query = '') => {
  const reply = await tenant.get(`/v1/webhooks/${id}/deliveries?limit=100&${query}`)
  expect(reply.status).toBe(200)
  return reply.body.data
}
const idsOf = async (tenant: Tenant, id: string, query = '') =>
  (await deliveriesOf(tenant, id, query)).map((delivery: { id: string }) => delivery.id)
const get = async (tenant: Tenant, endpointId: string, id: string) =>
  (await tenant.get(`/v1/webhooks/${endpointId}/deliveries/${id}`)).body
const nowAnd = (ms: number) => timestamp(harness.nowMs() + ms)

/** Stores an attempt as a worker would. */
function attempt({ orgId }: Tenant, endpointId: string, id: string, values: Partial<AttemptRow>): Promise<void> {
  const row = {
    ...{ org_id: orgId, endpoint_id: endpointId, delivery_id: id, number: 1, started_at: nowAnd(0), duration_ms: 84 },
    ...{ response_status: 200, error: null, response_body: 'ok', status_after: 'delivered' as const },
    next_attempt_at: null,
    ...values,
  }
  return harness.service.database.write((tx) => insertTestRows(tx, 'webhook_attempts', [row]))
}

/** Creates an endpoint with one delivery. */
async function startWithOne(body: object = {}) {
  const acme = await harness.createTenant()
  const endpoint = await harness.subscribe(acme, [CREATED, UPDATED], body)
  const group = await createGroup(acme)
  const [delivery] = await deliveriesOf(acme, endpoint.id)
  return { acme, endpoint, group, delivery }
}

describe('an event', () => {
  test('creates one delivery for each subscribed endpoint of its organisation, and no others', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const [one, two, paused] = [
      await harness.subscribe(acme, [CREATED]),
      await harness.subscribe(acme, [UPDATED, CREATED]),
      await harness.subscribe(acme, [CREATED], { isActive: false }),
    ]
    const [unsubscribed, foreign] = [
      await harness.subscribe(acme, [UPDATED]),
      await harness.subscribe(other, [CREATED]),
    ]
    const group = await createGroup(acme)
    const deliveryIds = []
    for (const endpoint of [one, two, paused]) {
      const [delivery, ...more] = await deliveriesOf(acme, endpoint.id)
      expect(more).toEqual([])
      expect(delivery).toEqual({
        object: 'webhook_delivery',
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        webhook_id: endpoint.id,
        event: CREATED,
        status: endpoint.isActive ? 'pending' : 'held',
        attempt_count: 0,
        next_attempt_at: endpoint.isActive ? group.created_at : null,
        delivered_at: null,
        created_at: group.created_at,
      })
      expect(await get(acme, endpoint.id, delivery.id)).toEqual({ ...delivery, payload: group, attempts: [] })
      deliveryIds.push(delivery.id)
    }
    expect(new Set(deliveryIds).size).toBe(3)
    expect(await deliveriesOf(acme, unsubscribed.id)).toEqual([])
    expect(await deliveriesOf(other, foreign.id)).toEqual([])
    await createGroup(other)
    expect(await deliveriesOf(other, foreign.id)).toHaveLength(1)
    expect(await deliveriesOf(acme, one.id)).toHaveLength(1)
  })

  test('creates no delivery if its transaction rolls back', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, ['custom_domain.verified'])
    const domain = (await acme.post('/v1/custom-domains', { domain: 'acme.com' })).body
    const verify = (work: () => void) =>
      harness.service.database.write(async (tx) => {
        await emit(tx, acme.orgId, customDomainEvents, 'custom_domain.verified', domain, nowAnd(0))
        work()
      })
    const failing = verify(() => {
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await deliveriesOf(acme, id)).toEqual([])
    await verify(() => {})
    expect(await deliveriesOf(acme, id)).toHaveLength(1)
  })

  test('is delivered in order, even among many events with the same timestamp', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, ['qr_code.created'])
    await acme.post('/v1/qr-codes/batch', { count: 100, name_prefix: 'Chair' })
    const rows = await harness.service.database.read
      .selectFrom('webhook_deliveries as d')
      .innerJoin('events as e', 'e.id', 'd.event_id')
      .select('e.payload')
      .where('d.org_id', '=', acme.orgId)
      .where('d.endpoint_id', '=', id)
      .orderBy('d.id')
      .execute()
    const names = rows.map(({ payload }) => (payload as { name: string }).name)
    expect(names).toEqual(Array.from({ length: 100 }, (_, n) => `Chair ${n + 1}`))
  })

  test('is delivered to the endpoints that subscribe to its type when it happens', async () => {
    const { acme, endpoint } = await startWithOne()
    await acme.patch(`/v1/webhooks/${endpoint.id}`, { events: ['product.created'] })
    await createGroup(acme)
    expect(await deliveriesOf(acme, endpoint.id)).toHaveLength(1)
    await acme.patch(`/v1/webhooks/${endpoint.id}`, { events: [CREATED] })
    await createGroup(acme)
    expect(await deliveriesOf(acme, endpoint.id)).toHaveLength(2)
    await acme.delete(`/v1/webhooks/${endpoint.id}`)
    await createGroup(acme)
    const { rows } = await harness.service.database.read
      .selectFrom('webhook_deliveries')
      .select((row) => row.fn.countAll<number>().as('rows'))
      .where('org_id', '=', acme.orgId)
      .executeTakeFirstOrThrow()
    expect(Number(rows), 'existing deliveries stay').toBe(2)
  })

  test('announces `events` once per organisation', async () => {
    const acme = await harness.createTenant()
    const announced = await announcedBy(harness.service.database, () =>
      acme.post('/v1/qr-codes/batch', { count: 3, name_prefix: 'Chair' }),
    )
    expect(announced.filter((text) => text.startsWith('events '))).toEqual([`events ${acme.orgId}`])
  })
})

test('an attempt updates its delivery and is returned with it', async () => {
  const { acme, endpoint, delivery } = await startWithOne()
  const next = nowAnd(5000)
  const started = nowAnd(0)
  const failure = { response_status: null, error: 'timeout', response_body: null, started_at: started }
  await attempt(acme, endpoint.id, delivery.id, { ...failure, status_after: 'pending', next_attempt_at: next })
  const tried = { ...delivery, attempt_count: 1, next_attempt_at: next }
  expect(await deliveriesOf(acme, endpoint.id)).toEqual([tried])
  const first = { number: 1, started_at: started, duration_ms: 84, status: null, error: 'timeout', response_body: null }
  expect(await get(acme, endpoint.id, delivery.id)).toMatchObject({ ...tried, attempts: [first] })

  await attempt(acme, endpoint.id, delivery.id, { number: 2, started_at: next })
  const delivered = await get(acme, endpoint.id, delivery.id)
  const ending = { status: 'delivered', attempt_count: 2, next_attempt_at: null, delivered_at: next }
  expect(delivered).toMatchObject({ ...ending, attempts: [first, { number: 2, status: 200, response_body: 'ok' }] })
})

describe('held', () => {
  test('is the status of pending deliveries while the endpoint is paused; delivered and failed do not change', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED])
    for (let n = 0; n < 4; n++) await createGroup(acme)
    const [fresh, retried, delivered, failed] = await idsOf(acme, id)
    const next = nowAnd(MINUTE_MS)
    await attempt(acme, id, retried, { status_after: 'pending', response_status: 500, next_attempt_at: next })
    await attempt(acme, id, delivered, {})
    await attempt(acme, id, failed, { status_after: 'failed', response_status: 500 })
    const states = async () =>
      (await deliveriesOf(acme, id)).map(({ status, next_attempt_at }: any) => [status, next_attempt_at])
    const ended = [
      ['delivered', null],
      ['failed', null],
    ]
    const before = await states()
    expect(before).toEqual([['pending', expect.any(String)], ['pending', next], ...ended])
    expect(await idsOf(acme, id, 'status=pending')).toEqual([fresh, retried])
    expect(await idsOf(acme, id, 'status=held')).toEqual([])

    await acme.patch(`/v1/webhooks/${id}`, { isActive: false })
    expect(await states()).toEqual([['held', null], ['held', null], ...ended])
    expect(await get(acme, id, retried)).toMatchObject({ status: 'held', next_attempt_at: null, attempt_count: 1 })
    expect(await idsOf(acme, id, 'status=held')).toEqual([fresh, retried])
    expect(await idsOf(acme, id, `status=held&event=${UPDATED}`)).toEqual([])
    expect(await idsOf(acme, id, 'status=pending')).toEqual([])
    expect(await idsOf(acme, id, 'status=failed')).toEqual([failed])

    harness.advance(1000)
    const { updated_at } = (await acme.patch(`/v1/webhooks/${id}`, { isActive: true })).body
    expect(await states()).toEqual([before[0], ['pending', updated_at], ...ended])
  })

  test('does not apply to an active endpoint: changing one keeps the times of its retries', async () => {
    const { acme, endpoint, delivery } = await startWithOne()
    const next = nowAnd(MINUTE_MS)
    await attempt(acme, endpoint.id, delivery.id, { status_after: 'pending', next_attempt_at: next })
    await acme.patch(`/v1/webhooks/${endpoint.id}`, { isActive: true, description: 'x' })
    expect(await get(acme, endpoint.id, delivery.id)).toMatchObject({ next_attempt_at: next })
  })

  test('ends only for the endpoint that is resumed: its retries become due', async () => {
    const { acme, endpoint, delivery } = await startWithOne()
    const other = await harness.subscribe(acme, [CREATED])
    await createGroup(acme)
    const [otherId] = await idsOf(acme, other.id)
    const next = nowAnd(MINUTE_MS)
    for (const [endpointId, id] of [
      [endpoint.id, delivery.id],
      [other.id, otherId],
    ]) {
      await attempt(acme, endpointId, id, { status_after: 'pending', next_attempt_at: next })
      await acme.patch(`/v1/webhooks/${endpointId}`, { isActive: false })
    }
    const { updated_at } = (await acme.patch(`/v1/webhooks/${endpoint.id}`, { isActive: true })).body
    expect((await get(acme, endpoint.id, delivery.id)).next_attempt_at).toBe(updated_at)
    const { next_attempt_at } = await harness.service.database.read
      .selectFrom('webhook_deliveries')
      .select('next_attempt_at')
      .where('org_id', '=', acme.orgId)
      .where('id', '=', otherId)
      .executeTakeFirstOrThrow()
    expect(next_attempt_at).toBe(next)
  })
})

test('the list filters by status and event, alone and combined, and paginates', async () => {
  const acme = await harness.createTenant()
  const { id } = await harness.subscribe(acme, [CREATED, UPDATED])
  for (let n = 0; n < 3; n++) {
    const group = await createGroup(acme)
    await acme.patch(`/v1/qr-groups/${group.id}`, { name: 'Gates' })
  }
  const all = await deliveriesOf(acme, id)
  expect(all.map(({ event }: any) => event)).toEqual([UPDATED, CREATED, UPDATED, CREATED, UPDATED, CREATED])
  for (const { id: delivered } of all.slice(2)) await attempt(acme, id, delivered, {})
  const ids = all.map((delivery: { id: string }) => delivery.id)
  expect(await idsOf(acme, id, 'status=pending')).toEqual(ids.slice(0, 2))
  expect(await idsOf(acme, id, 'status=delivered')).toEqual(ids.slice(2))
  expect(await idsOf(acme, id, `event=${CREATED}`)).toEqual([ids[1], ids[3], ids[5]])
  expect(await idsOf(acme, id, `event=${CREATED}&status=delivered`)).toEqual([ids[3], ids[5]])
  expect(await idsOf(acme, id, 'event=product.created')).toEqual([])
  expect((await acme.get(`/v1/webhooks/${id}/deliveries?status=sent`)).body.error).toBe('invalid_query')

  const seen: string[] = []
  let cursor = ''
  do {
    const path = `/v1/webhooks/${id}/deliveries?limit=3&status=delivered${cursor}`
    const { data, next_cursor } = (await acme.get(path)).body
    seen.push(...data.map((delivery: { id: string }) => delivery.id))
    cursor = next_cursor === null ? '' : `&cursor=${encodeURIComponent(next_cursor)}`
  } while (cursor !== '')
  expect(seen).toEqual(ids.slice(2))
})

test('a delivery is found only under its endpoint and organisation', async () => {
  const { acme, endpoint, delivery } = await startWithOne()
  const other = await harness.subscribe(acme, [CREATED])
  const stranger = await harness.createTenant()
  const own = await harness.subscribe(stranger, [CREATED])
  for (const [tenant, path] of [
    [acme, `${other.id}/deliveries/${delivery.id}`],
    [acme, `${endpoint.id}/deliveries/${newId()}`],
    [stranger, `${endpoint.id}/deliveries/${delivery.id}`],
    [stranger, `${own.id}/deliveries/${delivery.id}`],
  ] as const) {
    for (const reply of [await tenant.get(`/v1/webhooks/${path}`), await tenant.post(`/v1/webhooks/${path}/replay`)]) {
      expect({ path, status: reply.status, error: reply.body.error }).toEqual({ path, status: 404, error: 'not_found' })
    }
  }
  expect((await stranger.get(`/v1/webhooks/${endpoint.id}/deliveries`)).status).toBe(404)
})

describe('a replay', () => {
  test.each(['failed', 'delivered'] as const)(
    'makes a %s delivery pending again under the same ID',
    async (outcome) => {
      const { acme, endpoint, group, delivery } = await startWithOne()
      await attempt(acme, endpoint.id, delivery.id, { status_after: outcome })
      const before = await get(acme, endpoint.id, delivery.id)
      expect(before.status).toBe(outcome)
      harness.advance(1000)
      const path = `/v1/webhooks/${endpoint.id}/deliveries/${delivery.id}/replay`
      const announced = await announcedBy(harness.service.database, async () => {
        const reply = await acme.post(path)
        expect(reply.status).toBe(200)
        const { delivered_at } = before
        expect(reply.body).toMatchObject({
          ...delivery,
          status: 'pending',
          attempt_count: 1,
          delivered_at,
          next_attempt_at: reply.body.next_attempt_at,
        })
        expect(Date.parse(reply.body.next_attempt_at)).toBeGreaterThan(Date.parse(delivery.created_at))
        expect(await get(acme, endpoint.id, delivery.id)).toMatchObject({ ...reply.body, payload: group })
      })
      expect(announced).toEqual([`events ${acme.orgId}`])
      await attempt(acme, endpoint.id, delivery.id, { number: 2 })
      expect(await get(acme, endpoint.id, delivery.id)).toMatchObject({ status: 'delivered', attempt_count: 2 })
    },
  )

  test('of a pending delivery makes it due now', async () => {
    const { acme, endpoint, delivery } = await startWithOne()
    const next = nowAnd(MINUTE_MS)
    await attempt(acme, endpoint.id, delivery.id, { status_after: 'pending', next_attempt_at: next })
    const { body } = await acme.post(`/v1/webhooks/${endpoint.id}/deliveries/${delivery.id}/replay`)
    expect(body).toMatchObject({ status: 'pending', attempt_count: 1 })
    expect(Date.parse(body.next_attempt_at)).toBeLessThan(Date.parse(next))
  })

  test('is held while the endpoint is paused', async () => {
    const { acme, endpoint, delivery } = await startWithOne()
    await attempt(acme, endpoint.id, delivery.id, { status_after: 'failed' })
    await acme.patch(`/v1/webhooks/${endpoint.id}`, { isActive: false })
    const { body } = await acme.post(`/v1/webhooks/${endpoint.id}/deliveries/${delivery.id}/replay`)
    expect(body).toMatchObject({ status: 'held', next_attempt_at: null })
  })
})

describe('a replay of many', () => {
  const START_MS = Date.parse('2026-06-09T00:00:00Z')

  /** Inserts deliveries one second apart, oldest first. */
  async function fill(
    { orgId }: Tenant,
    endpointId: string,
    count: number,
    values: Partial<Row<'webhook_deliveries'>> = {},
  ) {
    const rows = Array.from({ length: count }, (_, n) => {
      const ms = START_MS + n * 1000
      return {
        ...{ org_id: orgId, endpoint_id: endpointId, id: newIdAt(ms), event_id: newId(), type: CREATED },
        ...{ test_payload: {}, status: 'failed' as const, attempt_count: 10, next_attempt_at: null },
        ...{ delivered_at: null, created_at: timestamp(ms) },
        ...values,
      }
    })
    await harness.service.database.write((tx) => insertTestRows(tx, 'webhook_deliveries', rows))
    return rows.map(({ id }) => id)
  }
  const at = (seconds: number) => timestamp(START_MS + seconds * 1000)
  const replay = async (tenant: Tenant, id: string, body: object) => {
    const reply = await tenant.post(`/v1/webhooks/${id}/replay`, body)
    expect(reply.status).toBe(200)
    return reply.body
  }

  test('takes failed or delivered deliveries within the period, and no others', async () => {
    const acme = await harness.createTenant()
    const [endpoint, other] = [await harness.subscribe(acme, [CREATED]), await harness.subscribe(acme, [CREATED])]
    const failed = await fill(acme, endpoint.id, 10)
    const delivered = await fill(acme, endpoint.id, 10, { status: 'delivered', delivered_at: at(50) })
    await fill(acme, other.id, 10)
    const pending = () => idsOf(acme, endpoint.id, 'status=pending')
    expect(await replay(acme, endpoint.id, { from: at(2), to: at(5) })).toEqual({
      object: 'webhook_replay',
      replayed: 3,
      has_more: false,
    })
    expect(await pending()).toEqual(failed.slice(2, 5).reverse())
    expect(await get(acme, endpoint.id, failed[2]!)).toMatchObject({ attempt_count: 10, status: 'pending' })
    expect(await replay(acme, endpoint.id, { from: at(2), to: at(5) }), 'again').toMatchObject({ replayed: 0 })
    expect(await replay(acme, endpoint.id, { from: at(8), to: at(9), status: 'delivered' })).toMatchObject({
      replayed: 1,
    })
    expect(await get(acme, endpoint.id, delivered[8]!)).toMatchObject({ status: 'pending', delivered_at: at(50) })
    expect(await replay(acme, endpoint.id, { from: at(0) }), 'without `to`').toMatchObject({ replayed: 7 })
    expect(await idsOf(acme, other.id, 'status=failed')).toHaveLength(10)
    expect(await idsOf(acme, endpoint.id, 'status=delivered')).toHaveLength(9)
  })

  test('takes at most 10,000, oldest first, and has_more is exact', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED])
    const ids = await fill(acme, id, 10_001)
    expect(await replay(acme, id, { from: at(0), to: at(10_000) })).toMatchObject({ replayed: 10_000, has_more: false })
    for (let from = 0; from < ids.length; from += 1000) {
      await harness.service.database.kysely
        .updateTable('webhook_deliveries')
        .set({ status: 'failed', next_attempt_at: null })
        .where('org_id', '=', acme.orgId)
        .where('id', 'in', ids.slice(from, from + 1000))
        .execute()
    }
    const stateOf = async (n: number) => (await get(acme, id, ids[n]!)).status
    expect(await replay(acme, id, { from: at(0) })).toMatchObject({ replayed: 10_000, has_more: true })
    expect([await stateOf(0), await stateOf(9_999), await stateOf(10_000)]).toEqual(['pending', 'pending', 'failed'])
    expect(await replay(acme, id, { from: at(0) })).toMatchObject({ replayed: 1, has_more: false })
  })

  test('of pending deliveries brings the retries within the period forward, and only those that are not due', async () => {
    const acme = await harness.createTenant()
    const [endpoint, other] = [await harness.subscribe(acme, [CREATED]), await harness.subscribe(acme, [CREATED])]
    const [soon, late] = [nowAnd(MINUTE_MS), nowAnd(2 * MINUTE_MS)]
    const retry = (next_attempt_at: string) => ({ status: 'pending' as const, attempt_count: 2, next_attempt_at })
    const ids = await fill(acme, endpoint.id, 10, retry(late))
    await fill(acme, endpoint.id, 10)
    const [elsewhere] = await fill(acme, other.id, 1, retry(late))
    const dueAt = async (id: string, of = endpoint.id) => (await get(acme, of, id)).next_attempt_at
    const range = { from: at(2), to: at(5), status: 'pending' }
    expect(await replay(acme, endpoint.id, range)).toEqual({ object: 'webhook_replay', replayed: 3, has_more: false })
    const times = await Promise.all(ids.slice(0, 6).map((id) => dueAt(id)))
    const now = times[2]!
    expect(times).toEqual([late, late, now, now, now, late])
    expect(now < soon).toBe(true)
    expect(await get(acme, endpoint.id, ids[2]!)).toMatchObject({ status: 'pending', attempt_count: 2 })
    expect(await replay(acme, endpoint.id, range), 'they are due').toMatchObject({ replayed: 0 })
    expect(await dueAt(elsewhere!, other.id)).toBe(late)
    expect(await idsOf(acme, endpoint.id, 'status=failed')).toHaveLength(10)

    await fill(acme, endpoint.id, 9_998, retry(soon))
    const all = { from: at(0), status: 'pending' }
    expect(await replay(acme, endpoint.id, all)).toMatchObject({ replayed: 10_000, has_more: true })
    expect(await replay(acme, endpoint.id, all)).toMatchObject({ replayed: 5, has_more: false })
  })

  testOnce.each([
    ['to', { from: at(1), to: at(1) }],
    ['to', { from: at(2), to: at(1) }],
    ['to', { from: '9999-01-01T00:00:00Z' }],
    ['from', {}],
    ['from', { from: 'yesterday' }],
    ['status', { from: at(1), status: 'held' }],
    ['status', { from: at(1), status: 'waiting' }],
  ])('returns 400 for an invalid %s and replays nothing: %j', async (field, body) => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED])
    await fill(acme, id, 3)
    const reply = await acme.post(`/v1/webhooks/${id}/replay`, body)
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    expect(Object.keys(reply.body.details.fieldErrors)).toEqual([field])
    expect(await idsOf(acme, id, 'status=failed')).toHaveLength(3)
  })

  test('resuming an endpoint makes at most 10,000 retries due, earliest first', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED], { isActive: false })
    const [soon, late] = [nowAnd(MINUTE_MS), nowAnd(2 * MINUTE_MS)]
    const later = await fill(acme, id, 5, { status: 'pending', attempt_count: 1, next_attempt_at: late })
    await fill(acme, id, 9_998, { status: 'pending', attempt_count: 1, next_attempt_at: soon })
    const { updated_at } = (await acme.patch(`/v1/webhooks/${id}`, { isActive: true })).body
    const rows = await harness.service.database.read
      .selectFrom('webhook_deliveries')
      .select(['id', 'next_attempt_at'])
      .where('org_id', '=', acme.orgId)
      .where('endpoint_id', '=', id)
      .execute()
    expect(rows.filter(({ next_attempt_at }) => next_attempt_at === updated_at)).toHaveLength(10_000)
    const rest = rows.filter(({ next_attempt_at }) => next_attempt_at !== updated_at)
    expect(rest.map(({ next_attempt_at }) => next_attempt_at)).toEqual([late, late, late])
    for (const { id: left } of rest) expect(later).toContain(left)
  })
})

describe('a test', () => {
  test('creates a delivery of `webhook.test` and no event', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED])
    let delivery: any
    const announced = await announcedBy(harness.service.database, async () => {
      const reply = await acme.post(`/v1/webhooks/${id}/test`, {})
      expect(reply.status).toBe(200)
      delivery = reply.body
    })
    expect(announced).toEqual([`events ${acme.orgId}`])
    const { created_at } = delivery
    expect(delivery).toMatchObject({ event: 'webhook.test', status: 'pending', next_attempt_at: created_at })
    expect(await deliveriesOf(acme, id)).toEqual([delivery])
    expect((await get(acme, id, delivery.id)).payload).toEqual({
      object: 'webhook_test',
      webhook_id: id,
      message: expect.any(String),
      created_at,
    })
    expect((await acme.get('/v1/events')).body.data, 'no event').toEqual([])
    const again = (await acme.post(`/v1/webhooks/${id}/test`, { event: 'webhook.test' })).body
    expect(again).toMatchObject({ event: 'webhook.test' })
    expect(again.id).not.toBe(delivery.id)
  })

  test('of an event type sends its sample, even if the endpoint does not subscribe to it', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED])
    const { data } = (await acme.get('/v1/event-types?search=product.scanned')).body
    const delivery = (await acme.post(`/v1/webhooks/${id}/test`, { event: 'product.scanned' })).body
    expect(await get(acme, id, delivery.id)).toMatchObject({ event: 'product.scanned', payload: data[0].sample })
  })

  test('is not held while the endpoint is paused', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED], { isActive: false })
    await createGroup(acme)
    const [held] = await idsOf(acme, id)
    const delivery = (await acme.post(`/v1/webhooks/${id}/test`, {})).body
    expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) })
    expect(await get(acme, id, delivery.id)).toMatchObject({ status: 'pending' })
    expect(await idsOf(acme, id, 'status=held')).toEqual([held])
  })

  test('of an unknown event type returns 400 and points to /event-types', async () => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [CREATED])
    const reply = await acme.post(`/v1/webhooks/${id}/test`, { event: 'qr_code.invented' })
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    expect(reply.body.details.fieldErrors.event[0]).toContain('/event-types')
    expect(await deliveriesOf(acme, id)).toEqual([])
  })
})
