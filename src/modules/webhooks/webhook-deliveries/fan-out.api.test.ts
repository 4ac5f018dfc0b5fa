/** However many endpoints there are, a large batch of events is a small transaction. No worker runs here. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { createDeliveries, selectFanOutOrganisations } from './fan-out-queries.ts'

const harness = useHarness({ role: 'api' })
const ENDPOINTS = 10
/** A batch can have this many events. */
const LIMIT = 125
const CODES = 4 * LIMIT
let acme: Tenant

const createCodes = async (count: number) => expect((await acme.post('/v1/qr-codes/batch', { count })).status).toBe(201)
const subscribe = () => harness.subscribe(acme, ['qr_code.created'])
const count = async (table: 'events' | 'webhook_deliveries' | 'event_fan_outs'): Promise<number> => {
  const query = harness.service.database.read.selectFrom(table).select((eb) => eb.fn.countAll().as('rows'))
  return Number((await query.where('org_id', '=', acme.orgId).executeTakeFirstOrThrow()).rows)
}
const selectDeliveries = () =>
  harness.service.database.read
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('org_id', '=', acme.orgId)
    .orderBy('id')
    .execute()
const createSome = () => harness.service.database.write((tx) => createDeliveries(tx, acme.orgId, LIMIT), acme.orgId)
const createAll = async () => {
  while ((await count('event_fan_outs')) > 0) await createSome()
}

describe('a batch of 500 codes with 10 endpoints', () => {
  let endpointIds: string[]
  beforeAll(async () => {
    acme = await harness.createTenant()
    endpointIds = []
    for (let n = 0; n < ENDPOINTS; n++) endpointIds.push((await subscribe()).id)
    await createCodes(CODES)
  })

  test('writes no delivery, and one row per endpoint and 125 events', async () => {
    expect([await count('events'), await count('webhook_deliveries')]).toEqual([CODES, 0])
    expect(await count('event_fan_outs')).toBe(4 * ENDPOINTS)
  })

  test('gets its deliveries in small transactions, each exactly once, even if some are rolled back', async () => {
    const { database } = harness.service
    for (let done = 0; done < CODES * ENDPOINTS; done += LIMIT) {
      if (done % (LIMIT * 10) === 0) {
        const failing = database.write(async (tx) => {
          await createDeliveries(tx, acme.orgId, LIMIT)
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
      }
      expect(await count('webhook_deliveries')).toBe(done)
      await createSome()
    }
    expect(await count('event_fan_outs')).toBe(0)
    const deliveries = await selectDeliveries()
    const pairs = new Set(deliveries.map(({ endpoint_id, event_id }) => `${endpoint_id} ${event_id}`))
    expect([deliveries.length, pairs.size]).toEqual([CODES * ENDPOINTS, CODES * ENDPOINTS])
    expect(new Set(deliveries.map(({ endpoint_id }) => endpoint_id))).toEqual(new Set(endpointIds))
  })

  test('has deliveries like those of a single event, in the order of the events', async () => {
    const { data } = (await acme.get(`/v1/webhooks/${endpointIds[0]}/deliveries?limit=100`)).body
    expect(data).toHaveLength(100)
    const deliveries = (await selectDeliveries()).filter(({ endpoint_id }) => endpoint_id === endpointIds[0])
    expect(deliveries.map(({ event_id }) => event_id)).toEqual(deliveries.map(({ event_id }) => event_id).toSorted())
    const [batched] = deliveries
    expect(batched!.id.slice(0, 24)).toBe(batched!.event_id!.slice(0, 24))
    await acme.post('/v1/qr-codes', {})
    const single = (await selectDeliveries()).findLast(({ endpoint_id }) => endpoint_id === endpointIds[0])
    const times = { created_at: batched!.created_at, next_attempt_at: batched!.created_at }
    expect(batched).toEqual({ ...single, id: batched!.id, event_id: batched!.event_id, ...times })
  })
})

describe('a batch', () => {
  beforeEach(async () => {
    acme = await harness.createTenant()
  })

  test('with up to 100 deliveries gets them in its own transaction', async () => {
    for (let n = 0; n < 4; n++) await subscribe()
    await createCodes(25)
    expect([await count('webhook_deliveries'), await count('event_fan_outs')]).toEqual([100, 0])
    await createCodes(26)
    expect([await count('webhook_deliveries'), await count('event_fan_outs')]).toEqual([100, 4])
  })

  test('without a subscribed endpoint gets no rows', async () => {
    await harness.subscribe(acme, ['qr_code.deleted'])
    await createCodes(LIMIT)
    expect([await count('webhook_deliveries'), await count('event_fan_outs')]).toEqual([0, 0])
  })

  test('is for the endpoints that were subscribed when it was written, unless they were deleted', async () => {
    const [kept, changed, deleted] = [await subscribe(), await subscribe(), await subscribe()]
    await createCodes(LIMIT)
    await subscribe()
    await acme.patch(`/v1/webhooks/${changed.id}`, { events: ['qr_code.deleted'] })
    await acme.delete(`/v1/webhooks/${deleted.id}`)
    await createAll()
    const byEndpoint = Object.groupBy(await selectDeliveries(), ({ endpoint_id }) => endpoint_id)
    expect(Object.fromEntries(Object.entries(byEndpoint).map(([id, rows]) => [id, rows?.length]))).toEqual({
      [kept.id]: LIMIT,
      [changed.id]: LIMIT,
    })
  })

  test('gets its deliveries once, even if several workers create them at the same time', async () => {
    for (let n = 0; n < 4; n++) await subscribe()
    await createCodes(2 * LIMIT)
    await Promise.all(Array.from({ length: 8 }, createSome))
    await createAll()
    const deliveries = await selectDeliveries()
    const pairs = new Set(deliveries.map(({ endpoint_id, event_id }) => `${endpoint_id} ${event_id}`))
    expect([deliveries.length, pairs.size]).toEqual([8 * LIMIT, 8 * LIMIT])
  })

  test('is found until its deliveries exist, or until its organisation has no endpoint any more', async () => {
    const find = async () => (await selectFanOutOrganisations(harness.service.database.read)).includes(acme.orgId)
    const { id } = await subscribe()
    await createCodes(LIMIT)
    expect(await find()).toBe(true)
    await createAll()
    expect(await find()).toBe(false)
    await createCodes(LIMIT)
    await acme.delete(`/v1/webhooks/${id}`)
    expect(await find()).toBe(false)
  })
})
