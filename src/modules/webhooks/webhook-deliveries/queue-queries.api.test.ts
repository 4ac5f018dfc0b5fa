/** The worker runs these queries every second, so they must stay fast however many deliveries are pending. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { explain } from '../../../testing/engines/plans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { type Lane, selectDueOrganisations, selectWaiting, selectWaitingLanes } from './queue-queries.ts'

const harness = useHarness({ role: 'api' })
let acme: Tenant
let webhook: string

/** Thousands of first attempts and retries among delivered ones, so that the choice of index matters. */
beforeAll(async () => {
  acme = await harness.createTenant()
  webhook = (await harness.subscribe(acme, ['qr_code.created'])).id
  for (let batch = 0; batch < 4; batch++) await acme.post('/v1/qr-codes/batch', { count: 1000 })
  const { kysely } = harness.service.database
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
  await change({ status: 'delivered', attempt_count: 1, next_attempt_at: null }, 0, 1000)
  await change({ attempt_count: 1, next_attempt_at: timestamp(harness.nowMs() + 60_000) }, 1000, 3000)
  await sql`analyze`.execute(kysely)
})

const planOf = async (work: () => Promise<unknown>): Promise<string> => {
  const [statement] = await harness.statementsOf(work)
  return explain(harness.service.database, statement!)
}
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
  ['for one organisation', () => selectWaitingLanes(harness.service.database.read, acme.orgId, now())],
])('finding what is due %s takes one index look-up per lane', async (_scope, work) => {
  const plan = await planOf(work)
  for (const lane of ['new', 'retry', 'test']) expect(plan).toContain(`webhook_deliveries_${lane}_idx`)
  expect(plan).not.toMatch(/webhook_deliveries_(status|type|pkey)|hashed|seq scan on webhook_deliveries/i)
})

test('a lane is due only if it has a delivery to send now', async () => {
  const { read } = harness.service.database
  expect(await selectWaitingLanes(read, acme.orgId, now())).toEqual([{ endpointId: webhook, lane: 'new' }])
  expect(await selectDueOrganisations(read, now())).toEqual([acme.orgId])
  const later = timestamp(harness.nowMs() + 61_000)
  expect(await selectWaitingLanes(read, acme.orgId, later)).toEqual([
    { endpointId: webhook, lane: 'new' },
    { endpointId: webhook, lane: 'retry' },
  ])
})
