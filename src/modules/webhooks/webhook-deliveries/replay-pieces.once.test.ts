/** Large replays are written in pieces, between which others have their turns. */
import { expect, test } from 'vitest'
import { MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Row } from '../../../platform/db/index.ts'
import { EachOf } from '../../../platform/db/statements/each-of.ts'
import { newId, newIdAt } from '../../../platform/ids/index.ts'
import { insertTestRows } from '../../../testing/engines/insert-test-rows.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { updateRetriesDue } from './replay-queries.ts'

/** No worker runs. */
const harness = useHarness({ role: 'api' })

const TYPE = 'qr_group.created'
const ROWS = 1200
const START_MS = Date.parse('2026-06-09T00:00:00Z')

async function fill({ orgId }: Tenant, endpointId: string, values: Partial<Row<'webhook_deliveries'>>) {
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    ...{ org_id: orgId, endpoint_id: endpointId, id: newIdAt(START_MS + n), event_id: newId(), type: TYPE },
    ...{ test_payload: {}, attempt_count: 3, next_attempt_at: null, delivered_at: null },
    ...{ status: 'failed' as const, created_at: timestamp(START_MS + n) },
    ...values,
  }))
  await harness.service.database.write((tx) => insertTestRows(tx, 'webhook_deliveries', rows))
  return rows.map(({ id }) => id)
}

/** How many deliveries each transaction updates, and how many in all. */
async function sizesOf(work: () => Promise<unknown>): Promise<{ max: number; sum: number }> {
  const statements = await harness.statementsOf(work)
  const updates = statements.filter(({ sql }) => sql.startsWith('update "webhook_deliveries"'))
  const sizes = updates.map(({ parameters: [each] }) => (each instanceof EachOf ? each.rows.length : ROWS))
  return { max: Math.max(...sizes), sum: sizes.reduce((sum, size) => sum + size, 0) }
}

const inAnHour = () => timestamp(harness.nowMs() + 60 * MINUTE_MS)

test.each(['failed', 'delivered', 'pending'] as const)(
  'a replay of %s deliveries updates some at a time',
  async (status) => {
    const acme = await harness.createTenant()
    const { id } = await harness.subscribe(acme, [TYPE])
    await fill(acme, id, { status, next_attempt_at: status === 'pending' ? inAnHour() : null })
    const body = { from: timestamp(START_MS), status }
    const sizes = await sizesOf(async () => {
      const reply = await acme.post(`/v1/webhooks/${id}/replay`, body)
      expect(reply.body).toEqual({ object: 'webhook_replay', replayed: ROWS, has_more: false })
    })
    expect(sizes).toEqual({ max: 100, sum: ROWS })
    const { body: again } = await acme.post(`/v1/webhooks/${id}/replay`, body)
    expect(again).toMatchObject({ replayed: 0, has_more: false })
  },
)

test('resuming an endpoint brings its retries forward some at a time, with what else is changed', async () => {
  const acme = await harness.createTenant()
  const { id } = await harness.subscribe(acme, [TYPE], { isActive: false })
  await fill(acme, id, { status: 'pending', next_attempt_at: inAnHour() })
  const change = { isActive: true, events: ['object.created', 'object.deleted'] }
  const sizes = await sizesOf(async () => {
    expect((await acme.patch(`/v1/webhooks/${id}`, change)).body).toMatchObject(change)
  })
  expect(sizes).toEqual({ max: 100, sum: ROWS })
  expect((await acme.get(`/v1/webhooks/${id}`)).body).toMatchObject(change)
  await acme.post('/v1/objects', { external_id: '1', type: 'chair' })
  const { body } = await acme.get(`/v1/webhooks/${id}/deliveries?event=object.created`)
  expect(body.data).toHaveLength(1)
})

test('a delivery that arrives before it is its turn stays delivered', async () => {
  const acme = await harness.createTenant()
  const { id } = await harness.subscribe(acme, [TYPE])
  const [first, second] = await fill(acme, id, { status: 'pending', next_attempt_at: inAnHour() })
  const now = timestamp(harness.nowMs())
  const { database } = harness.service
  await database.writeInPieces(async (tx) => {
    expect(await updateRetriesDue(tx, acme.orgId, id, undefined, now, ROWS)).toEqual({ updated: ROWS, hasMore: false })
    // The worker that sends it does not wait for transactions of the organisation.
    await database.kysely
      .updateTable('webhook_deliveries')
      .set({ status: 'delivered', next_attempt_at: null })
      .where('org_id', '=', acme.orgId)
      .where('id', '=', first!)
      .execute()
  }, acme.orgId)
  const timeOf = async (of: string) => (await acme.get(`/v1/webhooks/${id}/deliveries/${of}`)).body
  expect(await timeOf(first!)).toMatchObject({ status: 'delivered', next_attempt_at: null })
  expect(await timeOf(second!)).toMatchObject({ status: 'pending', next_attempt_at: now })
})
