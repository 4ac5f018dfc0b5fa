import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const THERE = { destination: { url: 'https://acme.com/there' } }
const create = async (tenant: Tenant, body: object = {}) =>
  (await tenant.post('/v1/qr-groups', { name: 'Doors', ...body })).body

test('the description defaults to an empty string, and the status follows the destination', async () => {
  const acme = await harness.createTenant()
  expect(await create(acme)).toMatchObject({ description: '', status: 'unconfigured', qr_code_count: 0 })
  expect(await create(acme, THERE)).toMatchObject({ status: 'active', destination: { type: 'url' } })
  const group = await create(acme, { ...THERE, status: 'inactive', description: 'All of them' })
  expect(group).toMatchObject({ status: 'inactive', description: 'All of them' })
  const change = async (body: object) => (await acme.patch(`/v1/qr-groups/${group.id}`, body)).body
  expect(await change({ description: null })).toMatchObject({ description: '' })
  expect(await change({ destination: null })).toMatchObject({ status: 'unconfigured' })
  expect(await change(THERE)).toMatchObject({ status: 'active' })
})

test('names need not be unique, and sort ignoring case', async () => {
  const acme = await harness.createTenant()
  for (const name of ['berta', 'Anton', 'anton', 'Ärger', '🚪']) await create(acme, { name })
  const names = async (query: string) =>
    (await acme.get(`/v1/qr-groups?${query}`)).body.data.map(({ name }: { name: string }) => name)
  expect(await names('sort=name')).toEqual(['Anton', 'anton', 'berta', 'Ärger', '🚪'])
  expect(await names('')).toEqual(['🚪', 'Ärger', 'anton', 'Anton', 'berta'])
  expect((await acme.get('/v1/qr-groups?sort=scans')).body.error).toBe('invalid_query')
  expect((await acme.get('/v1/qr-groups?status=active')).body.error).toBe('invalid_query')
})

test.each([{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(201) }, { name: null }])(
  '%j returns 400 and creates no group',
  async (body) => {
    const acme = await harness.createTenant()
    const reply = await acme.post('/v1/qr-groups', body)
    expect(reply.body).toMatchObject({
      error: 'invalid_payload',
      details: { fieldErrors: { name: [expect.any(String)] } },
    })
    expect((await acme.get('/v1/qr-groups')).body.total).toBe(0)
  },
)

test('qr_code_count follows codes that are created, moved and deleted', async () => {
  const acme = await harness.createTenant()
  const [one, two] = [await create(acme), await create(acme)]
  const counts = async () => {
    const listed = (await acme.get('/v1/qr-groups?sort=recent')).body.data
    const single = [(await acme.get(`/v1/qr-groups/${two.id}`)).body, (await acme.get(`/v1/qr-groups/${one.id}`)).body]
    expect(listed).toEqual(single)
    return single.reverse().map(({ qr_code_count }) => qr_code_count)
  }
  const { data: codes } = (await acme.post('/v1/qr-codes/batch', { count: 5, group_id: one.id })).body
  expect(await counts()).toEqual([5, 0])
  await acme.patch(`/v1/qr-codes/${codes[0].id}`, { group_id: two.id })
  await acme.patch(`/v1/qr-codes/${codes[1].id}`, { group_id: null })
  await acme.patch(`/v1/qr-codes/${codes[2].id}`, { status: 'archived' })
  expect(await counts()).toEqual([3, 1])
  await acme.delete(`/v1/qr-codes/${codes[3].id}`)
  expect(await counts()).toEqual([2, 1])
})

describe('deleting', () => {
  test('keeps the codes of the group, without a group', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme)
    const { data: codes } = (await acme.post('/v1/qr-codes/batch', { count: 3, group_id: group.id })).body
    await acme.put(`/v1/qr-groups/${group.id}/properties`, { properties: [{ key: 'a', value: 'b' }] })
    expect((await acme.delete(`/v1/qr-groups/${group.id}`)).status).toBe(204)
    const after = (await acme.get('/v1/qr-codes')).body
    expect(after.total).toBe(3)
    expect(after.data.map(({ group_id }: any) => group_id)).toEqual([null, null, null])
    expect((await acme.get(`/v1/qr-groups/${group.id}/properties`)).body.error).toBe('gone')
    expect((await acme.patch(`/v1/qr-codes/${codes[0].id}`, { group_id: group.id })).body.error).toBe('unprocessable')
    const deleted = { object: 'qr_group', id: group.id, deleted: true, deleted_at: expect.any(String) }
    expect(await acme.lastEvent()).toMatchObject({ type: 'qr_group.deleted', data: deleted })
  })

  test('leaves no code in a deleted group when codes are added at the same time', async () => {
    const acme = await harness.createTenant()
    for (let round = 0; round < 5; round++) {
      const group = await create(acme)
      const made = Array.from({ length: 8 }, () => acme.post('/v1/qr-codes', { group_id: group.id }))
      const [deleted, ...replies] = await Promise.all([acme.delete(`/v1/qr-groups/${group.id}`), ...made])
      expect(deleted!.status).toBe(204)
      for (const { status } of replies) expect([201, 422]).toContain(status)
    }
    const { data } = (await acme.get('/v1/qr-codes?page_size=100')).body
    for (const { group_id } of data) expect(group_id).toBeNull()
  })
})

test('emits events with the changed fields and lists, and none without a change', async () => {
  const acme = await harness.createTenant()
  const group = await create(acme)
  expect(await acme.lastEvent()).toMatchObject({ type: 'qr_group.created', data: group })
  const after = (await acme.patch(`/v1/qr-groups/${group.id}`, THERE)).body
  expect(await acme.lastEvent()).toMatchObject({
    type: 'qr_group.updated',
    data: { ...after, changes: { status: { from: 'unconfigured', to: 'active' } } },
  })
  const url_params = [{ key: 'utm_source', value: 'door' }]
  await acme.put(`/v1/qr-groups/${group.id}/url-params`, { url_params })
  const event = await acme.lastEvent()
  expect(event).toMatchObject({
    type: 'qr_group.updated',
    data: { changes: { url_params: { from: [], to: url_params } } },
  })
  await acme.put(`/v1/qr-groups/${group.id}/url-params`, { url_params })
  expect(await acme.lastEvent()).toEqual(event)
})

test('returns 422 for a destination of another organisation', async () => {
  const acme = await harness.createTenant()
  const reply = await acme.post('/v1/qr-groups', { name: 'X', destination: { page: newId() } })
  expect(reply.body).toMatchObject({ error: 'unprocessable', details: { field: 'destination.page' } })
})
