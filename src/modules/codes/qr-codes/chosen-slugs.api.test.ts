/** Slugs that somebody chose: on the host of the service for few, on a custom domain for its organisation. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eraseOrganisation } from '../../../erasure/index.ts'
import { openLocalStore } from '../../../platform/files/local-store.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { createPage } from '../../../testing/page-visitor.ts'

const OWN_HOST = 'go.waymark.example'
const harness = useHarness({
  config: { appUrl: 'https://app.waymark.example', publicUrl: `https://${OWN_HOST}`, acceptsAnyHost: false },
})

const TARGET = 'https://acme.com/spring'
const target = { destination: { url: TARGET } }
let domains = 0

async function connect(tenant: Tenant, host = `go-${++domains}.acme.com`) {
  const { body } = await tenant.post('/v1/custom-domains', { domain: host })
  await harness.verifyDomain(tenant, body.id)
  return { id: body.id as string, host }
}

/** A client of the organisation that may choose slugs on the host of the service. */
const withSlugs = (tenant: Tenant, ...scopes: string[]) =>
  harness.client(harness.scoped.issue(tenant.orgId, ['codes.slugs', ...(scopes.length > 0 ? scopes : ['all'])]))

const open = async (host: string, path: string) => {
  const { status, headers } = await scan(harness, path, { host })
  return [status, headers.get('location')]
}

const conflict = (value: string) => ({
  status: 409,
  body: { error: 'conflict', details: { field: 'public_slug', value } },
})

test('a slug on the host of the service needs the scope codes.slugs, also if the credential may do everything else', async () => {
  const acme = await harness.createTenant()
  const code = { public_slug: 'spring-sale', ...target }
  const lacking = { status: 403, body: { error: 'forbidden', details: { required_scope: 'codes.slugs' } } }
  for (const client of [acme, harness.client(harness.scoped.issue(acme.orgId, ['qr.manage']))]) {
    expect(await client.post('/v1/qr-codes', code)).toMatchObject(lacking)
    expect(await client.post('/v1/qr-codes/batch', { items: [target, code] })).toMatchObject(lacking)
  }
  // The scope alone is not enough.
  const without = await harness.client(harness.scoped.issue(acme.orgId, ['codes.slugs'])).post('/v1/qr-codes', code)
  expect(without).toMatchObject({ status: 403, body: { details: { required_scope: 'qr.manage' } } })
  expect((await acme.get('/v1/qr-codes')).body.total).toBe(0)

  const made = await withSlugs(acme, 'qr.manage').post('/v1/qr-codes', code)
  expect(made).toMatchObject({
    status: 201,
    body: { public_slug: 'spring-sale', domain_id: null, imported: null, url: `https://${OWN_HOST}/spring-sale` },
  })
  expect(await open(OWN_HOST, '/spring-sale')).toEqual([302, TARGET])
  expect(await open(OWN_HOST, '/spring-sale/')).toEqual([302, TARGET])
  expect((await acme.get('/v1/qr-codes/spring-sale')).body).toMatchObject({ id: made.body.id, total_scans: 2 })
  // The slug never changes: it is no field of a PATCH.
  const patched = await acme.patch('/v1/qr-codes/spring-sale', { public_slug: 'summer-sale' })
  expect(patched).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
})

test('a slug on the host of the service is unique in the installation, and never used again', async () => {
  const [acme, other] = [withSlugs(await harness.createTenant()), await harness.createTenant()]
  const slug = 'unique-slug'
  const { body: code } = await acme.post('/v1/qr-codes', { public_slug: slug, ...target })
  expect(await acme.post('/v1/qr-codes', { public_slug: slug })).toMatchObject(conflict(slug))
  expect(await withSlugs(other).post('/v1/qr-codes', { public_slug: slug })).toMatchObject(conflict(slug))
  // All codes of a batch or none.
  const items = [{ public_slug: 'another-slug' }, { public_slug: slug }]
  expect(await acme.post('/v1/qr-codes/batch', { items })).toMatchObject({
    status: 409,
    body: { details: { field: 'items[1].public_slug', value: slug } },
  })
  const twice = [{ public_slug: 'another-slug' }, { public_slug: 'another-slug' }]
  expect((await acme.post('/v1/qr-codes/batch', { items: twice })).status).toBe(409)
  expect((await acme.post('/v1/qr-codes', { public_slug: 'another-slug' })).status).toBe(201)

  await acme.delete(`/v1/qr-codes/${code.id}`)
  expect((await acme.get(`/v1/qr-codes/${slug}`)).status).toBe(410)
  expect(await open(OWN_HOST, `/${slug}`)).toEqual([410, null])
  expect(await acme.post('/v1/qr-codes', { public_slug: slug })).toMatchObject(conflict(slug))
})

test('what an erased organisation has printed never leads to somebody else', async () => {
  const gone = await harness.createTenant()
  await withSlugs(gone).post('/v1/qr-codes', { public_slug: 'of-the-erased', ...target })
  const { body: drawn } = await gone.post('/v1/qr-codes', target)
  const store = openLocalStore(join(harness.folder, 'assets'))
  await eraseOrganisation(harness.service.database, gone.orgId, store)
  const acme = withSlugs(await harness.createTenant())
  for (const slug of ['of-the-erased', drawn.public_slug])
    expect(await acme.post('/v1/qr-codes', { public_slug: slug })).toMatchObject(conflict(slug))
})

test('a malformed or reserved slug is refused, and says so', async () => {
  const acme = await harness.createTenant()
  const { id: domain_id } = await connect(acme)
  const uuid = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'
  const malformed = ['ab', 'x'.repeat(65), 'summer/sale', 'help', 'Login', 'mit-käse', uuid]
  const served = ['p/sale', 'kb/x/y', 'assets/logo', '01/sale', '8003/1', 'v1', 'oauth/x', 'healthz']
  const onDomain = [...served, 'summer//sale', '/sale', 'sale.html', `${'x/'.repeat(127)}xx`, uuid]
  for (const body of [
    ...malformed.map((public_slug) => ({ public_slug })),
    ...onDomain.map((public_slug) => ({ public_slug, domain_id })),
  ]) {
    const reply = await withSlugs(acme).post('/v1/qr-codes', body)
    expect(reply, body.public_slug).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    expect(Object.keys(reply.body.details.fieldErrors)).toEqual(['public_slug'])
  }
})

test('two organisations can both move their /sale, and words that are printed stay alive', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [ours, theirs] = [await connect(acme), await connect(other)]
  // Also words that our own addresses begin with, and numbers that GS1 Digital Links begin with.
  const words = ['docs', 'account', 'api/v1', 'app', 'health', 'p', 'c', 'g', 'o', 'kb', 'assets', '01', '253', '8003']
  for (const slug of ['sale', 'help', 'start', '1', 'summer/sale', ...words]) {
    for (const [tenant, { id, host }] of [
      [acme, ours],
      [other, theirs],
    ] as const) {
      const url = `https://acme.com/${host}/${slug}`
      const reply = await tenant.post('/v1/qr-codes', { public_slug: slug, domain_id: id, destination: { url } })
      expect(reply).toMatchObject({ status: 201, body: { domain_id: id, url: `https://${host}/${slug}` } })
      expect(await open(host, `/${slug}`)).toEqual([302, url])
    }
    if (!words.includes(slug)) expect((await open(OWN_HOST, `/${slug}`))[0]).toBe(404)
  }
  const { body: code } = await acme.get('/v1/qr-codes/summer%2Fsale')
  expect(code).toMatchObject({ public_slug: 'summer/sale', total_scans: 1 })
  expect((await acme.get('/v1/qr-codes/summer%2Fsale/scans')).body.data).toHaveLength(1)
  expect((await acme.get('/v1/qr-codes/summer%2Fsale/image')).headers.get('content-type')).toContain('image/svg')
  expect((await acme.patch('/v1/qr-codes/summer%2Fsale', { status: 'inactive' })).status).toBe(200)
  expect(await open(ours.host, '/summer/sale')).toEqual([200, null])
  expect((await acme.get('/v1/qr-codes/summer%2Fsale')).body.total_scans).toBe(2)
  expect(await acme.post('/v1/qr-codes', { public_slug: 'sale', domain_id: ours.id })).toMatchObject(conflict('sale'))
})

test('a slug that several domains have is found with its domain, a code without one by its slug', async () => {
  const acme = await harness.createTenant()
  const [one, two] = [await connect(acme), await connect(acme)]
  const create = (domain_id: string) => acme.post('/v1/qr-codes', { public_slug: 'sale', domain_id, ...target })
  const first = (await create(one.id)).body
  expect((await acme.get('/v1/qr-codes/sale')).body.id).toBe(first.id)
  const second = (await create(two.id)).body
  const ambiguous = await acme.delete('/v1/qr-codes/sale')
  expect(ambiguous).toMatchObject({ status: 404, body: { error: 'not_found' } })
  expect(ambiguous.body.message).toContain(`${one.host}%2Fsale`)
  expect((await acme.get(`/v1/qr-codes/${two.host}%2Fsale`)).body.id).toBe(second.id)
  expect((await acme.delete(`/v1/qr-codes/${two.host}%2Fsale`)).status).toBe(204)
  expect((await acme.get(`/v1/qr-codes/${two.host}%2Fsale`)).status).toBe(410)
  expect((await acme.get('/v1/qr-codes/sale')).body.id).toBe(first.id)
  expect(await open(two.host, '/sale')).toEqual([410, null])
  expect((await create(two.id)).status).toBe(409)
  // Alone, a slug stands for a code that exists on any domain, or for one of our own host, also a deleted one.
  expect((await acme.delete('/v1/qr-codes/sale')).status).toBe(204)
  for (const [ref, status] of [
    ['sale', 404],
    [`${one.host}%2Fsale`, 410],
    [first.id, 410],
  ])
    expect([ref, (await acme.get(`/v1/qr-codes/${ref}`)).status]).toEqual([ref, status])
  // Somebody who sends an ID of their own learns how it is found.
  expect((await acme.get('/v1/qr-codes/SN-1/scans')).body.message).toContain('GET /qr-codes?external_id=SN-1')
})

test('a code on a domain needs one of the organisation that is verified', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const { body: waiting } = await acme.post('/v1/custom-domains', { domain: 'waiting.acme.com' })
  for (const domain_id of [waiting.id, (await connect(other)).id, '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11']) {
    expect(await acme.post('/v1/qr-codes', { public_slug: 'sale', domain_id })).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', details: { field: 'domain_id', value: domain_id } },
    })
  }
  const mine = await connect(acme)
  const { body } = await acme.post('/v1/qr-codes/batch', { count: 2, domain_id: mine.id, ...target })
  for (const { url, public_slug } of body.data) {
    expect(url).toBe(`https://${mine.host}/${public_slug}`)
    expect(await open(mine.host, `/${public_slug}`)).toEqual([302, TARGET])
    expect((await open(OWN_HOST, `/${public_slug}`))[0]).toBe(404)
  }
})

test('a slug means one code on all hosts of an organisation, or others on single domains, never both', async () => {
  const tenant = await harness.createTenant()
  const [acme, domain] = [withSlugs(tenant), await connect(tenant)]
  const main = (slug: string) => acme.post('/v1/qr-codes', { public_slug: slug, ...target })
  const onDomain = (slug: string) => acme.post('/v1/qr-codes', { public_slug: slug, domain_id: domain.id, ...target })
  await main('everywhere')
  expect(await open(domain.host, '/everywhere')).toEqual([302, TARGET])
  expect(await onDomain('everywhere')).toMatchObject(conflict('everywhere'))
  await onDomain('only-here')
  expect(await main('only-here')).toMatchObject(conflict('only-here'))
  const { body: drawn } = await acme.post('/v1/qr-codes', target)
  expect(await onDomain(drawn.public_slug)).toMatchObject(conflict(drawn.public_slug))
  // Deleted ones count, too: what was printed must not come back as something else.
  for (const slug of ['everywhere', 'only-here']) await acme.delete(`/v1/qr-codes/${slug}`)
  expect((await onDomain('everywhere')).status).toBe(409)
  expect((await main('only-here')).status).toBe(409)
  // The same slug of another organisation is none of it.
  const stranger = withSlugs(await harness.createTenant())
  expect((await stranger.post('/v1/qr-codes', { public_slug: 'for-all', ...target })).status).toBe(201)
  expect((await onDomain('for-all')).status).toBe(201)
  expect(await open(domain.host, '/for-all')).toEqual([302, TARGET])
})

test('routes and codes of a domain exclude each other', async () => {
  const centre = await createCentre(harness)
  const acme = centre.tenant
  const domain = await connect(acme)
  const page = await createPage(acme)
  const code = (public_slug: string) => acme.post('/v1/qr-codes', { public_slug, domain_id: domain.id, ...target })
  const route = (slug: string, shown: object = { type: 'page', page_id: page.id }) =>
    acme.post('/v1/custom-domain-routes', { domain_id: domain.id, slug, ...shown })
  for (const slug of ['sale', 'summer/sale', 'articles']) expect((await code(slug)).status).toBe(201)
  for (const slug of ['sale', 'summer']) {
    expect(await route(slug)).toMatchObject({ status: 409, body: { details: { field: 'slug', value: slug } } })
  }
  const root = { type: 'kb', kb_id: centre.base.id }
  expect((await route('', root)).status).toBe(409)
  await acme.delete('/v1/qr-codes/articles')
  expect((await route('', root)).status).toBe(201)
  expect((await route('contact')).status).toBe(201)
  for (const slug of ['contact', 'contact/us', 'search', 'de/sale'])
    expect(await code(slug)).toMatchObject(conflict(slug))
  expect(await open(domain.host, '/summer/sale')).toEqual([302, TARGET])
})

test('a code outlives the loss of its domain, and a domain with codes cannot be disconnected', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const { id, host } = await connect(acme)
  const { body: code } = await acme.post('/v1/qr-codes', { public_slug: 'sale', domain_id: id, ...target })
  expect(await acme.delete(`/v1/custom-domains/${id}`)).toMatchObject({
    status: 409,
    body: { details: { field: 'domain', value: host } },
  })
  // Another organisation takes the domain over: its own codes work there, with any slug.
  await harness.verifyDomain(acme, id, false)
  const { body: taken } = await other.post('/v1/custom-domains', { domain: host })
  await harness.verifyDomain(other, taken.id)
  expect((await open(host, '/sale'))[0]).toBe(404)
  const theirs = { public_slug: 'sale', domain_id: taken.id, destination: { url: 'https://other.example/' } }
  expect((await other.post('/v1/qr-codes', theirs)).status).toBe(201)
  expect(await open(host, '/sale')).toEqual([302, 'https://other.example/'])
  expect((await acme.get(`/v1/qr-codes/${code.id}`)).body).toEqual(code)
  expect((await acme.post('/v1/qr-codes', { public_slug: 'new', domain_id: id })).status).toBe(422)
  // And back.
  await harness.verifyDomain(other, taken.id, false)
  await harness.verifyDomain(acme, id)
  expect(await open(host, '/sale')).toEqual([302, TARGET])
  // Without codes it can be disconnected. Connected again, it keeps the slugs that were in use.
  await acme.delete(`/v1/qr-codes/${code.id}`)
  expect((await acme.delete(`/v1/custom-domains/${id}`)).status).toBe(204)
  const again = await connect(acme, host)
  expect(await open(host, '/sale')).toEqual([410, null])
  expect((await acme.post('/v1/qr-codes', { public_slug: 'sale', domain_id: again.id })).status).toBe(409)
})

test('a request that is repeated with the same address changes nothing, one with another address is refused', async () => {
  const acme = await harness.createTenant()
  const domain = await connect(acme)
  const item = { external_id: 'sign-1', public_slug: 'sale', domain_id: domain.id, ...target }
  const { body: code } = await acme.post('/v1/qr-codes', item)
  expect(await acme.post('/v1/qr-codes', item)).toMatchObject({ status: 200, body: code })
  expect(await acme.post('/v1/qr-codes', { external_id: 'sign-1', name: 'Sign' })).toMatchObject({ status: 200 })
  for (const [field, value] of [
    ['public_slug', 'other'],
    ['domain_id', null],
  ] as const) {
    const reply = await acme.post('/v1/qr-codes', {
      ...item,
      [field]: value,
      ...(value === null && { public_slug: undefined }),
    })
    expect(reply).toMatchObject({ status: 422, body: { details: { field } } })
  }
  // Requests at the same time agree on one code.
  const items = Array.from({ length: 5 }, (_, n) => ({
    external_id: `new-${n}`,
    public_slug: `new-${n}`,
    domain_id: domain.id,
  }))
  const replies = await Promise.all([1, 2, 3].map(() => acme.post('/v1/qr-codes/batch', { items })))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
})

test('imported scans are part of the counter, and the time of creation is kept', async () => {
  const acme = await harness.createTenant()
  const created_at = '2024-05-01T10:00:00.000+00:00'
  const imported = { scans: 1280, created_at, from: 'bitly' }
  const { body: code } = await acme.post('/v1/qr-codes', { external_id: 'poster', imported, ...target })
  expect(code).toMatchObject({ total_scans: 1280, created_at, imported })
  const { body: plain } = await acme.post('/v1/qr-codes', { ...target })
  await open(OWN_HOST, `/${code.public_slug}`)
  await open(OWN_HOST, `/${plain.public_slug}`)
  const get = async () => (await acme.get(`/v1/qr-codes/${code.id}`)).body
  expect(await get()).toMatchObject({ total_scans: 1281, imported })
  const order = async (sort: string) =>
    (await acme.get(`/v1/qr-codes?sort=${sort}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await order('scans')).toEqual([code.id, plain.id])
  expect(await order('recent')).toEqual([plain.id, code.id])

  // The other service has counted on meanwhile.
  const later = await acme.post('/v1/qr-codes', { external_id: 'poster', imported: { scans: 1300, from: 'bitly' } })
  expect(later).toMatchObject({ status: 200, body: { total_scans: 1301, created_at, imported: { scans: 1300 } } })
  expect(await get()).toEqual(later.body)
  expect((await acme.post('/v1/qr-codes', { external_id: 'poster', imported })).body.total_scans).toBe(1281)
  await acme.patch(`/v1/qr-codes/${code.id}`, { name: 'Poster' })
  expect(await get()).toMatchObject({ total_scans: 1281, imported })

  const tomorrow = new Date(harness.nowMs() + 86_400_000).toISOString()
  const future = await acme.post('/v1/qr-codes', { imported: { from: 'bitly', created_at: tomorrow } })
  expect(future).toMatchObject({ status: 422, body: { details: { field: 'imported.created_at' } } })
  for (const scans of [-1, 1.5, '7'])
    expect((await acme.post('/v1/qr-codes', { imported: { from: 'x', scans } })).status).toBe(400)
})

test('a batch brings counters and times of another service, and later brings the counters up to date', async () => {
  const acme = await harness.createTenant()
  const domain = await connect(acme)
  const created_at = '2024-05-01T10:00:00.000+00:00'
  const item = (n: number, scans: number) => ({
    ...{ external_id: `${domain.host}/${n}`, public_slug: String(n), domain_id: domain.id, ...target },
    imported: { from: 'bitly', scans, created_at },
  })
  const send = (...items: object[]) => acme.post('/v1/qr-codes/batch', { items })
  const created = await send(item(1, 1280), item(2, 0), { ...target })
  expect(created).toMatchObject({
    status: 201,
    body: {
      data: [
        { total_scans: 1280, created_at, imported: { from: 'bitly', scans: 1280, created_at } },
        { total_scans: 0, created_at, imported: { from: 'bitly', scans: 0, created_at } },
        { total_scans: 0, imported: null },
      ],
    },
  })
  await open(domain.host, '/1')
  const later = await send(item(1, 1300), item(2, 0))
  expect(later).toMatchObject({ status: 200, body: { data: [{ public_slug: '1' }, { total_scans: 0 }] } })
  expect((await acme.get('/v1/qr-codes/1')).body).toEqual({
    ...later.body.data[0],
    total_scans: 1301,
    last_scanned_at: expect.any(String),
  })
  // All codes or none.
  const wrong = { ...item(3, 7), imported: { from: 'bitly', scans: -1 } }
  expect(await send(item(4, 7), wrong)).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
  const tomorrow = new Date(harness.nowMs() + 86_400_000).toISOString()
  const future = { ...item(3, 7), imported: { from: 'bitly', created_at: tomorrow } }
  expect(await send(item(4, 7), future)).toMatchObject({
    status: 422,
    body: { details: { field: 'items[1].imported.created_at' } },
  })
  expect((await acme.get('/v1/qr-codes')).body.total).toBe(3)
})
