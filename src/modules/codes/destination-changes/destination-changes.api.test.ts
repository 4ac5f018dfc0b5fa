/** Many destinations are changed at once: exactly those that were asked for, with the effects of a PATCH, and until it is undone. */
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { finished, itemsOf } from '../../../testing/data/job-worker.ts'
import { scan } from '../../../testing/data/scans.ts'
import { explain, firstIndex } from '../../../testing/engines/plans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const OLD = { url: 'https://acme.com/old' }
const NEW = { url: 'https://acme.com/new' }
const ELSEWHERE = { url: 'https://acme.com/elsewhere' }

const toGtin = (n: number): string => {
  const digits = `950600013${String(n).padStart(3, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

async function create(tenant: Tenant, path: string, body: object): Promise<any> {
  const reply = await tenant.post(path, body)
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}

const createCode = (tenant: Tenant, body: object = {}) => create(tenant, '/v1/qr-codes', body)

/** Begins a change, and waits for its job. */
async function change(tenant: Tenant, body: object): Promise<{ id: string; job: any }> {
  const { job_id: id } = await create(tenant, '/v1/destinations/change', body)
  return { id, job: await finished(tenant, id) }
}

async function undo(tenant: Tenant, undoId: string): Promise<{ id: string; job: any }> {
  const { job_id: id } = await create(tenant, `/v1/destinations/change/${undoId}/undo`, {})
  return { id, job: await finished(tenant, id) }
}

/** All entries of a cursor list. */
async function everything(tenant: Tenant, path: string): Promise<any[]> {
  const { body } = await tenant.get(path)
  if (!body.has_more) return body.data
  const rest = path.replace(/&cursor=.*$/, '')
  return [...body.data, ...(await everything(tenant, `${rest}&cursor=${encodeURIComponent(body.next_cursor)}`))]
}

const PATHS: Record<string, string> = {
  qr_code: '/v1/qr-codes',
  qr_group: '/v1/qr-groups',
  object: '/v1/objects',
  product: '/v1/products',
}
const get = async (tenant: Tenant, kind: string, id: string) => (await tenant.get(`${PATHS[kind]}/${id}`)).body
const leadOf = async (tenant: Tenant, kind: string, id: string) => {
  const { destination, destination_article_id, status } = await get(tenant, kind, id)
  return { destination, destination_article_id, status }
}

/** Creates 300 owners of all kinds that lead to the same place, and one of each that does not. */
async function createOwners(tenant: Tenant): Promise<Record<string, string[]>> {
  const destination = OLD
  const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))
  const codes = times(120, (n) => ({ external_id: `code-${n}`, name: `Door ${n}`, destination }))
  const objects = times(100, (n) => ({ external_id: `chair-${n}`, type: 'chair', destination }))
  const products = times(50, (n) => ({ gtin: toGtin(n), name: `Oil ${n}`, destination }))
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id).sort()
  const groups = await Promise.all(
    times(30, (n) => create(tenant, '/v1/qr-groups', { name: `Fair ${n}`, destination })),
  )
  for (const [kind, more] of [
    ['qr_code', {}],
    ['qr_group', { name: 'Other' }],
    ['object', { type: 'table' }],
    ['product', { name: 'Other', gtin: toGtin(999) }],
  ] as const)
    await create(tenant, PATHS[kind] as string, { ...more, destination: ELSEWHERE })
  return {
    qr_code: idsOf(await create(tenant, '/v1/qr-codes/batch', { items: codes })),
    qr_group: idsOf({ data: groups }),
    object: idsOf(await create(tenant, '/v1/objects/batch', { items: objects })),
    product: idsOf(await create(tenant, '/v1/products/batch', { items: products })),
  }
}

test('300 owners are looked at, changed and changed back, with the effects of a PATCH of each', async () => {
  const acme = await harness.createTenant()
  const owners = await createOwners(acme)
  const all = Object.values(owners).flat().sort()
  const [code = '', group = '', object = '', product = ''] = Object.values(owners).map(([id]) => id)
  const inGroup = await createCode(acme, { group_id: group })
  const scanned = [
    inGroup,
    await get(acme, 'qr_code', code),
    await get(acme, 'object', object),
    await get(acme, 'product', product),
  ]
  const expectScans = async ({ url }: { url: string }) => {
    for (const one of scanned)
      expect((await scan(harness, new URL(one.url).pathname)).headers.get('location')).toBe(url)
  }
  await expectScans(OLD)

  const preview = await create(acme, '/v1/destinations/change', { from: OLD, to: NEW, dry_run: true })
  expect(preview).toMatchObject({ object: 'destination_change', dry_run: true, count: 300, truncated: true })
  expect(preview).toMatchObject({ undo_id: null, job_id: null, data: { length: 100 } })
  expect(preview.data[0]).toMatchObject({
    kind: 'qr_code',
    id: code,
    name: 'Door 0',
    destination: { type: 'url', ...OLD },
  })
  await expectScans(OLD)
  expect(await everything(acme, '/v1/jobs?limit=100')).toEqual([])

  harness.advance(5000)
  const before = await Promise.all(Object.entries(owners).map(([kind, [id]]) => get(acme, kind, id as string)))
  const begun = await create(acme, '/v1/destinations/change', { from: OLD, to: NEW })
  expect(begun).toMatchObject({ dry_run: false, count: 300, truncated: false, data: [], undo_id: begun.job_id })
  const job = await finished(acme, begun.job_id)
  expect(job).toMatchObject({ object: 'job', kind: 'destination_change', status: 'completed', error: null })
  expect(job.progress).toEqual({ total: 300, done: 300, failed: 0 })
  expect(job.created_by).toEqual({ type: 'api_key', id: acme.keyId, name: 'Tests' })
  await expectScans(NEW)
  for (const row of before) {
    const after = await get(acme, row.object, row.id)
    expect(after.destination.url).toBe(NEW.url)
    expect(after.updated_at).not.toBe(row.updated_at)
  }
  const items = await itemsOf(acme, job.id)
  expect(items.map(({ target }) => target.id).sort()).toEqual(all)
  expect(new Set(items.map(({ result, reason, error }) => [result, reason, error].join()))).toEqual(
    new Set(['changed,,']),
  )

  const expectTrail = async (times: number) => {
    for (const [kind, ids] of Object.entries(owners)) {
      const events = await everything(acme, `/v1/events?limit=100&type=${kind}.updated`)
      expect(events.map(({ data }) => data.id).sort()).toEqual(Array(times).fill(ids).flat().sort())
      const entries = await everything(acme, `/v1/audit-log?limit=100&action=${kind}.updated`)
      expect(entries.flatMap(({ resource }) => resource.ids ?? [resource.id]).sort()).toEqual(
        Array(times).fill(ids).flat().sort(),
      )
      expect(entries[0]).toMatchObject({ actor: { type: 'api_key', id: acme.keyId }, address: '127.0.0.1' })
    }
  }
  await expectTrail(1)
  const [event] = await everything(acme, `/v1/events?limit=100&type=object.updated`)
  expect(event.data.changes).toEqual({
    destination: { from: expect.objectContaining(OLD), to: expect.objectContaining(NEW) },
  })
  expect(await change(acme, { from: OLD, to: NEW })).toMatchObject({
    job: { status: 'completed', progress: { total: 0, done: 0, failed: 0 } },
  })

  const undone = await undo(acme, begun.undo_id)
  expect(undone.job).toMatchObject({ kind: 'destination_change_undo', status: 'completed' })
  expect(undone.job.progress).toEqual({ total: 300, done: 300, failed: 0 })
  await expectScans(OLD)
  await expectTrail(2)
  for (const row of before) expect(await leadOf(acme, row.object, row.id)).toEqual(pick(row))
})

const pick = ({ destination, destination_article_id, status }: any) => ({ destination, destination_article_id, status })

test('an undo leaves alone what was changed again since, and names what cannot be given back', async () => {
  const acme = await harness.createTenant()
  const page = (await create(acme, '/v1/pages', { title: 'Care', status: 'active' })).id
  const codes = await Promise.all(Array.from({ length: 6 }, () => createCode(acme, { destination: { page } })))
  const [same, elsewhere, deleted, paused, back] = codes.map(({ id }) => id) as [string, string, string, string, string]
  const { id } = await change(acme, { from: { page }, to: NEW })
  await acme.patch(`/v1/qr-codes/${elsewhere}`, { destination: ELSEWHERE })
  await acme.delete(`/v1/qr-codes/${deleted}`)
  await acme.patch(`/v1/qr-codes/${paused}`, { status: 'inactive', name: 'Paused' })
  await acme.patch(`/v1/qr-codes/${back}`, { destination: { page } })
  const undone = await undo(acme, id)
  expect(undone.job).toMatchObject({ status: 'completed', progress: { total: 6, done: 6, failed: 0 } })
  const outcome = Object.fromEntries(
    (await itemsOf(acme, undone.id)).map(({ target, result, reason }) => [target.id, [result, reason]]),
  )
  expect(outcome).toMatchObject({
    [same]: ['changed', null],
    [elsewhere]: ['skipped', 'changed_since'],
    [deleted]: ['skipped', 'deleted'],
    [paused]: ['changed', null],
    [back]: ['unchanged', null],
  })
  expect(await itemsOf(acme, undone.id, '&result=skipped')).toHaveLength(2)
  expect(await leadOf(acme, 'qr_code', same)).toMatchObject({ destination: { page }, status: 'active' })
  expect(await leadOf(acme, 'qr_code', elsewhere)).toMatchObject({ destination: ELSEWHERE })
  expect(await leadOf(acme, 'qr_code', paused)).toMatchObject({ destination: { page }, status: 'inactive' })

  const second = await change(acme, { from: { page }, to: NEW })
  await acme.delete(`/v1/pages/${page}`)
  const missing = await undo(acme, second.id)
  expect(missing.job).toMatchObject({ status: 'completed', progress: { done: 4, failed: 0 } })
  for (const item of await itemsOf(acme, missing.id))
    expect(item).toMatchObject({ result: 'skipped', reason: 'destination_missing' })
  expect(await leadOf(acme, 'qr_code', same)).toMatchObject({ destination: NEW })
})

test('an undo gives back articles, and the status that came with a destination', async () => {
  const centre = await createCentre(harness)
  const acme = centre.tenant
  const article = await centre.article({ slug: 'oak-table' })
  const toArticle = await createCode(acme, { destination_article_id: article.id })
  const toBase = await createCode(acme, { destination: { knowledge_base: centre.base.id } })
  const empty = await createCode(acme)
  const chair = await create(acme, '/v1/objects', { type: 'chair' })
  const ids = [toArticle.id, toBase.id, empty.id, chair.id]
  const { id } = await change(acme, { filter: { ids }, to: NEW })
  expect(await leadOf(acme, 'qr_code', toArticle.id)).toMatchObject({ destination: NEW, destination_article_id: null })
  expect(await leadOf(acme, 'qr_code', empty.id)).toMatchObject({ destination: NEW, status: 'active' })
  await undo(acme, id)
  for (const row of [toArticle, toBase, empty, chair]) expect(await leadOf(acme, row.object, row.id)).toEqual(pick(row))

  const removed = await change(acme, { filter: { ids }, to: null })
  expect(removed.job.progress.total, 'two had none').toBe(2)
  expect(await leadOf(acme, 'qr_code', toBase.id)).toMatchObject({ destination: { url: null }, status: 'unconfigured' })
  await acme.delete(`/v1/articles/${article.id}`)
  const undone = await undo(acme, removed.id)
  expect((await itemsOf(acme, undone.id)).map(({ target, reason }) => [target.id, reason]).sort()).toEqual(
    [
      [toArticle.id, 'destination_missing'],
      [toBase.id, null],
    ].sort(),
  )
  expect(await leadOf(acme, 'qr_code', toBase.id)).toEqual(pick(toBase))
})

describe('a filter', () => {
  const preview = async (tenant: Tenant, body: object): Promise<string[]> => {
    const { count, data } = await create(tenant, '/v1/destinations/change', { ...body, to: NEW, dry_run: true })
    expect(count).toBe(data.length)
    return data.map(({ name }: any) => name).sort()
  }

  test('finds by kind, group, type, status, id and the beginning of an address, and all of them have to match', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme, '/v1/qr-groups', { name: 'group', destination: OLD })
    const codes = [
      await createCode(acme, { name: 'here', destination: OLD, group_id: group.id }),
      await createCode(acme, { name: 'below', destination: { url: `${OLD.url}/manuals?a=1` } }),
      await createCode(acme, { name: 'none' }),
      await createCode(acme, { name: 'archived', destination: OLD, status: 'archived' }),
      await createCode(acme, { name: 'there already', destination: NEW }),
    ]
    await create(acme, '/v1/objects', { name: 'chair', type: 'chair', destination: OLD })
    await create(acme, '/v1/objects', { name: 'table', type: 'table', destination: OLD })
    await create(acme, '/v1/products', { name: 'oil', destination: OLD })
    const [here, below] = codes.map(({ id }) => id)
    for (const [body, names] of [
      [{ from: OLD }, ['archived', 'chair', 'group', 'here', 'oil', 'table']],
      [{ filter: { kinds: ['qr_code'] } }, ['archived', 'below', 'here', 'none']],
      [{ from: OLD, filter: { kinds: ['product', 'qr_group'] } }, ['group', 'oil']],
      [{ filter: { group_id: group.id } }, ['here']],
      [{ filter: { type: 'chair' } }, ['chair']],
      [{ filter: { status: 'archived' } }, ['archived']],
      [{ filter: { status: 'unconfigured' } }, ['none']],
      [{ filter: { ids: [here, below, here, group.id] } }, ['below', 'group', 'here']],
      [{ from: OLD, filter: { ids: [here, below] } }, ['here']],
      [{ filter: { url_starts_with: OLD.url } }, ['archived', 'below', 'chair', 'group', 'here', 'oil', 'table']],
      [{ filter: { url_starts_with: `${OLD.url}/` } }, ['below']],
      [{ from: OLD, filter: { url_starts_with: `${OLD.url}/` } }, []],
      [{ from: { url: `${OLD.url}/` } }, []],
    ] as const)
      expect(await preview(acme, body), JSON.stringify(body)).toEqual(names)
    const none = await change(acme, { filter: { ids: [newId()] }, to: NEW })
    expect(none.job).toMatchObject({ status: 'completed', progress: { total: 0, done: 0, failed: 0 } })
  })

  test('reaches nothing of another organisation', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const theirs = await createCode(other, { destination: OLD })
    const page = (await create(other, '/v1/pages', { title: 'Theirs' })).id
    const group = (await create(other, '/v1/qr-groups', { name: 'Theirs' })).id
    const post = (body: object) => acme.post('/v1/destinations/change', body)
    expect((await post({ filter: { ids: [theirs.id] }, to: NEW, dry_run: true })).body.count).toBe(0)
    for (const dry_run of [true, false]) {
      expect(await post({ from: OLD, to: { page }, dry_run })).toMatchObject({
        status: 422,
        body: { details: { field: 'to.page', value: page } },
      })
      expect(await post({ filter: { group_id: group }, to: NEW, dry_run })).toMatchObject({
        status: 422,
        body: { details: { field: 'filter.group_id', value: group } },
      })
    }
    expect((await change(acme, { from: { page }, to: NEW })).job.progress.total).toBe(0)
    const { id } = await change(other, { from: OLD, to: NEW })
    for (const path of [`/v1/destinations/change/${id}/undo`, `/v1/jobs/${id}/cancel`])
      expect((await acme.post(path)).body.error).toBe('not_found')
    for (const path of [`/v1/jobs/${id}`, `/v1/jobs/${id}/items`])
      expect((await acme.get(path)).body.error).toBe('not_found')
    expect((await get(other, 'qr_code', theirs.id)).destination).toMatchObject(NEW)
  })

  test('is read from the index of the ids of an organisation, also where nothing matches', async () => {
    const acme = await harness.createTenant()
    await createCode(acme, { destination: OLD })
    const ran = await harness.statementsOf(async () => {
      await create(acme, '/v1/destinations/change', { from: OLD, to: NEW, dry_run: true })
    })
    const statements = ran.filter(({ sql }) =>
      /^select .* from "(qr_codes|qr_groups|objects|products)" where/.test(sql),
    )
    expect(statements.length).toBeGreaterThan(8)
    for (const statement of statements) {
      const [, table] = /from "(\w+)"/.exec(statement.sql) ?? []
      const plan = await explain(harness.service.database, statement)
      expect(firstIndex(plan), plan).toBe(`${table}_org_idx`)
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/)
    }
  })
})

describe('who may', () => {
  test('change what they may manage, kind by kind', async () => {
    const acme = await harness.createTenant()
    const withScopes = (...scopes: string[]) => harness.client(harness.scoped.issue(acme.orgId, scopes))
    const post = async (scopes: string[], filter: object) => {
      const body = { from: OLD, filter, to: NEW, dry_run: true }
      const { status, body: reply } = await withScopes(...scopes).post('/v1/destinations/change', body)
      return status === 403 ? reply.details.required_scope : status
    }
    expect(await post(['qr.manage'], { kinds: ['qr_code', 'qr_group'] })).toBe(200)
    expect(await post(['qr.manage'], { kinds: ['qr_code', 'object'] })).toBe('objects.manage')
    expect(await post(['qr.manage', 'objects.view'], { type: 'chair' })).toBe('objects.manage')
    expect(await post(['qr.manage', 'objects.manage'], {})).toBe('products.manage')
    expect(await post(['qr.manage', 'objects.manage', 'products.manage'], {})).toBe(200)
    expect(await post(['objects.manage'], { type: 'chair' })).toBe('qr.manage')
    for (const [role, status] of [
      ['manager', 200],
      ['agent', 403],
      ['member', 403],
    ] as const) {
      const person = await harness.createPerson(acme, role)
      const body = { from: OLD, to: NEW, dry_run: true }
      expect((await person.post('/v1/destinations/change', body)).status, role).toBe(status)
    }
  })

  test('undo it: those who may manage all that it was about', async () => {
    const acme = await harness.createTenant()
    const { id } = await change(acme, { from: OLD, to: NEW })
    const client = harness.client(harness.scoped.issue(acme.orgId, ['qr.manage', 'objects.manage']))
    const { status, body } = await client.post(`/v1/destinations/change/${id}/undo`)
    expect({ status, scope: body.details.required_scope }).toEqual({ status: 403, scope: 'products.manage' })
  })
})

describe('an undo', () => {
  test('happens once, also if two ask for it at once, and not to itself', async () => {
    const acme = await harness.createTenant()
    await createCode(acme, { destination: OLD })
    const { id } = await change(acme, { from: OLD, to: NEW })
    const path = `/v1/destinations/change/${id}/undo`
    const replies = await Promise.all([acme.post(path), acme.post(path)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const done = replies.find(({ status }) => status === 200)?.body
    expect(done).toMatchObject({ object: 'destination_change', count: 1, undo_id: null })
    await finished(acme, done.job_id)
    expect(await acme.post(path)).toMatchObject({ status: 409, body: { details: { reason: 'undone' } } })
    expect((await acme.post(`/v1/destinations/change/${done.job_id}/undo`)).status).toBe(404)
  })

  test('is possible for 30 days', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme, { destination: OLD })
    const [first, second] = [
      await change(acme, { from: OLD, to: NEW }),
      await change(acme, { from: NEW, to: ELSEWHERE }),
    ]
    harness.advance(30 * DAY_MS - 60_000)
    await undo(acme, second.id)
    expect((await get(acme, 'qr_code', code.id)).destination).toMatchObject(NEW)
    harness.advance(60_000)
    expect(await acme.post(`/v1/destinations/change/${first.id}/undo`)).toMatchObject({
      status: 410,
      body: { error: 'gone' },
    })
  })
})
