import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, timestamp } from '../../../platform/clock/index.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const to = (place: string) => ({ destination: { url: `https://acme.com/${place}` } })
const create = async (tenant: Tenant, family: string, body: object = {}): Promise<any> => {
  const reply = await tenant.post(`/v1/${family}`, body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}
const leads = async ({ public_slug }: { public_slug: string }) =>
  (await scan(harness, `/${public_slug}`)).headers.get('location')?.replace('https://acme.com/', '') ?? null
const historyOf = async (tenant: Tenant, id: string, family = 'qr-codes'): Promise<any[]> =>
  (await tenant.get(`/v1/${family}/${id}/history`)).body.data
const eventsOf = async (tenant: Pick<Tenant, 'get'>): Promise<any[]> =>
  (await tenant.get('/v1/events?limit=100')).body.data
const inFuture = (ms: number) => timestamp(harness.nowMs() + ms)
const schedule = async (tenant: Tenant, id: string, body: object, family = 'qr-codes'): Promise<any> => {
  const reply = await tenant.post(`/v1/${family}/${id}/history`, body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

describe('versions', () => {
  test('a code that has never changed has the version that it was created with', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('a'))
    const [only, ...others] = await historyOf(acme, code.id)
    expect(others).toEqual([])
    expect(only).toMatchObject({
      object: 'version',
      version: 1,
      status: 'current',
      cause: 'created',
      summary: 'It was created with https://acme.com/a.',
      changes: null,
      actor: null,
      effective_at: code.created_at,
      state: { status: 'active', destination: { type: 'url', url: 'https://acme.com/a' }, rules_version: null },
    })
    expect((await acme.get(`/v1/qr-codes/${code.id}/history/1`)).body).toEqual({ ...only, rules: null })
    expect((await acme.get(`/v1/qr-codes/${code.id}/history/2`)).status).toBe(404)
  })

  test('every change of where something leads is one, in words and with who made it, and no other change is', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme, 'qr-groups', { name: 'Menu' })
    const code = await create(acme, 'qr-codes', { external_id: 'c-1', ...to('a') })
    const path = `/v1/qr-codes/${code.id}`
    await acme.patch(path, { name: 'A name', description: 'No change of where it leads' })
    await acme.put(`${path}/url-params`, { url_params: [{ key: 'a', value: 'b' }] })
    await acme.patch(path, to('b'))
    await acme.put(`${path}/rules`, { rules: [{ id: 'all', name: 'All', when: {}, then: to('c') }] })
    await acme.post('/v1/qr-codes/batch', { items: [{ external_id: 'c-1', status: 'inactive' }] })
    await acme.patch(path, { group_id: group.id })
    const history = await historyOf(acme, code.id)
    expect(history.map(({ version, status, cause, summary }) => [version, status, cause, summary])).toEqual([
      [5, 'current', 'changed', 'It was put into a group.'],
      [4, 'past', 'changed', 'The status changed from active to inactive.'],
      [3, 'past', 'changed', 'The rules changed to version 1.'],
      [2, 'past', 'changed', 'The destination changed from https://acme.com/a to https://acme.com/b.'],
      [1, 'past', 'created', 'It was created with https://acme.com/a.'],
    ])
    expect(history[0].actor).toMatchObject({ type: 'api_key' })
    expect(history[1].changes).toEqual({ status: { from: 'active', to: 'inactive' } })
    expect((await acme.get(`${path}/history/3`)).body.rules).toMatchObject({ rules: [{ id: 'all', then: to('c') }] })
    const pages = await Promise.all([1, 2, 3].map((page) => acme.get(`${path}/history?page_size=2&page=${page}`)))
    expect(pages.flatMap(({ body }) => body.data)).toEqual(history)
    expect(pages[0]?.body.total).toBe(5)
  })

  test.each([
    ['qr-groups', { name: 'Menu' }],
    ['objects', { type: 'table' }],
    ['products', { name: 'Soup', gtin: '09506000134352' }],
  ])('%s have them, too', async (family, body) => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, family, { ...body, ...to('a') })
    await acme.patch(`/v1/${family}/${id}`, to('b'))
    const history = await historyOf(acme, id, family)
    expect(history.map(({ version, status }) => [version, status])).toEqual([
      [2, 'current'],
      [1, 'past'],
    ])
    const restored = await acme.post(`/v1/${family}/${id}/history/1/restore`)
    expect(restored).toMatchObject({ status: 200, body: { version: 3, cause: 'restored' } })
    expect((await acme.get(`/v1/${family}/${id}`)).body.destination.url).toBe('https://acme.com/a')
  })

  test('two changes at once are two versions', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, 'qr-codes', to('a'))
    await Promise.all(Array.from({ length: 10 }, (_, n) => acme.patch(`/v1/qr-codes/${id}`, to(`${n}`))))
    const history = await historyOf(acme, id)
    expect(history.map(({ version }) => version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('belong to one organisation, and are gone with their owner', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const { id } = await create(acme, 'qr-codes', to('a'))
    await acme.patch(`/v1/qr-codes/${id}`, to('b'))
    for (const path of ['history', 'history/1', 'rules'])
      expect((await other.get(`/v1/qr-codes/${id}/${path}`)).status).toBe(404)
    expect((await other.post(`/v1/qr-codes/${id}/history/1/restore`)).status).toBe(404)
    await acme.delete(`/v1/qr-codes/${id}`)
    expect((await acme.get(`/v1/qr-codes/${id}/history`)).status).toBe(410)
    const left = await harness.service.database.read
      .selectFrom('target_versions')
      .select('id')
      .where('org_id', '=', acme.orgId)
      .execute()
    expect(left).toEqual([])
  })
})

describe('restoring', () => {
  test('brings back destination, status, rules and group as a new version', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme, 'qr-groups', { name: 'Menu' })
    const code = await create(acme, 'qr-codes', { group_id: group.id, ...to('a') })
    const path = `/v1/qr-codes/${code.id}`
    await acme.put(`${path}/rules`, { rules: [{ id: 'all', name: 'All', when: {}, then: to('ruled') }] })
    expect(await leads(code)).toBe('ruled')
    await acme.put(`${path}/rules`, { rules: [] })
    await acme.patch(path, { destination: null, group_id: null })
    expect(await leads(code)).toBeNull()
    const reply = await acme.post(`${path}/history/2/restore`)
    expect(reply).toMatchObject({
      status: 200,
      body: { version: 5, cause: 'restored', rules: { rules: [{ id: 'all' }] } },
    })
    expect(await leads(code)).toBe('ruled')
    expect((await acme.get(path)).body).toMatchObject({
      group_id: group.id,
      has_rules: true,
      status: 'active',
      ...to('a'),
    })
    expect((await acme.get(`${path}/rules`)).body).toMatchObject({ version: 1 })
    const [event] = await eventsOf(acme)
    expect(event).toMatchObject({
      type: 'qr_code.updated',
      data: { changes: { has_rules: { from: false, to: true } } },
    })
  })

  test('of the current version changes nothing', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, 'qr-codes', to('a'))
    const before = await eventsOf(acme)
    expect(await acme.post(`/v1/qr-codes/${id}/history/1/restore`)).toMatchObject({ status: 200, body: { version: 1 } })
    expect(await eventsOf(acme)).toEqual(before)
  })

  test('names what was deleted since', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme, 'qr-groups', { name: 'Menu' })
    const page = await create(acme, 'pages', { title: 'Menu' })
    const inGroup = await create(acme, 'qr-codes', { group_id: group.id })
    const toPage = await create(acme, 'qr-codes', { destination: { page: page.id } })
    for (const { id } of [inGroup, toPage]) await acme.patch(`/v1/qr-codes/${id}`, { ...to('b'), group_id: null })
    await acme.delete(`/v1/qr-groups/${group.id}`)
    await acme.delete(`/v1/pages/${page.id}`)
    const restore = async ({ id }: { id: string }) => (await acme.post(`/v1/qr-codes/${id}/history/1/restore`)).body
    expect(await restore(inGroup)).toMatchObject({
      error: 'unprocessable',
      details: { field: 'group_id', value: group.id },
    })
    expect(await restore(toPage)).toMatchObject({ details: { field: 'destination.page', value: page.id } })
  })
})

describe('a scheduled version', () => {
  test('becomes effective exactly at its time: for scans, reads, lists and events', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('a'))
    const path = `/v1/qr-codes/${code.id}`
    using _clock = harness.stopClock()
    const at = inFuture(HOUR_MS)
    const scheduled = await schedule(acme, code.id, { effective_at: at, ...to('b') })
    expect(scheduled).toMatchObject({ version: 2, status: 'scheduled', effective_at: at, state: to('b') })
    expect(await eventsOf(acme)).toHaveLength(1)
    expect((await acme.get(path)).body).toEqual(code)
    expect(await leads(code)).toBe('a')

    harness.advance(HOUR_MS - 1)
    expect(await leads(code)).toBe('a')
    expect((await acme.get(path)).body.destination.url).toBe('https://acme.com/a')
    harness.advance(1)
    expect(await leads(code)).toBe('b')
    expect((await acme.get(path)).body).toMatchObject(to('b'))
    expect((await historyOf(acme, code.id)).map(({ version, status, cause }) => [version, status, cause])).toEqual([
      [2, 'current', 'scheduled'],
      [1, 'past', 'created'],
    ])
    const [event] = await eventsOf(acme)
    expect(event).toMatchObject({ type: 'qr_code.updated', data: { id: code.id, ...to('b') } })
    const scans = (await acme.get(`${path}/scans`)).body.data
    expect(scans.map(({ decision }: any) => decision.version)).toEqual([2, 1, 1])
  })

  test('can be a status or rules, of groups, objects and products, too, and sets up what is not', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme, 'qr-groups', { name: 'Menu' })
    const code = await create(acme, 'qr-codes', { group_id: group.id })
    const object = await create(acme, 'objects', { type: 'table', ...to('table') })
    const product = await create(acme, 'products', { name: 'Soup' })
    const rules = { rules: [{ id: 'all', name: 'All', when: {}, then: to('ruled') }] }
    await schedule(acme, group.id, { effective_at: inFuture(DAY_MS), ...to('group') }, 'qr-groups')
    await schedule(acme, object.id, { effective_at: inFuture(DAY_MS), status: 'inactive' }, 'objects')
    await schedule(acme, product.id, { effective_at: inFuture(DAY_MS), rules }, 'products')
    await schedule(acme, code.id, { effective_at: inFuture(2 * DAY_MS), rules })
    harness.advance(DAY_MS + 1000)
    expect(await leads(code)).toBe('group')
    expect((await acme.get(`/v1/qr-groups/${group.id}`)).body).toMatchObject({ status: 'active', ...to('group') })
    expect((await acme.get(`/v1/objects/${object.id}`)).body.is_active).toBe(false)
    expect((await acme.get(`/v1/products/${product.id}`)).body.has_rules).toBe(true)
    harness.advance(DAY_MS)
    expect(await leads(code)).toBe('ruled')
    expect((await acme.get(`/v1/qr-codes/${code.id}/rules`)).body).toMatchObject({ version: 1, rules: [{ id: 'all' }] })
  })

  test('is left standing by other changes, and changes only what it names', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('a'))
    await schedule(acme, code.id, { effective_at: inFuture(HOUR_MS), status: 'inactive' })
    await schedule(acme, code.id, { effective_at: inFuture(2 * HOUR_MS), status: 'active' })
    await acme.patch(`/v1/qr-codes/${code.id}`, to('b'))
    expect((await historyOf(acme, code.id)).map(({ version, status, summary }) => [version, status, summary])).toEqual([
      [3, 'scheduled', 'The status changed from inactive to active.'],
      [2, 'scheduled', 'The status changed from active to inactive.'],
      [4, 'current', 'The destination changed from https://acme.com/a to https://acme.com/b.'],
      [1, 'past', 'It was created with https://acme.com/a.'],
    ])
    harness.advance(HOUR_MS)
    expect(await leads(code)).toBeNull()
    harness.advance(HOUR_MS)
    expect(await leads(code)).toBe('b')
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body).toMatchObject({ status: 'active', ...to('b') })
  })

  test('is effective after an outage, in the order of their times', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('a'))
    for (const [n, place] of ['b', 'c', 'd'].entries())
      await schedule(acme, code.id, { effective_at: inFuture((n + 1) * HOUR_MS), ...to(place) })
    harness.advance(2 * HOUR_MS + 1000)
    await harness.restart()
    const again = harness.client(acme.apiKey)
    expect(await leads(code)).toBe('c')
    expect((await again.get(`/v1/qr-codes/${code.id}`)).body).toMatchObject(to('c'))
    const updates = (await eventsOf(again)).filter(({ type }) => type === 'qr_code.updated')
    expect(updates.map(({ data }) => data.destination.url)).toEqual(['https://acme.com/c', 'https://acme.com/b'])
  })

  test('can be cancelled, and disappears with its owner', async () => {
    const acme = await harness.createTenant()
    const [code, deleted] = [await create(acme, 'qr-codes', to('a')), await create(acme, 'qr-codes', to('a'))]
    for (const { id } of [code, deleted]) await schedule(acme, id, { effective_at: inFuture(HOUR_MS), ...to('b') })
    await acme.delete(`/v1/qr-codes/${deleted.id}`)
    expect((await acme.delete(`/v1/qr-codes/${code.id}/history/2`)).status).toBe(204)
    expect((await acme.delete(`/v1/qr-codes/${code.id}/history/2`)).status).toBe(404)
    expect((await acme.delete(`/v1/qr-codes/${code.id}/history/1`)).status).toBe(422)
    harness.advance(HOUR_MS)
    expect(await leads(code)).toBe('a')
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body).toMatchObject(to('a'))
    expect((await scan(harness, `/${deleted.public_slug}`)).status).toBe(410)
  })

  test('has to be in the future, within ten years, with something to change, and one of ten', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, 'qr-codes', to('a'))
    const post = (body: object) => acme.post(`/v1/qr-codes/${id}/history`, body)
    for (const effective_at of [inFuture(-1000), inFuture(4000 * DAY_MS)])
      expect(await post({ effective_at, ...to('b') })).toMatchObject({
        status: 400,
        body: { error: 'invalid_payload' },
      })
    expect(await post({ effective_at: inFuture(HOUR_MS) })).toMatchObject({ status: 400 })
    for (let n = 0; n < 10; n++) await schedule(acme, id, { effective_at: inFuture(HOUR_MS), ...to(`${n}`) })
    expect(await post({ effective_at: inFuture(HOUR_MS), ...to('b') })).toMatchObject({ status: 422 })
  })
})
