/** The worker runs these queries every second, so they must stay fast however many deliveries are pending. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { explain } from '../../../testing/engines/plans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { selectBacklog } from './backlog-queries.ts'
import { createDeliveries, selectFanOutOrganisations } from './fan-out-queries.ts'
import { type Lane, selectDue, selectDueOrganisations, selectWaiting } from './queue-queries.ts'

const harness = useHarness({ role: 'api' })
let acme: Tenant
/** Its batches have no deliveries yet. */
let globex: Tenant
let webhook: string

/** Hundreds of first attempts and retries among delivered ones, so that the choice of index matters. */
beforeAll(async () => {
  acme = await harness.createTenant()
  webhook = (await harness.subscribe(acme, ['qr_code.created'])).id
  for (let batch = 0; batch < 4; batch++) await acme.post('/v1/qr-codes/batch', { count: 250 })
  globex = await harness.createTenant()
  for (let n = 0; n < 10; n++) await harness.subscribe(globex, ['qr_code.created'])
  await globex.post('/v1/qr-codes/batch', { count: 250 })
  const { kysely, write } = harness.service.database
  await write((tx) => createDeliveries(tx, acme.orgId, 1000))
  const change = (values: object, from: number, to: number) =>
    kysely
      .updateTable('webhook_deliveries')
      .set(values)
      .where('org_id', '=', acme.orgId)
      .where('id', 'in', (db) =>
        db
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('org_id', '=', acme.orgId)
          .orderBy('id')
          .limit(to - from)
          .offset(from),
      )
      .execute()
  await change({ status: 'delivered', attempt_count: 1, next_attempt_at: null }, 0, 250)
  await change({ attempt_count: 1, next_attempt_at: timestamp(harness.nowMs() + 60_000) }, 250, 750)
  await sql`analyze`.execute(kysely)
})

const plansOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const plans: string[] = []
  for (const statement of await harness.statementsOf(work)) {
    if (/select/.test(statement.sql)) plans.push(await explain(harness.service.database, statement))
  }
  return plans
}
const planOf = async (work: () => Promise<unknown>): Promise<string> => (await plansOf(work))[0] ?? ''
const now = () => timestamp(harness.nowMs())

test.each(['new', 'retry', 'test'] as const)(
  'reading the lane %s follows its index without sorting',
  async (lane: Lane) => {
    const plan = await planOf(() => selectWaiting(harness.service.database.read, acme.orgId, webhook, lane, now(), 32))
    expect(plan).toContain(`webhook_deliveries_${lane}_idx`)
    expect(plan).not.toMatch(/sort|temp b-tree|seq scan/i)
  },
)

test.each([
  ['over all organisations', () => selectDueOrganisations(harness.service.database.read, now())],
  ['for one organisation', () => selectDue(harness.service.database.read, acme.orgId, now())],
])('finding what is due %s takes one index look-up per lane', async (_scope, work) => {
  const plan = await planOf(work)
  for (const lane of ['new', 'retry', 'test']) expect(plan).toContain(`webhook_deliveries_${lane}_idx`)
  expect(plan).not.toMatch(/webhook_deliveries_(status|type|pkey)|hashed|seq scan on webhook_deliveries/i)
})

test('a lane is due only if it has a delivery to send now', async () => {
  const { read } = harness.service.database
  const lanesAt = async (time: string) => (await selectDue(read, acme.orgId, time)).lanes
  expect(await lanesAt(now())).toEqual([{ endpointId: webhook, lane: 'new' }])
  expect(await selectDueOrganisations(read, now())).toEqual([acme.orgId, globex.orgId])
  expect(await lanesAt(timestamp(harness.nowMs() + 61_000))).toEqual([
    { endpointId: webhook, lane: 'new' },
    { endpointId: webhook, lane: 'retry' },
  ])
})

test('batches without deliveries are found by one index look-up, for one organisation and over all', async () => {
  const { read } = harness.service.database
  const plans = [
    await planOf(() => selectDue(read, globex.orgId, now())),
    await planOf(() => selectFanOutOrganisations(read)),
  ]
  for (const plan of plans) {
    expect(plan).toMatch(/event_fan_outs(?:_pkey|_1)/)
    expect(plan).not.toMatch(/seq scan on event_fan_outs/i)
  }
  expect(await selectDue(read, globex.orgId, now())).toEqual({ lanes: [], needsFanOut: true })
  expect(await selectDue(read, acme.orgId, now())).toMatchObject({ needsFanOut: false })
})

test('metrics count what waits, and read nothing of what was delivered', async () => {
  const { read } = harness.service.database
  await harness.subscribe(acme, ['qr_code.created'], { isActive: false })
  await acme.post('/v1/qr-codes', {})
  const { oldestNew, ...counts } = await selectBacklog(read)
  expect(counts).toEqual({ new: 251, retry: 500, held: 1, notCreated: 2500 })
  const { data } = (await acme.get(`/v1/webhooks/${webhook}/deliveries?status=pending&limit=100`)).body
  expect(oldestNew, 'of the last batch').toBe(data[1].created_at)
  const [plan] = await plansOf(() => selectBacklog(read))
  for (const lane of ['new', 'retry']) expect(plan).toContain(`webhook_deliveries_${lane}_idx`)
  expect(plan).not.toMatch(/webhook_deliveries_(status|type|pkey)|seq scan on webhook_deliveries/i)
})

test('creating deliveries reads only the batches that it takes', async () => {
  const { write } = harness.service.database
  const [first, create] = await plansOf(() => write((tx) => createDeliveries(tx, globex.orgId, 125), globex.orgId))
  expect(first).toMatch(/event_fan_outs(?:_pkey|_1)/)
  expect(create).toMatch(/batch_id, ?endpoint_id\)? ?<=? ?/)
  expect(create).toContain('events_batch_idx')
  expect(`${first} ${create}`).not.toMatch(/seq scan|sort|scan e\b/i)
})
