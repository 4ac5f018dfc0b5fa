/** Large batches of events: a worker creates their deliveries after the transaction, then sends them. */
import { expect, test } from 'vitest'
import { LoopTurns } from '../../../platform/bounded/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createMetrics } from '../../../platform/telemetry/metrics.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness, useReceivingHarness } from '../../../testing/harness.ts'
import { FanOut } from './fan-out.ts'
import { OrganisationQueue } from './organisation-queue.ts'

const { harness, receiver } = await useReceivingHarness()
/** Has no worker. */
const idle = useHarness({ role: 'api' })
let tenants = 0

/** Creates a tenant with this many endpoints, and their paths at the receiver. */
async function createTenant(endpoints: number, more: object = {}) {
  const tenant = await harness.createTenant()
  const paths = Array.from({ length: endpoints }, (_, n) => `/${tenants}-${n}`)
  tenants++
  const ids: string[] = []
  for (const path of paths) {
    const { id } = await harness.subscribe(tenant, ['qr_code.created'], { url: receiver.url(path), ...more })
    ids.push(id)
  }
  return { tenant, paths, ids }
}

const createCodes = async (tenant: Tenant, count: number): Promise<{ id: string }[]> =>
  (await tenant.post('/v1/qr-codes/batch', { count })).body.data

const selectDeliveries = ({ orgId }: Tenant) =>
  harness.service.database.read
    .selectFrom('webhook_deliveries')
    .select(['endpoint_id', 'event_id', 'status'])
    .where('org_id', '=', orgId)
    .execute()

const countDeliveries = async ({ orgId }: Tenant): Promise<number> => {
  const rows = harness.service.database.read.selectFrom('webhook_deliveries').where('org_id', '=', orgId)
  return Number((await rows.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
}

test('every event of a large batch arrives once at every endpoint', async () => {
  const { tenant, paths } = await createTenant(4)
  const codes = (await createCodes(tenant, 60)).map(({ id }) => id)
  await eventually(() => paths.every((path) => receiver.at(path).length >= 60))
  await eventually(async () => (await selectDeliveries(tenant)).every(({ status }) => status === 'delivered'))
  for (const path of paths) {
    const arrived = receiver.at(path).map(({ body }) => JSON.parse(body).id)
    expect(arrived.toSorted()).toEqual(codes.toSorted())
  }
})

test('a paused endpoint holds the deliveries of a large batch until it is resumed', async () => {
  const { tenant, paths, ids } = await createTenant(1, { isActive: false })
  const [path = '', id] = [paths[0], ids[0]]
  await createCodes(tenant, 150)
  const held = async () => (await tenant.get(`/v1/webhooks/${id}/deliveries?status=held&limit=100`)).body.data
  await eventually(async () => (await held()).length === 100)
  await eventually(async () => (await countDeliveries(tenant)) === 150)
  expect(receiver.at(path)).toEqual([])
  await tenant.patch(`/v1/webhooks/${id}`, { isActive: true })
  await eventually(() => receiver.at(path).length === 150)
})

test('a service that stops leaves the rest of a large batch to the next one, which creates every delivery once', async () => {
  const { tenant } = await createTenant(3, { isActive: false })
  await createCodes(tenant, 1000)
  await eventually(async () => (await countDeliveries(tenant)) > 0)
  await harness.restart()
  await eventually(async () => (await countDeliveries(tenant)) >= 3000)
  const deliveries = await selectDeliveries(tenant)
  const pairs = new Set(deliveries.map(({ endpoint_id, event_id }) => `${endpoint_id} ${event_id}`))
  expect([deliveries.length, pairs.size]).toEqual([3000, 3000])
})

const servicesOf = (turns = new LoopTurns(createMetrics())) => ({
  database: idle.service.database,
  turns,
  clock: idle.nowMs,
  log: createLogger('silent'),
})

test('organisations take turns, one small transaction each', async () => {
  const { database } = idle.service
  const large = [await idle.createTenant(), await idle.createTenant()]
  for (const tenant of large) {
    await idle.subscribe(tenant, ['qr_code.created'])
    await createCodes(tenant, 500)
  }
  const turns: OrgId[] = []
  const fanOut = new FanOut(servicesOf(), (organisation) => {
    turns.push(organisation.orgId)
    if (turns.length < 7) fanOut.add(organisation)
  })
  for (const { orgId } of large) fanOut.add(new OrganisationQueue(orgId))
  await eventually(() => turns.length === 8)
  await fanOut.close()
  expect(turns).toEqual(Array.from({ length: 8 }, (_, n) => large[n % 2]?.orgId))
  for (const { orgId } of large) {
    const created = database.read.selectFrom('webhook_deliveries').select('id').where('org_id', '=', orgId).execute()
    expect(await created).toHaveLength(500)
  }
})

test('an organisation rests after each transaction while others send requests', async () => {
  const tenant = await idle.createTenant()
  await idle.subscribe(tenant, ['qr_code.created'])
  await createCodes(tenant, 500)
  const turns = new LoopTurns(createMetrics())
  const requests = setInterval(() => turns.wait('another organisation'), 100)
  turns.wait('another organisation')
  const created: number[] = []
  const fanOut = new FanOut(servicesOf(turns), async (organisation) => {
    if (created.length === 3) return
    const { database } = idle.service
    const rows = database.read.selectFrom('webhook_deliveries').select('id').where('org_id', '=', tenant.orgId)
    created.push((await rows.execute()).length)
    fanOut.add(organisation)
  })
  fanOut.add(new OrganisationQueue(tenant.orgId))
  await eventually(() => created.length === 3)
  clearInterval(requests)
  await fanOut.close()
  expect(created, 'after the first, after the rest, after the second').toEqual([125, 125, 250])
})
