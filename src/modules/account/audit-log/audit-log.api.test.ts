import { describe, expect, test } from 'vitest'
import { deleteExpired } from '../../../erasure/retention.ts'
import { DAY_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Operation } from '../../../platform/contract/operation.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { ownBody, pathTo, resourceFamilies } from '../../../testing/operations.ts'
import { getRole } from '../roles/index.ts'

const harness = useHarness()

const entriesOf = async (tenant: Tenant, query = '') => (await tenant.get(`/v1/audit-log?limit=100${query}`)).body.data

describe.each(resourceFamilies.map((family) => [family.name, family] as const))('%s', (_name, family) => {
  const create = async (tenant: Tenant) => {
    const reply = await tenant.post(pathTo(family.create), await ownBody(tenant, family.create))
    expect(reply.status).toBe(201)
    return reply.body
  }

  test('a new resource is an entry with its values', async () => {
    const tenant = await harness.createTenant()
    const created = await create(tenant)
    const [entry] = await entriesOf(tenant)
    expect(entry).toMatchObject({
      object: 'audit_log_entry',
      action: expect.stringMatching(/\.(created|invited)$/),
      resource: { type: created.object, id: created.id, ids: null },
      address: '127.0.0.1',
    })
    expect(['api_key', 'person']).toContain(entry.actor.type)
    expect(JSON.stringify(entry)).not.toMatch(/wm_live_\w{40}|whsec_|wmi_/)
  })

  const { update, delete: remove } = family
  if (update) {
    test('a change is an entry with the values before and after, and no change is none', async () => {
      const tenant = await harness.createTenant()
      const { id } = await create(tenant)
      const path = pathTo(update, { id })
      const body = update.declared.example?.(7) as Record<string, unknown>
      expect((await tenant.patch(path, body)).status).toBe(200)
      const entries = await entriesOf(tenant, `&resource=${id}`)
      expect(entries[0].action).toMatch(/\.updated$/)
      const [name, change] = Object.entries<any>(entries[0].changes)[0]!
      expect(body).toHaveProperty(name)
      expect(change.from).not.toEqual(change.to)
      await tenant.patch(path, {})
      await tenant.patch(path, body)
      expect(await entriesOf(tenant, `&resource=${id}`)).toHaveLength(entries.length)
    })
  }

  if (remove) {
    test('a deletion is an entry', async () => {
      const tenant = await harness.createTenant()
      const { id } = await create(tenant)
      expect((await tenant.delete(pathTo(remove, { id }))).status).toBe(204)
      const [entry] = await entriesOf(tenant, `&resource=${id}`)
      expect(entry.action).toMatch(/\.(deleted|revoked)$/)
    })
  }

  test('a refused request is no entry', async () => {
    const tenant = await harness.createTenant()
    const before = (await entriesOf(tenant)).length
    await tenant.post(pathTo(family.create as Operation), { nonsense: true })
    expect(await entriesOf(tenant)).toHaveLength(before)
  })
})

test('a person, a key and their addresses are told apart', async () => {
  const acme = await harness.createTenant()
  const owner = await harness.createPerson(acme, 'owner')
  await acme.post('/v1/article-tags', { name: 'By key' })
  const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  await owner.post('/v1/article-tags', { name: 'By person' }, agent)
  const [byPerson, byKey] = await entriesOf(acme, '&action=article_tag.created')
  expect(byPerson).toMatchObject({
    actor: { type: 'person', id: owner.userId, name: 'Kim' },
    changes: { name: { from: null, to: 'By person' } },
    device: 'Firefox, Windows',
  })
  expect(byKey.actor).toEqual({ type: 'api_key', id: acme.keyId, name: 'Tests' })
  expect(await entriesOf(acme, `&actor=${owner.userId}`)).toEqual([byPerson])
})

test('a batch is one entry with all ids, and long values are left out', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.post('/v1/qr-codes/batch', { count: 20 })
  const [entry] = await entriesOf(acme)
  expect(entry).toMatchObject({ action: 'qr_code.created', resource: { id: null }, changes: null })
  expect(entry.resource.ids.sort()).toEqual(body.data.map(({ id }: any) => id).sort())
  const { body: base } = await acme.post('/v1/knowledge-bases', { name: 'Help' })
  const article = { knowledge_base_id: base.id, title: 'Oiling', content: 'x'.repeat(5000) }
  await acme.post('/v1/articles', article)
  const [created] = await entriesOf(acme)
  expect(created.changes.content).toEqual({ from: null, to: null, omitted: true })
  expect(created.changes.title).toEqual({ from: null, to: 'Oiling' })
})

test('filters by time, and exports the same as CSV that no spreadsheet runs', async () => {
  const acme = await harness.createTenant()
  await acme.post('/v1/article-tags', { name: '=HYPERLINK("https://evil.example")' })
  const middle = encodeURIComponent(timestamp(harness.nowMs() + 30_000))
  harness.advance(60_000)
  await acme.post('/v1/article-tags', { name: 'Later' })
  expect(await entriesOf(acme, `&from=${middle}`)).toHaveLength(1)
  expect(await entriesOf(acme, `&to=${middle}`)).toHaveLength(1)
  const { status, headers, text } = await acme.get('/v1/audit-log/export.csv')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/csv/)
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toContain('"time","action"')
  expect(lines).toHaveLength(3)
  expect(text).not.toMatch(/(^|,)"[=+@]/m)
})

test('only owners and admins read it', async () => {
  const acme = await harness.createTenant()
  for (const role of ['owner', 'admin', 'manager', 'agent', 'member'] as const) {
    const { status } = await (await harness.createPerson(acme, role)).get('/v1/audit-log')
    expect(status, role).toBe(getRole(role).permissions.includes('team.manage') ? 200 : 403)
  }
})

test('entries are deleted after 400 days', async () => {
  const acme = await harness.createTenant()
  await acme.post('/v1/article-tags', { name: 'Old' })
  await deleteExpired(harness.service.database, harness.nowMs() + 399 * DAY_MS, 400)
  expect(await entriesOf(acme)).toHaveLength(1)
  await deleteExpired(harness.service.database, harness.nowMs() + 401 * DAY_MS, 400)
  await eventually(async () => (await entriesOf(acme)).length === 0)
})
