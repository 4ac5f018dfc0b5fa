import { expect, test } from 'vitest'
import { type StoredView, storeViews } from '../modules/pages/public-pages/views/store-views.ts'
import { createDeliveries } from '../modules/webhooks/webhook-deliveries/index.ts'
import { DAY_MS, timestamp } from '../platform/clock/index.ts'
import { newIdAt } from '../platform/ids/index.ts'
import { createConversation } from '../testing/data/conversations.ts'
import { insertTestRows } from '../testing/engines/insert-test-rows.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { deleteExpired } from './retention.ts'

/** No worker runs, so only the test deletes or sends anything. */
const harness = useHarness({ role: 'api' })

const LOG = ['events', 'webhook_deliveries', 'webhook_attempts', 'event_fan_outs'] as const
const sweep = () => deleteExpired(harness.service.database, harness.nowMs(), 400)

async function countsOf({ orgId }: Tenant): Promise<number[]> {
  const counts = LOG.map((table) =>
    harness.service.database.read
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('rows'))
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow(),
  )
  return (await Promise.all(counts)).map(({ rows }) => Number(rows))
}

/** Creates an event with a successful delivery. */
async function createDelivered(tenant: Tenant, webhook: string): Promise<void> {
  await tenant.post('/v1/qr-groups', { name: 'Doors' })
  const { id } = (await tenant.get(`/v1/webhooks/${webhook}/deliveries?limit=1`)).body.data[0]
  const sent = { org_id: tenant.orgId, endpoint_id: webhook, delivery_id: id, number: 1, duration_ms: 84 }
  const response = { response_status: 200, error: null, response_body: 'ok', status_after: 'delivered' as const }
  const times = { started_at: timestamp(harness.nowMs()), next_attempt_at: null }
  await harness.service.database.write((tx) =>
    insertTestRows(tx, 'webhook_attempts', [{ ...sent, ...response, ...times }]),
  )
}

test('events, deliveries and attempts are deleted after 30 days', async () => {
  const acme = await harness.createTenant()
  const { id } = await harness.subscribe(acme, ['qr_group.created'])
  await createDelivered(acme, id)
  harness.advance(30 * DAY_MS - 60_000)
  await createDelivered(acme, id)
  await sweep()
  expect(await countsOf(acme)).toEqual([2, 2, 2, 0])
  harness.advance(120_000)
  await sweep()
  expect(await countsOf(acme)).toEqual([1, 1, 1, 0])
  const { data } = (await acme.get(`/v1/webhooks/${id}/deliveries`)).body
  expect((await acme.get(`/v1/webhooks/${id}/deliveries/${data[0].id}`)).body).toMatchObject({
    payload: { object: 'qr_group' },
    attempts: [{ number: 1 }],
  })
})

test('views of pages are deleted after 30 days, and stay counted', async () => {
  const acme = await harness.createTenant()
  const { id } = (await acme.post('/v1/pages', { title: 'Help' })).body
  const store = (views: StoredView[]) => harness.service.database.write((tx) => storeViews(tx, views))
  const view = () => ({
    ...{ org_id: acme.orgId, id: newIdAt(harness.nowMs()), page_id: id, viewed_at: timestamp(harness.nowMs()) },
  })
  await store([view(), view()])
  harness.advance(30 * DAY_MS - 60_000)
  await store([view()])
  harness.advance(120_000)
  await sweep()
  const rows = await harness.service.database.read
    .selectFrom('page_views')
    .select('id')
    .where('org_id', '=', acme.orgId)
    .execute()
  expect(rows).toHaveLength(1)
  expect((await acme.get(`/v1/pages/${id}`)).body.view_count).toBe(3)
})

test('held deliveries are deleted after 30 days, in as many batches as it takes', async () => {
  const acme = await harness.createTenant()
  const { id } = await harness.subscribe(acme, ['qr_group.created'], { isActive: false })
  const created_at = timestamp(harness.nowMs())
  const held = Array.from({ length: 1201 }, () => ({
    ...{ org_id: acme.orgId, endpoint_id: id, id: newIdAt(harness.nowMs()), event_id: null, type: 'qr_group.created' },
    ...{ test_payload: {}, status: 'pending' as const, attempt_count: 0, next_attempt_at: created_at },
    ...{ delivered_at: null, created_at },
  }))
  await harness.service.database.write((tx) => insertTestRows(tx, 'webhook_deliveries', held))
  await sweep()
  expect(await countsOf(acme)).toEqual([0, 1201, 0, 0])
  harness.advance(30 * DAY_MS)
  await sweep()
  expect(await countsOf(acme)).toEqual([0, 0, 0, 0])
})

test('a large batch is deleted after 30 days, and gets no deliveries any more', async () => {
  const { database } = harness.service
  const acme = await harness.createTenant()
  await harness.subscribe(acme, ['qr_code.created'])
  await acme.post('/v1/qr-codes/batch', { count: 125 })
  harness.advance(30 * DAY_MS - 60_000)
  await sweep()
  expect(await countsOf(acme)).toEqual([125, 0, 0, 1])
  harness.advance(120_000)
  await sweep()
  expect(await countsOf(acme)).toEqual([0, 0, 0, 0])
  await database.write((tx) => createDeliveries(tx, acme.orgId, 125))
  expect(await countsOf(acme)).toEqual([0, 0, 0, 0])
})

test('the tokens of visitors are deleted when they expire, and times of events after 30 days', async () => {
  const acme = await harness.createTenant()
  const visitor = await createConversation(harness, acme)
  const rowsOf = async (table: 'conversation_tokens' | 'conversation_changes') =>
    (await harness.service.database.read.selectFrom(table).select('org_id').where('org_id', '=', acme.orgId).execute())
      .length
  const counts = async () => [await rowsOf('conversation_tokens'), await rowsOf('conversation_changes')]
  harness.advance(2 * DAY_MS)
  await visitor.isSeen()
  harness.advance(28.5 * DAY_MS)
  await sweep()
  // The token was used again, so that it is valid for longer.
  expect(await counts()).toEqual([1, 0])
  harness.advance(2 * DAY_MS)
  await sweep()
  expect(await counts()).toEqual([0, 0])
  expect((await acme.get(visitor.path)).status).toBe(200)
})
