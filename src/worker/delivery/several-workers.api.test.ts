/** Several workers share the organisations: only one sends for each at a time. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Service, startService } from '../../main/service.ts'
import { createLogger } from '../../platform/telemetry/logging.ts'
import { eventually } from '../../testing/eventually.ts'
import { Harness, testConfig } from '../../testing/harness.ts'
import { WebhookReceiver } from '../../testing/world/webhook-receiver.ts'

const ORGANISATIONS = 6
const EVENTS = 30

const harness = new Harness()
const workers: Service[] = []
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await WebhookReceiver.start()
  receiver.reply = (response) => setTimeout(() => response.end(), 10)
  await harness.start({ role: 'api', config: { outbound: outbound() } })
})
afterAll(async () => {
  for (const worker of workers) await worker.close()
  await harness.stop()
  await receiver.close()
})

const outbound = () => ({ ports: [443], devAllow: [receiver.host], dnsServers: ['127.0.0.1:1'] })
const startWorker = async () => {
  const config = { ...testConfig(harness), outbound: outbound() }
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
      await harness.subscribe(tenant, ['qr_group.created'], { url: receiver.url(`/${tenant.slug}`) })
    const createAll = () =>
      Promise.all(
        tenants.flatMap((tenant) =>
          Array.from({ length: EVENTS }, () => tenant.post('/v1/qr-groups', { name: 'Spring' })),
        ),
      )
    await createAll()
    await eventually(() => receiver.received.length >= ORGANISATIONS * EVENTS)
    for (const worker of workers.splice(1)) await worker.close()
    await createAll()
    await eventually(() => receiver.received.length >= 2 * ORGANISATIONS * EVENTS)
    const ids = receiver.received.map(({ delivery }) => delivery)
    expect(new Set(ids).size).toBe(2 * ORGANISATIONS * EVENTS)
    expect(ids).toHaveLength(2 * ORGANISATIONS * EVENTS)
    expect(openMax).toBeLessThanOrEqual(8)
  },
)
