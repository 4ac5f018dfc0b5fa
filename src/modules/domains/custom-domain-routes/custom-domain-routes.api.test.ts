import { expect, test } from 'vitest'
import { createBot } from '../../../testing/data/conversations.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.waymark.example' } })

let domains = 0

async function start() {
  const acme = await harness.createTenant()
  return { acme, domain: await connect(acme), page: await createPage(acme) }
}

async function connect(tenant: Tenant): Promise<{ id: string; domain: string }> {
  const { status, body } = await tenant.post('/v1/custom-domains', { domain: `shop-${++domains}.acme.com` })
  expect(status).toBe(201)
  return body
}

const createPage = async (tenant: Tenant): Promise<string> =>
  (await tenant.post('/v1/pages', { title: 'Contact', status: 'active' })).body.id

const routes = (tenant: Tenant, body: object) => tenant.post('/v1/custom-domain-routes', body)

test('a route has no URL until its domain is verified', async () => {
  const { acme, domain, page } = await start()
  const { status, body } = await routes(acme, {
    domain_id: domain.id,
    slug: 'contact',
    type: 'page',
    page_id: page,
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    object: 'custom_domain_route',
    domain_id: domain.id,
    slug: 'contact',
    type: 'page',
    page_id: page,
    chatbot_id: null,
    kb_id: null,
    is_default: false,
    url: null,
  })
  const bot = await createBot(acme)
  const root = await routes(acme, { domain_id: domain.id, slug: '', type: 'chatbot', chatbot_id: bot.id })
  expect(root).toMatchObject({ status: 201, body: { chatbot_id: bot.id, page_id: null } })
  await harness.verifyDomain(acme, domain.id)
  expect((await acme.get(`/v1/custom-domain-routes/${body.id}`)).body.url).toBe(`https://${domain.domain}/contact`)
  const list = (await acme.get(`/v1/custom-domain-routes?domain_id=${domain.id}`)).body
  expect(list.total).toBe(2)
  expect(list.data.map(({ url }: { url: string }) => url)).toEqual([
    `https://${domain.domain}/`,
    `https://${domain.domain}/contact`,
  ])
  const empty = await connect(acme)
  expect((await acme.get(`/v1/custom-domain-routes?domain_id=${empty.id}`)).body).toMatchObject({ total: 0, data: [] })
})

test('a slug is refused if it is malformed or part of our own addresses', async () => {
  const { acme, domain, page } = await start()
  const own = ['api', 'v1', 'oauth', 'app', 'health', '.well-known', 'favicon.ico', 'robots.txt', 'sitemap.xml', '01']
  for (const slug of [...own, 'p', 'kb', 'c', 'o', 'g', 'Contact', 'a/b', 'käse', 'a b', 'x'.repeat(256)]) {
    const reply = await routes(acme, { domain_id: domain.id, slug, type: 'page', page_id: page })
    expect([slug, reply.status, reply.body.error]).toEqual([slug, 400, 'invalid_payload'])
    expect(reply.body.details.fieldErrors.slug).toHaveLength(1)
  }
  const longest = await routes(acme, { domain_id: domain.id, slug: 'x'.repeat(255), type: 'page', page_id: page })
  expect(longest.status).toBe(201)
})

test('a route has the one id that its type names, of the same organisation', async () => {
  const { acme, domain, page } = await start()
  const route = { domain_id: domain.id, slug: 'contact', type: 'page' }
  for (const ids of [{}, { kb_id: page }, { page_id: page, chatbot_id: page }, { page_id: null }]) {
    expect((await routes(acme, { ...route, ...ids })).status).toBe(400)
  }
  const other = await start()
  for (const [field, body] of [
    ['page_id', { ...route, page_id: other.page }],
    ['kb_id', { ...route, type: 'kb', kb_id: page }],
    ['domain_id', { ...route, page_id: page, domain_id: other.domain.id }],
  ] as const) {
    const reply = await routes(acme, body)
    expect([reply.status, reply.body.error, reply.body.details.field]).toEqual([422, 'unprocessable', field])
  }
  expect((await acme.get('/v1/custom-domain-routes')).body.total).toBe(0)
})

test('a domain has one route for a slug and one default, also when two requests arrive at once', async () => {
  const { acme, domain, page } = await start()
  const create = (slug: string) => routes(acme, { domain_id: domain.id, slug, type: 'page', page_id: page })
  const same = await Promise.all([create('contact'), create('contact')])
  expect(same.map(({ status }) => status).sort()).toEqual([201, 409])
  const refused = same.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ error: 'conflict', details: { field: 'slug', value: 'contact' } })
  const [{ body: first }, { body: second }] = [await create('a'), await create('b')]
  const makeDefault = (id: string) => acme.patch(`/v1/custom-domain-routes/${id}`, { is_default: true })
  const defaults = await Promise.all([makeDefault(first.id), makeDefault(second.id)])
  expect(defaults.map(({ status }) => status).sort()).toEqual([200, 409])
  const winner = defaults.find(({ status }) => status === 200)?.body
  expect(winner.is_default).toBe(true)
  expect((await acme.patch(`/v1/custom-domain-routes/${winner.id}`, { is_default: false })).status).toBe(200)
  for (const { id } of [first, second].filter(({ id }) => id !== winner.id)) {
    expect((await makeDefault(id)).status).toBe(200)
  }
})

test('the routes of a disconnected domain are gone, and their changes are in the audit log', async () => {
  const { acme, domain, page } = await start()
  const { body } = await routes(acme, { domain_id: domain.id, slug: 'contact', type: 'page', page_id: page })
  expect((await acme.delete(`/v1/custom-domains/${domain.id}`)).status).toBe(204)
  expect((await acme.get(`/v1/custom-domain-routes/${body.id}`)).status).toBe(410)
  expect((await acme.get('/v1/custom-domain-routes')).body.total).toBe(0)
  const { data } = (await acme.get('/v1/audit-log')).body
  const actions = data
    .filter(({ resource }: { resource: { id: string } }) => resource.id === body.id)
    .map(({ action }: { action: string }) => action)
  expect(actions).toEqual(['custom_domain_route.deleted', 'custom_domain_route.created'])
})

test('links of an organisation begin with the domain that has been verified for the longest time', async () => {
  const { acme, domain, page } = await start()
  const bot = await createBot(acme)
  const { body: code } = await acme.post('/v1/qr-codes', { name: 'Poster' })
  const { body: object } = await acme.post('/v1/objects', { type: 'chair', name: 'Chair' })
  const { body: product } = await acme.post('/v1/products', { name: 'Oil', gtin: '4006381333931' })
  const { body: base } = await acme.post('/v1/knowledge-bases', { name: 'Help' })
  const paths = [
    ...[`/v1/pages/${page}`, `/v1/chatbots/${bot.id}`, `/v1/qr-codes/${code.id}`, `/v1/objects/${object.id}`],
    ...[`/v1/products/${product.id}`, `/v1/knowledge-bases/${base.id}`],
  ]
  const lists = ['pages', 'chatbots', 'qr-codes', 'objects', 'products', 'knowledge-bases']
  const links = async () => [
    ...(await Promise.all(paths.map(async (path) => (await acme.get(path)).body.url as string))),
    ...(await Promise.all(lists.map(async (list) => (await acme.get(`/v1/${list}`)).body.data[0].url as string))),
    (await acme.get(`/v1/qr-codes/${code.id}/image?format=json`)).body.encoded_url as string,
    (await acme.get(`/v1/products/${product.id}/image?format=json`)).body.encoded_url as string,
    (await acme.post('/v1/qr-codes', { name: 'Another' })).body.url as string,
    (await acme.post('/v1/pages', { title: 'Another' })).body.url as string,
  ]
  const origins = async () => [...new Set((await links()).map((url) => new URL(url).origin))]
  expect(await origins()).toEqual(['https://go.waymark.example'])
  expect(product.url).toBe(`https://go.waymark.example/g/${acme.slug}/01/04006381333931`)
  await harness.verifyDomain(acme, domain.id)
  expect(await origins()).toEqual([`https://${domain.domain}`])
  expect((await acme.get(`/v1/products/${product.id}`)).body.url).toBe(`https://${domain.domain}/01/04006381333931`)
  const second = await connect(acme)
  harness.advance(1000)
  await harness.verifyDomain(acme, second.id)
  expect(await origins()).toEqual([`https://${domain.domain}`])
  await acme.delete(`/v1/custom-domains/${domain.id}`)
  expect(await origins()).toEqual([`https://${second.domain}`])
  await acme.delete(`/v1/custom-domains/${second.id}`)
  expect(await origins()).toEqual(['https://go.waymark.example'])
})
