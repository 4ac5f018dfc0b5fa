/** `/readyz` tells whether writes are possible, too. */
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { Harness, type Tenant } from '../../../testing/harness.ts'

describe.runIf(inject('engine') === 'sqlite')('the only writer', () => {
  const harness = new Harness()
  let tenant: Tenant
  const threads: Worker[] = []
  const remember = (worker: Worker) => threads.push(worker)

  beforeAll(async () => {
    process.on('worker', remember)
    await harness.start({ role: 'api' })
    tenant = await harness.createTenant()
  })
  afterAll(async () => {
    process.off('worker', remember)
    await harness.stop()
  })

  const statusOf = async (path: string) => (await harness.client().get(path)).status
  const createTag = (name: string) => tenant.post('/v1/article-tags', { name })

  test('is ready while transactions of an organisation wait', async () => {
    const { database } = harness.service
    const slow = () => database.write(() => sleep(20), tenant.orgId)
    const waiting = Array.from({ length: 40 }, slow)
    expect(database.writeQueue.waiting).toBe(39)
    expect(await statusOf('/readyz')).toBe(200)
    expect(database.writeQueue.waiting).toBeGreaterThan(0)
    await Promise.all(waiting)
  })

  test('is not ready while it does not respond, however many ask', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = harness.service.database.write(() => released)
    const asked = await harness.statementsOf(async () => {
      const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf('/readyz')))
      expect(new Set(statuses)).toEqual(new Set([503]))
      expect(await statusOf('/healthz')).toBe(200)
      release()
      await held
    })
    expect(asked.filter(({ sql }) => sql === 'select 1').length).toBeLessThan(100)
    expect(await statusOf('/readyz')).toBe(200)
  })

  test('is not ready while its thread cannot be started, and is ready as soon as it can', async () => {
    if (!('file' in harness.location)) throw new Error('only SQLite has a file')
    const { file } = harness.location
    await rename(file, `${file}.away`)
    await threads.find(({ threadName }) => threadName === 'sqlite-write')!.terminate()
    expect(await statusOf('/readyz')).toBe(503)
    expect(await statusOf('/healthz')).toBe(200)
    const refused = await createTag('Unavailable')
    expect(refused).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    await rename(`${file}.away`, file)
    await eventually(async () => (await statusOf('/readyz')) === 200)
    expect(await createTag('Available')).toMatchObject({ status: 201 })
  })
})
