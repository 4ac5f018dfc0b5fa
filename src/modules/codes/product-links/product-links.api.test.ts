import { expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { expectUnprocessable } from '../../../testing/check-response.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { LINK_TYPES } from '../gs1/index.ts'
import { selectProductLinks } from './index.ts'

const harness = useHarness()

const GTIN = '09506000134352'
const PIP = { link_type: 'gs1:pip', url: 'https://acme.com/oil', title: 'Oil' }

async function createProduct(body: object = {}) {
  const acme = await harness.createTenant()
  const { body: product } = await acme.post('/v1/products', { name: 'Oil', ...body })
  return { acme, product, path: `/v1/products/${product.id}/links` }
}

const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data

async function createDestinations(tenant: Tenant) {
  const [chatbot, page, knowledge_base] = await Promise.all([
    tenant.post('/v1/chatbots', { name: 'Help', status: 'active' }),
    tenant.post('/v1/pages', { title: 'Help', status: 'active' }),
    tenant.post('/v1/knowledge-bases', { name: 'Help' }),
  ])
  return { chatbot: chatbot.body, page: page.body, knowledge_base: knowledge_base.body }
}

test('PUT replaces the whole list in order, in any script, and a link keeps its id', async () => {
  const { acme, path } = await createProduct()
  const german = { ...PIP, title: 'Öl 🛢️', language: 'DE-at', media_type: 'Text/HTML', is_default: true }
  const arabic = { ...PIP, title: '\u202bزيت الأثاث\u202c', language: 'ar' }
  const recall = { link_type: 'gs1:recallStatus', url: 'https://acme.com/recalls', title: 'Recall', lot: 'L/4-2%' }
  const first = (await acme.put(path, { links: [german, arabic, recall] })).body
  expect(first).toMatchObject({ object: 'list', total: 3, page: 1, page_size: 100 })
  expect(first.data[0]).toEqual({
    ...german,
    object: 'product_link',
    id: expect.any(String),
    destination: null,
    language: 'de-AT',
    media_type: 'text/html',
    lot: null,
    serial: null,
    sort_order: 0,
    created_at: expect.any(String),
    updated_at: first.data[0].created_at,
  })
  expect(first.data[1]).toMatchObject({ ...arabic, media_type: null, is_default: false })
  expect((await acme.get(path)).body).toEqual(first)

  harness.advance(5000)
  const renamed = { ...arabic, title: 'زيت', is_default: true }
  const second = (await acme.put(path, { links: [{ ...german, is_default: false }, PIP, renamed] })).body
  expect((await acme.get(path)).body).toEqual(second)
  const [de, plain, ar] = second.data
  const later = { updated_at: plain.created_at }
  expect(de).toEqual({ ...first.data[0], is_default: false, ...later })
  expect(ar).toEqual({ ...first.data[1], title: 'زيت', is_default: true, sort_order: 2, ...later })
  expect(first.data.map(({ id }: any) => id)).not.toContain(plain.id)
  expect((await acme.get(`${path}?page=2&page_size=2`)).body.data).toEqual([ar])
  expect((await acme.put(path, { links: [] })).body).toMatchObject({ total: 0, data: [] })
})

test('a change is an update of the product with one event, and the same list changes nothing', async () => {
  const { acme, product, path } = await createProduct({ gtin: GTIN })
  harness.advance(5000)
  const { body } = await acme.put(path, { links: [PIP] })
  harness.advance(5000)
  // Keys of idempotency are for POST: the same key with another body is not refused.
  const headers = { 'idempotency-key': 'once' }
  expect((await acme.request('PUT', path, { body: { links: [PIP] }, headers })).body).toEqual(body)
  expect((await acme.request('PUT', path, { body: { links: [{ ...PIP, lot: null }] }, headers })).body).toEqual(body)
  const changed = (await acme.get(`/v1/products/${product.id}`)).body
  expect(changed).toEqual({ ...product, updated_at: body.data[0].updated_at })
  const events = await eventsOf(acme)
  expect(events.map(({ type }) => type)).toEqual(['product.updated', 'product.created'])
  const link = {
    ...PIP,
    destination: null,
    language: null,
    media_type: null,
    is_default: false,
    lot: null,
    serial: null,
  }
  const changes = { links: { from: [], to: [link] } }
  expect(events[0].data).toEqual({ ...changed, changes })
  const { data } = (await acme.get('/v1/audit-log')).body
  expect(data[0]).toMatchObject({ action: 'product.updated', changes })
})

test('a link can lead to a chatbot, page or knowledge base, and scans get its address', async () => {
  const { acme, product, path } = await createProduct()
  const own = await createDestinations(acme)
  const none = { type: null, chatbot: null, page: null, knowledge_base: null, url: null }
  const types = ['chatbot', 'page', 'knowledge_base'] as const
  const links = types.map((type) => ({
    link_type: 'gs1:support',
    destination: { [type]: own[type].id },
    title: 'Help',
  }))
  const inUrl = { link_type: 'gs1:pip', destination: { url: 'HTTPS://acme.com' }, title: 'Oil' }
  const { body } = await acme.put(path, { links: [...links, inUrl] })
  expect(body.data.map(({ url, destination }: any) => ({ url, destination }))).toEqual([
    ...types.map((type) => ({ url: null, destination: { ...none, type, [type]: own[type].id } })),
    { url: 'HTTPS://acme.com', destination: null },
  ])
  const rows = await selectProductLinks(harness.service.database.read, acme.orgId, product.id)
  expect(rows.map(({ address }) => address)).toEqual([
    `/c/${own.chatbot.public_slug}`,
    `/p/${own.page.public_slug}`,
    `/kb/${own.knowledge_base.public_slug}`,
    'https://acme.com/',
  ])
  const { data } = (await acme.get(path)).body
  const sentBack = data.map(({ object, id, sort_order, created_at, updated_at, ...link }: any) => link)
  expect((await acme.put(path, { links: sentBack })).body).toEqual(body)
})

test('returns 422 for a destination that does not exist, has another type or belongs to others, and changes nothing', async () => {
  const { acme, path } = await createProduct()
  const { body } = await acme.put(path, { links: [PIP] })
  const [own, foreign] = [await createDestinations(acme), await createDestinations(await harness.createTenant())]
  const link = (destination: object) => ({ link_type: 'gs1:support', title: 'Help', destination })
  for (const type of ['chatbot', 'page', 'knowledge_base'] as const) {
    for (const id of [foreign[type].id, newId(), own[type === 'page' ? 'chatbot' : 'page'].id]) {
      const reply = await acme.put(path, { links: [link({ page: own.page.id }), link({ [type]: id })] })
      expectUnprocessable(reply, `links[1].destination.${type}`, id)
    }
  }
  expect((await acme.get(path)).body).toEqual(body)
})

test('malformed, duplicate and too many links return 400 and change nothing', async () => {
  const { acme, path } = await createProduct()
  const links = Array.from({ length: 100 }, (_, n) => ({
    ...PIP,
    url: `https://acme.com/${n}`,
    title: '🛢️'.repeat(100),
  }))
  const { body: full } = await acme.put(path, { links })
  expect(full.total).toBe(100)
  const { url: _, ...nowhere } = PIP
  for (const bad of [
    [...links, PIP],
    [PIP, { ...PIP, title: 'Another title' }],
    [PIP, { ...nowhere, destination: { url: PIP.url } }],
    [
      { ...PIP, language: 'pt-br' },
      { ...PIP, language: 'PT-BR' },
    ],
    [
      { ...PIP, is_default: true },
      { ...PIP, language: 'de', is_default: true },
    ],
    [
      { ...PIP, lot: 'L1', serial: '7', is_default: true },
      { ...PIP, lot: 'L1', serial: '7', is_default: true, language: 'de' },
    ],
    [nowhere],
    [{ ...PIP, url: null }],
    [{ ...PIP, url: null, destination: {} }],
    [{ ...PIP, destination: { page: newId() } }],
    ...['ftp://acme.com', 'acme.com', 'https://acme.com/a b', `https://acme.com/${'a'.repeat(2048)}`, '', 5].map(
      (url) => [{ ...PIP, url }],
    ),
    ...['', '  ', 'a'.repeat(201), null, undefined].map((title) => [{ ...PIP, title }]),
    ...['pip', 'gs1:defaultLink', 'gs1:defaultLinkMulti', 'gs1:all', 'https://ref.gs1.org/voc/pip', null].map(
      (link_type) => [{ ...PIP, link_type }],
    ),
    ...['', 'german', 'de_DE', 'de-', '*', 'd', `de-x-${'a'.repeat(31)}`, 'x'.repeat(36)].map((language) => [
      { ...PIP, language },
    ]),
    ...['', 'html', 'text/', '*/*', 'text/html; charset=utf-8', 'text/html ', `text/${'a'.repeat(251)}`].map(
      (media_type) => [{ ...PIP, media_type }],
    ),
    ...['', 'L 1', 'Lö', '#1', 'a'.repeat(21), 'لوت', 5].flatMap((value) => [
      [{ ...PIP, lot: value }],
      [{ ...PIP, serial: value }],
    ]),
    [{ ...PIP, is_default: null }],
    [{ ...PIP, sort_order: 1 }],
    [null],
    null,
  ]) {
    const { status, body } = await acme.put(path, { links: bad })
    expect({ status, error: body.error }, JSON.stringify(bad)).toEqual({ status: 400, error: 'invalid_payload' })
    expect(Object.keys(body.details.fieldErrors), JSON.stringify(bad)).toEqual([
      expect.stringMatching(/^links(\[\d\]|$)/),
    ])
  }
  expect((await acme.get(path)).body).toEqual(full)
})

test('accepts every link type, and one default for the product and for each lot and serial number', async () => {
  const { acme, path } = await createProduct()
  const all = Object.keys(LINK_TYPES).map((link_type) => ({ ...PIP, link_type }))
  expect((await acme.put(path, { links: all })).body.total).toBe(all.length)
  const scopes = [{}, { lot: 'L1' }, { serial: '1' }, { lot: 'L1', serial: '1' }, { lot: '1' }, { lot: 'l1' }]
  const links = scopes.map((scope) => ({ ...PIP, ...scope, is_default: true }))
  const { body } = await acme.put(path, { links })
  expect(body.data).toMatchObject(links)
  // Each is the default of a scope that another one had before.
  const moved = links.map((link, n) => ({
    ...link,
    ...{ lot: null, serial: null },
    ...scopes.at(n - 1),
    title: `${n}`,
  }))
  expect((await acme.put(path, { links: moved })).body.data).toMatchObject(moved)
})

test('of concurrent PUTs one list wins as a whole', async () => {
  const { acme, path } = await createProduct({ gtin: GTIN })
  for (let round = 0; round < 3; round++) {
    const lists = Array.from({ length: 6 }, (_, n) =>
      Array.from({ length: n + 1 }, (_, at) => ({ ...PIP, lot: `${at}`, title: `${round} ${n}`, is_default: true })),
    )
    const replies = await Promise.all(lists.map((links) => acme.put(path, { links })))
    expect(replies.map(({ status }) => status)).toEqual(lists.map(() => 200))
    const { data } = (await acme.get(path)).body
    expect(replies.map(({ body }) => body.data)).toContainEqual(data)
  }
  expect((await eventsOf(acme)).filter(({ type }) => type === 'product.updated')).toHaveLength(18)
})

test('links are deleted with their product, and belong to nobody else', async () => {
  const { acme, product, path } = await createProduct()
  await acme.put(path, { links: [PIP] })
  const other = await harness.createTenant()
  expect(await other.put(path, { links: [] })).toMatchObject({ status: 404 })
  expect(await selectProductLinks(harness.service.database.read, other.orgId, product.id)).toEqual([])
  await acme.delete(`/v1/products/${product.id}`)
  expect(await acme.get(path)).toMatchObject({ status: 410 })
  expect(await acme.put(path, { links: [PIP] })).toMatchObject({ status: 410 })
  expect(await selectProductLinks(harness.service.database.read, acme.orgId, product.id)).toEqual([])
})
