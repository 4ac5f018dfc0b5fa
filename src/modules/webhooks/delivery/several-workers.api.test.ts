/** Several workers share the organisations: only one sends for each at a time. */
import { afterAll, expect, inject, test } from 'vitest'
import { type Service, startService } from '../../../main/service.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, testConfig, useReceivingHarness } from '../../../testing/harness.ts'

const ORGANISATIONS = 6
const EVENTS = 10
/** Events of the first organisation that are written together, so that a worker creates their deliveries. */
const BATCH = 125
const DELIVERIES = ORGANISATIONS * EVENTS + BATCH

const { harness, receiver } = await useReceivingHarness({ role: 'api' })
const workers: Service[] = []

afterAll(async () => {
  for (const worker of workers) await worker.close()
})

const startWorker = async () => {
  const config = { ...testConfig(harness), outbound: receiver.outbound }
  workers.push(await startService(config, 'worker', createLogger('silent'), { clock: harness.nowMs }))
}

test.runIf(inject('engine') === 'postgres')(
  'three workers send every delivery once, at most eight at a time per endpoint, and one takes over when the others stop',
  async () => {
    for (let index = 0; index < 3; index++) await startWorker()
    const tenants = await Promise.all(Array.from({ length: ORGANISATIONS }, () => harness.createTenant()))
    const openByPath = new Map<string, number>()
    let openMax = 0
    receiver.reply = (response, { path }) => {
      openByPath.set(path, (openByPath.get(path) ?? 0) + 1)
      openMax = Math.max(openMax, openByPath.get(path) ?? 0)
      setTimeout(() => {
        openByPath.set(path, (openByPath.get(path) ?? 0) - 1)
        response.end()
      }, 10)
    }
    for (const tenant of tenants)
      await harness.subscribe(tenant, ['qr_group.created', 'qr_code.created'], { url: receiver.url(`/${tenant.slug}`) })
    const create = async (tenant: Tenant, path: string, body: object) =>
      expect((await tenant.post(path, body)).status).toBe(201)
    const createAll = () =>
      Promise.all([
        create(tenants[0] as Tenant, '/v1/qr-codes/batch', { count: BATCH }),
        ...tenants.map(async (tenant) => {
          for (let event = 0; event < EVENTS; event++) await create(tenant, '/v1/qr-groups', { name: 'Spring' })
        }),
      ])
    await createAll()
    await eventually(() => receiver.received.length >= DELIVERIES)
    for (const worker of workers.splice(1)) await worker.close()
    await createAll()
    await eventually(() => receiver.received.length >= 2 * DELIVERIES)
    const ids = receiver.received.map(({ delivery }) => delivery)
    expect(new Set(ids).size).toBe(2 * DELIVERIES)
    expect(ids).toHaveLength(2 * DELIVERIES)
    expect(openMax).toBeLessThanOrEqual(8)
  },
)
