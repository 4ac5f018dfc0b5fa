import { expect, test } from 'vitest'
import { customDomainEvents } from '../modules/custom-domains/index.ts'
import { useHarness } from '../testing/harness.ts'
import { DAY_MS, timestamp } from './clock.ts'
import { emit } from './outbox.ts'

const harness = useHarness()

async function connectedDomain(acme: Awaited<ReturnType<typeof harness.createTenant>>) {
  return (await acme.post('/v1/custom-domains', { domain: 'acme.com' })).body
}

test('an event is exactly what its resource answers, and shows in the list of events', async () => {
  const acme = await harness.createTenant()
  const domain = await connectedDomain(acme)
  const now = timestamp(harness.nowMs())
  await harness.service.database.write((tx) =>
    emit(tx, acme.orgId, customDomainEvents, 'custom_domain.verified', domain, now),
  )
  const { body } = await acme.get('/v1/events')
  expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null })
  expect(body.data).toEqual([
    {
      object: 'event',
      id: expect.any(String),
      type: 'custom_domain.verified',
      data: domain,
      created_at: now,
    },
  ])
  expect((await acme.get('/v1/events?type=custom_domain.verification_lost')).body.data).toEqual([])
  harness.advance(31 * DAY_MS)
  expect((await acme.get('/v1/events')).body.data).toEqual([])
})

test('what rolls back never happened', async () => {
  const acme = await harness.createTenant()
  const domain = await connectedDomain(acme)
  const failing = harness.service.database.write(async (tx) => {
    await emit(tx, acme.orgId, customDomainEvents, 'custom_domain.verified', domain, timestamp(harness.nowMs()))
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect((await acme.get('/v1/events')).body.data).toEqual([])
})

test('a payload that does not fit its declaration is not written', async () => {
  const acme = await harness.createTenant()
  const { verified: _, ...incomplete } = await connectedDomain(acme)
  const failing = harness.service.database.write((tx) =>
    emit(tx, acme.orgId, customDomainEvents, 'custom_domain.verified', incomplete, timestamp(harness.nowMs())),
  )
  await expect(failing).rejects.toThrow(/verified/)
  expect((await acme.get('/v1/events')).body.data).toEqual([])
})
