/** A verified custom domain shows what its routes say and what its organisation has printed, and nothing of anybody else. */
import { expect, test } from 'vitest'
import { createBot } from '../../../testing/data/conversations.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { createPage, hiddenIn, submissionsOf } from '../../../testing/page-visitor.ts'

const OWN_HOST = 'go.waymark.example'
const harness = useHarness({
  config: { appUrl: 'https://app.waymark.example', publicUrl: `https://${OWN_HOST}`, acceptsAnyHost: false },
})

let domains = 0

async function connect(tenant: Tenant, domain = `id-${++domains}.acme.com`) {
  const { status, body } = await tenant.post('/v1/custom-domains', { domain })
  expect(status).toBe(201)
  await harness.verifyDomain(tenant, body.id)
  return { id: body.id as string, host: domain }
}

const addRoute = async (tenant: Tenant, domainId: string, slug: string, target: object) => {
  const reply = await tenant.post('/v1/custom-domain-routes', { domain_id: domainId, slug, ...target })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

const open = (host: string, path: string, headers = {}) => scan(harness, path, { host, ...headers })
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location')

async function post(host: string, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers }
  const body = new URLSearchParams(fields).toString()
  return scan(harness, path, { host, ...form }, { method: 'POST', body })
}

/** An organisation with one of everything, on its own domain. */
async function start() {
  const centre = await createCentre(harness)
  const acme = centre.tenant
  const article = await centre.article({ title: 'Oak table', slug: 'oak-table' })
  await centre.translate(article.id, 'de', 'Eichentisch')
  const page = await createPage(acme)
  const bot = await createBot(acme)
  const url = 'https://acme.com/spring'
  const { body: code } = await acme.post('/v1/qr-codes', { name: 'Poster', destination: { url } })
  const { body: object } = await acme.post('/v1/objects', { type: 'chair', destination: { url } })
  const { body: product } = await acme.post('/v1/products', {
    name: 'Oil',
    gtin: '4006381333931',
    destination: { url },
  })
  const domain = await connect(acme)
  return { acme, centre, page, bot, code, object, product, domain, host: domain.host, url }
}

test('a domain shows pages, help centres, chatbots, codes and products of its organisation, each where it belongs', async () => {
  const { acme, centre, page, bot, code, object, product, domain, host, url } = await start()
  const addresses = [`/p/${page.public_slug}`, centre.path, `/c/${bot.public_slug}`]
  for (const path of addresses) expect((await open(host, path)).status, path).toBe(200)
  const scanned = [`/${code.public_slug}`, `/o/${object.public_slug}`, '/01/04006381333931/10/LOT-7/21/42']
  for (const path of scanned) {
    expect([path, (await open(host, path)).status, locationOf(await open(host, path))]).toEqual([path, 302, url])
  }
  expect((await acme.get(`/v1/products/${product.id}`)).body.total_scans).toBe(2)

  // Nothing of it is on the domain of somebody else, or on a host of nobody.
  const foreign = await connect(await harness.createTenant())
  for (const other of [foreign.host, 'nobody.example', '127.0.0.1']) {
    for (const path of [
      ...addresses,
      `${centre.path}/articles/oak-table`,
      `${centre.path}/sitemap.xml`,
      ...scanned,
      '/',
    ]) {
      expect([other, path, (await open(other, path)).status]).toEqual([other, path, 404])
    }
  }
  const vote = `${centre.path}/articles/oak-table/feedback?language=en`
  expect((await post(foreign.host, vote, { helpful: 'yes' })).status).toBe(404)
  expect((await post(host, vote, { helpful: 'yes' })).status).toBe(303)
  expect((await open('nobody.example', '/')).headers.get('content-type')).toContain('text/html')
  expect((await open('nobody.example', '/healthz')).status).toBe(200)

  // What was printed before keeps working on the host of the service.
  for (const path of [...addresses.slice(0, 2), `/g/${acme.slug}/01/04006381333931`]) {
    expect((await open(OWN_HOST, path)).status, path).toBeLessThan(400)
  }
  expect(locationOf(await open(OWN_HOST, `/${code.public_slug}`))).toBe(url)

  await acme.delete(`/v1/custom-domains/${domain.id}`)
  for (const path of [...addresses, ...scanned]) expect((await open(host, path)).status, path).toBe(404)
})

test('a visitor who scans a code on a domain stays there', async () => {
  const { acme, centre, bot, host } = await start()
  const leadTo = async (destination: object) => {
    const { body } = await acme.post('/v1/qr-codes', { name: 'Poster', destination })
    return locationOf(await open(host, `/${body.public_slug}`))
  }
  expect(await leadTo({ knowledge_base: centre.base.id })).toMatch(new RegExp(`^https://${host}${centre.path}\\?s=`))
  expect(await leadTo({ chatbot: bot.id })).toMatch(new RegExp(`^https://${host}/c/${bot.public_slug}\\?s=`))
})

test('a page is shown at its route, where its form and its visit work', async () => {
  const { acme, page, domain, host } = await start()
  await addRoute(acme, domain.id, 'contact', { type: 'page', page_id: page.id })
  const shown = await open(host, '/contact')
  expect(shown.status).toBe(200)
  const canonical = `<link rel="canonical" href="https://${host}/contact">`
  expect(shown.text).toContain(canonical)
  // Everywhere else, search engines are sent to the same address.
  for (const at of [host, OWN_HOST]) expect((await open(at, `/p/${page.public_slug}`)).text).toContain(canonical)
  const cookies = shown.headers.get('set-cookie') ?? ''
  expect(cookies).toContain('Path=/contact;')
  expect(cookies).toContain(`Path=/p/${page.public_slug};`)
  harness.advance(5000)
  const cookie = cookies.split(';')[0] ?? ''
  const sent = await post(host, `/p/${page.public_slug}`, { ...hiddenIn(shown.text), what: 'It leaks' }, { cookie })
  expect(sent.status).toBe(303)
  expect(await submissionsOf(harness, acme, page)).toMatchObject([{ status: 'new' }])
  expect((await open(host, '/contact/', { cookie })).headers.get('set-cookie')).toBeNull()
  expect((await acme.get(`/v1/pages/${page.id}`)).body.view_count).toBe(3)
  expect((await open(OWN_HOST, '/contact')).status).toBe(404)

  // The address of something that was deleted says so, until the route goes as well.
  await acme.delete(`/v1/pages/${page.id}`)
  expect((await open(host, '/contact')).status).toBe(410)
  const [route] = (await acme.get('/v1/custom-domain-routes')).body.data
  await acme.delete(`/v1/custom-domain-routes/${route.id}`)
  expect((await open(host, '/contact')).status).toBe(404)
})

test.each(['help', ''])(
  'a help centre lives below its route "%s", with all its links, its feed and its sitemap',
  async (slug) => {
    const { acme, centre, domain, host } = await start()
    await addRoute(acme, domain.id, slug, { type: 'kb', kb_id: centre.base.id })
    const at = slug === '' ? '' : `/${slug}`
    const url = `https://${host}${at}`
    const home = await open(host, at || '/')
    expect(home.status).toBe(200)
    expect(home.text).toContain(`href="${at}/articles/oak-table"`)
    const article = await open(host, `${at}/de/articles/oak-table`)
    expect(article.text).toContain(`<link rel="canonical" href="${url}/de/articles/oak-table">`)
    expect(article.text).toContain(`<link rel="alternate" hreflang="x-default" href="${url}/articles/oak-table">`)
    expect(article.text).toContain(`<a class="brand" href="${at}/de">`)
    for (const { text } of [home, article]) expect(text).not.toMatch(/\/kb\/|go\.waymark\.example/)
    for (const path of ['/search?q=oak', '/articles', '/categories', '/en', '/de/search']) {
      expect([path, (await open(host, at + path)).status]).toEqual([path, 200])
    }
    const sitemap = (await open(host, `${at}/sitemap.xml`)).text
    expect(sitemap).toContain(`<loc>${url}/en/articles/oak-table</loc>`)
    expect((await open(host, `${at}/feed.atom`)).text).toContain(`href="${url}/en/articles/oak-table"`)
    const vote = await post(host, `${at}/articles/oak-table/feedback?language=en`, { helpful: 'yes' })
    expect([vote.status, locationOf(vote)]).toEqual([303, `${at}/articles/oak-table#feedback-thanks`])
    // The same page at its other addresses names this one.
    expect((await open(OWN_HOST, `${centre.path}/de/articles/oak-table`)).text).toContain(
      `<link rel="canonical" href="${url}/de/articles/oak-table">`,
    )
    expect((await open(host, `${at}/articles/missing`)).status).toBe(404)
  },
)

test('the root of a domain leads to its default route, and a chatbot is reached by its route', async () => {
  const { acme, bot, page, domain, host } = await start()
  const chat = await addRoute(acme, domain.id, 'support', { type: 'chatbot', chatbot_id: bot.id })
  const contact = await addRoute(acme, domain.id, 'contact', { type: 'page', page_id: page.id })
  expect((await open(host, '/')).status).toBe(404)
  const redirected = async (path: string) => {
    const { status, headers } = await open(host, path)
    return [status, headers.get('location'), headers.get('cache-control')]
  }
  expect(await redirected('/support?lang=de')).toEqual([302, `/c/${bot.public_slug}?lang=de`, 'no-store'])
  expect((await open(host, '/support/messages')).status).toBe(404)
  await acme.patch(`/v1/custom-domain-routes/${contact.id}`, { is_default: true })
  expect(await redirected('/?utm=x')).toEqual([302, '/contact?utm=x', 'no-store'])
  await acme.patch(`/v1/custom-domain-routes/${contact.id}`, { is_default: false })
  await acme.patch(`/v1/custom-domain-routes/${chat.id}`, { is_default: true })
  expect(await redirected('/')).toEqual([302, '/support', 'no-store'])
  await addRoute(acme, domain.id, '', { type: 'page', page_id: page.id })
  expect((await open(host, '/')).text).toContain('<form')
})

test('www. of an apex domain redirects for good, with its path and query', async () => {
  const acme = await harness.createTenant()
  const { id } = await connect(acme, 'acme-apex.co.uk')
  await connect(acme, 'shop.acme-apex.co.uk')
  const { status, headers } = await open('www.acme-apex.co.uk', '/k7Qm2XvB?utm=%20x')
  expect([status, headers.get('location')]).toEqual([308, 'https://acme-apex.co.uk/k7Qm2XvB?utm=%20x'])
  expect((await post('www.acme-apex.co.uk', '/p/k7Qm2XvB9sTe', { what: 'x' })).status).toBe(308)
  expect((await open('www.shop.acme-apex.co.uk', '/')).status).toBe(404)
  await acme.delete(`/v1/custom-domains/${id}`)
  expect((await open('www.acme-apex.co.uk', '/')).status).toBe(404)
})

test('unknown codes of a domain go to its fallback address, and are no scans', async () => {
  const { acme, code, domain, host } = await start()
  const patch = (fallback_url: string | null) => acme.patch(`/v1/custom-domains/${domain.id}`, { fallback_url })
  const ofPlaces = ['/p/k7Qm2XvB9sTe', '/kb/k7Qm2XvB9sTe/articles/oak', '/c/k7Qm2XvB9sTe']
  const unknown = ['/k7Qm2XvB', '/sale', '/o/k7Qm2XvB', '/01/04006381333924', '/', ...ofPlaces]
  for (const path of unknown) expect([path, (await open(host, path)).status]).toEqual([path, 404])
  const fallback_url = 'https://acme.com/hilfe?from=k%C3%A4se'
  expect(await patch('https://acme.com/hilfe?from=käse')).toMatchObject({ status: 200, body: { fallback_url } })
  // A code that somebody chose can look like a compressed link.
  for (const path of [...unknown, '/ARHKVAdpQg']) {
    const reply = await open(host, path)
    expect([path, reply.status, locationOf(reply)]).toEqual([path, 302, fallback_url])
  }
  expect((await open(host, '/wp-login.php')).status).toBe(404)
  // A GS1 resolver has to report a malformed link.
  expect((await open(host, '/01/1')).status).toBe(400)
  expect(locationOf(await open(host, `/${code.public_slug}`))).toBe('https://acme.com/spring')
  expect((await acme.get('/v1/scans')).body.data).toHaveLength(1)
  // A deleted code says that it is gone.
  await acme.delete(`/v1/qr-codes/${code.id}`)
  expect((await open(host, `/${code.public_slug}`)).status).toBe(410)
  // An address that is unknown itself must not send visitors round in circles.
  await patch(`https://${host}/k7Qm2XvC`)
  expect((await open(host, '/k7Qm2XvB')).status).toBe(302)
  expect((await open(host, '/k7Qm2XvC')).status).toBe(404)
  for (const url of ['javascript:alert(1)', '/help', 'x']) expect((await patch(url as string)).status).toBe(400)
  expect((await patch(null)).status).toBe(200)
  expect((await open(host, '/k7Qm2XvB')).status).toBe(404)
})

test('a fallback address that ends with a slash keeps the path and query, for everything that nothing else shows', async () => {
  const { acme, centre, code, page, domain, host } = await start()
  const patch = (id: string, fallback_url: string) => acme.patch(`/v1/custom-domains/${id}`, { fallback_url })
  await patch(domain.id, 'https://old.example/r/')
  for (const path of [
    '/sale',
    '/k7Qm2XvB',
    '/summer/sale?a=%20b&c',
    '/menu.pdf',
    '/',
    '/?utm=x',
    '//evil.example/x',
    '/help/',
    ...['/p/sale', '/p/k7Qm2XvB9sTe/sent?lang=en', '/kb/sale', '/kb/sale/articles/x?q=1', '/c/sale', '/c/sale?lang=de'],
    ...['/o/sale', '/g/sale', '/01/1', '/01/04006381333924', '/414/sale/x', '/g/acme/01/1?a=b', '/ARHKVAdpQg'],
    ...['/docs', '/docs/search.json', '/account/sign-in', '/api', '/p', '/01/'],
  ]) {
    const reply = await open(host, path)
    expect([path, reply.status, locationOf(reply)]).toEqual([path, 302, `https://old.example/r${path}`])
  }
  expect((await post(host, '/sale', { a: 'b' })).status).toBe(404)
  expect((await open(host, '/.well-known/acme-challenge/token')).status).toBe(404)
  for (const path of ['/v1/sale', '/oauth/sale', '/internal/sale', '/assets/sale'])
    expect([path, (await open(host, path)).status]).toEqual([path, 404])
  for (const path of ['/healthz', '/readyz']) expect((await open(host, path)).status).toBe(200)
  expect((await open(host, `/p/${page.public_slug}`)).status).toBe(200)
  expect(locationOf(await open(host, `/${code.public_slug}`))).toBe('https://acme.com/spring')
  expect((await acme.get('/v1/scans')).body.data).toHaveLength(1)
  expect((await open(OWN_HOST, '/sale')).status).toBe(404)

  // What was deleted, or is closed for a while, has been here.
  await addRoute(acme, domain.id, 'help', { type: 'kb', kb_id: centre.base.id })
  await acme.patch(`/v1/knowledge-bases/${centre.base.id}`, { is_published: false })
  expect((await open(host, '/help')).status).toBe(404)
  await acme.delete(`/v1/pages/${page.id}`)
  expect((await open(host, `/p/${page.public_slug}`)).status).toBe(410)

  // Neither the domain itself nor two domains can send visitors round in circles.
  await patch(domain.id, `https://${host}/`)
  expect((await open(host, '/sale')).status).toBe(404)
  const second = await connect(acme)
  await patch(domain.id, `https://${second.host}/`)
  expect(locationOf(await open(host, '/sale'))).toBe(`https://${second.host}/sale`)
  await patch(second.id, `https://${host}/`)
  for (const one of [host, second.host]) expect((await open(one, '/sale')).status).toBe(404)
})

test('nobody signs in or reads about the API on a domain of a customer, where these words can be codes', async () => {
  const { acme, domain, host, url } = await start()
  const ours = ['/docs', '/docs/', '/docs?x=1', '/account', '/account?lang=de', '/%64ocs', '/%61ccount']
  const below = ['/docs/domains', '/docs/search.json', '/docs/%zz', '/%64ocs/domains', '/account/sign-in', '/']
  // Browsers leave the fragment out, and send no whole address, but others may.
  const raw = ['/#x', '/docs#x', '/account/sign-in#x', `http://${host}/docs`, `https://${OWN_HOST}/account/sign-in`]
  const everywhere = async () => {
    for (const path of [...below, ...raw]) expect([path, (await open(host, path)).status]).toEqual([path, 404])
    for (const path of ['/docs', '/account', '/account/sign-in', '/account/sign-up'])
      expect([path, (await post(host, path, { email: 'kim@acme.com' })).status]).toEqual([path, 404])
  }
  await everywhere()
  for (const path of ours) expect([path, (await open(host, path)).status]).toEqual([path, 404])

  for (const slug of ['docs', 'account', 'account/sign-in/now']) {
    const code = { public_slug: slug, domain_id: domain.id, destination: { url } }
    expect((await acme.post('/v1/qr-codes', code)).status).toBe(201)
  }
  await everywhere()
  for (const path of ['/docs', '/docs/', '/docs?x=1', '/account', '/account/sign-in/now'])
    expect([path, locationOf(await open(host, path))?.split('?')[0]]).toEqual([path, url])
  expect((await open('app.waymark.example', '/account/sign-in')).status).toBe(200)
})
