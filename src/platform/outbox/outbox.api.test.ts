import { expect, test } from 'vitest'
import { customDomainEvents } from '../../modules/domains/custom-domains/index.ts'
import { useHarness } from '../../testing/harness.ts'
import { DAY_MS, timestamp } from '../clock/index.ts'
import type { OrgId } from '../ids/index.ts'
import { emit, emitAll } from './index.ts'

const harness = useHarness()

async function connectedDomain(acme: Awaited<ReturnType<typeof harness.createTenant>>) {
  return (await acme.post('/v1/custom-domains', { domain: 'acme.com' })).body
}

test('the payload of an event equals the resource, and /events lists it', async () => {
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

test('a transaction that rolls back leaves no event', async () => {
  const acme = await harness.createTenant()
  const domain = await connectedDomain(acme)
  const failing = harness.service.database.write(async (tx) => {
    await emit(tx, acme.orgId, customDomainEvents, 'custom_domain.verified', domain, timestamp(harness.nowMs()))
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect((await acme.get('/v1/events')).body.data).toEqual([])
})

test('rejects a payload that does not match its schema', async () => {
  const acme = await harness.createTenant()
  const { verified: _, ...incomplete } = await connectedDomain(acme)
  const failing = harness.service.database.write((tx) =>
    emit(tx, acme.orgId, customDomainEvents, 'custom_domain.verified', incomplete, timestamp(harness.nowMs())),
  )
  await expect(failing).rejects.toThrow(/verified/)
  expect((await acme.get('/v1/events')).body.data).toEqual([])
})

test('the largest possible change fits into 256 KiB', async () => {
  const acme = await harness.createTenant()
  const longest = (letter: string, count: number) => letter.repeat(count)
  const list = (letter: string) =>
    Array.from({ length: 100 }, (_, n) => ({ key: `${n}`.padEnd(64, 'k'), value: longest(letter, 1500) }))
  const everything = (letter: string, control: string) => ({
    type: letter.repeat(64),
    name: longest(control, 200),
    external_id: longest(control, 255),
    description: longest(control, 2000),
    metadata: { text: longest(letter, 16 * 1024 - 11) },
    destination: { url: `https://acme.com/${longest(letter, 2031)}` },
  })
  const { id } = (await acme.post('/v1/objects', everything('a', '\u0001'))).body
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  expect((await acme.patch(`/v1/objects/${id}`, everything('b', '\u0002'))).status).toBe(200)
  const { data: whole } = await acme.lastEvent()
  expect(Object.keys(whole.changes)).toHaveLength(6)
  expect(JSON.stringify(whole)).not.toContain('omitted')
  expect(bytesOf(whole)).toBeLessThanOrEqual(256 * 1024)

  for (const letter of ['é', '€']) {
    const body = { url_params: list(letter) }
    expect((await acme.put(`/v1/objects/${id}/url-params`, body)).status).toBe(200)
  }
  const { data: cut } = await acme.lastEvent()
  expect(cut.changes).toEqual({ url_params: { from: null, to: null, omitted: true } })
  expect(bytesOf(cut)).toBeLessThanOrEqual(256 * 1024)
})

test('events of one organisation and type that are written together form batches of at most 125', async () => {
  const [acme, globex] = [await harness.createTenant(), await harness.createTenant()]
  const domain = await connectedDomain(acme)
  const happened = (orgId: OrgId, type: keyof typeof customDomainEvents, count: number) =>
    Array.from({ length: count }, () => ({ orgId, type, payload: domain }))
  const all = [
    ...happened(acme.orgId, 'custom_domain.verified', 251),
    ...happened(acme.orgId, 'custom_domain.verification_lost', 2),
    ...happened(globex.orgId, 'custom_domain.verified', 1),
  ]
  const { database } = harness.service
  await database.write((tx) => emitAll(tx, customDomainEvents, all, timestamp(harness.nowMs())))
  const events = await database.read
    .selectFrom('events')
    .select(['id', 'type', 'batch_id', 'batch_size'])
    .where('org_id', 'in', [acme.orgId, globex.orgId])
    .orderBy('id')
    .execute()
  const batches = Map.groupBy(events, ({ batch_id, id }) => batch_id ?? id)
  expect([...batches.values()].map((batch) => batch.length)).toEqual([125, 125, 1, 2, 1])
  for (const [id, batch] of batches) {
    expect(batch[0]?.id).toBe(id)
    expect(new Set(batch.map(({ type }) => type)).size).toBe(1)
    for (const { batch_size } of batch) expect(batch_size).toBe(batch.length)
  }
  expect(events.filter(({ batch_id }) => batch_id === null)).toHaveLength(2)
})
