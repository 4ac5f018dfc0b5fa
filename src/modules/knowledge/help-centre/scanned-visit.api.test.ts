/** A visitor who scanned something sees it in the header of the help centre. Nobody else does, and no page of others changes. */
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { insertProductImage } from '../../../testing/data/product-images.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { type ScannedThing, signScan } from '../../codes/scanned-things/index.ts'

const harness = useHarness()
const CHIP = /<div class="wide"><p class="scanned">.*?<\/p><\/div>\n/s

const create = async (tenant: Tenant, path: string, body: object) => {
  const reply = await tenant.post(`/v1/${path}`, body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

/** A help centre, and a product with a picture whose code leads there. */
async function start() {
  const centre = await createCentre(harness)
  const { tenant, base } = centre
  const article = await centre.article({ title: 'Oak', slug: 'oak' })
  const destination = { knowledge_base: base.id }
  const product = await create(tenant, 'products', { name: 'Oak & ash chair', gtin: '9506000134352', destination })
  await insertProductImage(harness, tenant, product.id, `${product.id}.gif`)
  return { centre, tenant, article, product, code: new URL(product.url).pathname }
}

/** Where a scan leads, without the host. */
async function follow(path: string, headers = {}): Promise<string> {
  const { status, headers: received } = await scan(harness, path, headers)
  expect([301, 302], path).toContain(status)
  const { pathname, search } = new URL(received.get('location') ?? '', harness.baseUrl)
  return pathname + search
}

/** The parameter that a redirect adds to the address of a help centre. */
function sign(path: string, scanned: ScannedThing): string {
  const { keyring } = harness.service
  return `s=${signScan(keyring, path, { scanned, scanId: newId() }, harness.nowMs())}`
}

test('a scan leads to the page of all visitors, with the name and picture of the product in its header', async () => {
  const { centre, product, code } = await start()
  const plain = await centre.read()
  const address = await follow(`${code}?utm=label`)
  expect(address).toMatch(new RegExp(`^${centre.path}\\?s=product\\.${product.id}\\.[^&]+&utm=label$`))
  const etag = plain.headers.get('etag') ?? ''
  const shown = await scan(harness, address, { 'if-none-match': etag })
  expect(shown.status).toBe(200)
  const [chip = ''] = CHIP.exec(shown.text) ?? []
  expect(chip).toContain(`<img src="/assets/${product.id}.gif" alt="" width="40" height="40"`)
  expect(chip).toContain('<span dir="auto">Oak &amp; ash chair</span>')
  // Nowhere in the page is a link that would show the thing to somebody else.
  expect(shown.text.indexOf(chip)).toBeLessThan(shown.text.indexOf('</header>'))
  expect(shown.text.replace(chip, '')).toBe(plain.text)
  expect(shown.headers.get('cache-control')).toBe('private, no-store')
  expect(shown.headers.get('etag')).toBeNull()
  expect(shown.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'))
  const compressed = await fetch(harness.baseUrl + address, { headers: { 'accept-encoding': 'br' } })
  expect([compressed.headers.get('content-encoding'), await compressed.text()]).toEqual(['br', shown.text])

  const again = await centre.read('', { 'if-none-match': etag })
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
  expect(again.headers.get('cache-control')).toBe('public, no-cache')
})

test('it is also shown by an article, by a domain and by its route, in the language of the visitor', async () => {
  const { centre, tenant, article, product, code } = await start()
  await centre.translate(article.id, 'ar', 'بلوط')
  await tenant.patch(`/v1/products/${product.id}`, { destination_article_id: article.id })
  const permalink = await follow(code)
  expect(permalink).toContain(`${centre.path}/a/${article.id}?s=`)
  const address = await follow(permalink)
  expect(address).toContain(`${centre.path}/articles/oak?s=`)
  const arabic = await scan(harness, address, { 'accept-language': 'ar' })
  expect(arabic.text).toContain('<h1>بلوط</h1>')
  expect(arabic.text).toMatch(CHIP)
  expect(arabic.headers.get('content-language')).toBe('ar')

  const { body: domain } = await tenant.post('/v1/custom-domains', { domain: 'acme-help.com' })
  await harness.verifyDomain(tenant, domain.id)
  const route = { domain_id: domain.id, slug: 'help', type: 'kb', kb_id: centre.base.id }
  await create(tenant, 'custom-domain-routes', route)
  const host = { host: 'acme-help.com' }
  const onDomain = await follow(await follow('/01/09506000134352', host), host)
  expect((await scan(harness, onDomain, host)).text).toMatch(CHIP)
  const query = onDomain.slice(onDomain.indexOf('?'))
  const atRoute = await scan(harness, `/help${query}`, host)
  expect(atRoute.text).toMatch(CHIP)
  expect(atRoute.text).toContain('<link rel="canonical" href="http://acme-help.com:8080/help/en">')
  expect(atRoute.text).not.toContain('s=product')
})

test('what is forged, too old, of another help centre or of another organisation is ignored', async () => {
  const { centre, product, code } = await start()
  const foreign = await createCentre(harness)
  const object = await create(foreign.tenant, 'objects', { type: 'press', name: 'Secret press' })
  const plain = await centre.read()
  const address = await follow(code)
  const own = { kind: 'product', id: product.id } as const
  expect((await centre.read(`?${sign(centre.path, own)}`)).text).toMatch(CHIP)
  const signed = address.split('?s=')[1] ?? ''
  for (const query of [
    `s=${signed.replace(/\.(\d{10})\./, (_, expires) => `.${Number(expires) + 600}.`)}`,
    `s=${signed.replace(product.id, newId())}`,
    `s=${signed}&s=${signed}`,
    's=',
    's=%00',
    sign(foreign.path, own),
    sign(`/c/${centre.base.public_slug}`, own),
    sign(centre.path, { kind: 'object', id: object.id }),
    sign(centre.path, { kind: 'product', id: newId() }),
  ]) {
    const { status, text, headers } = await centre.read(`?${query}`)
    expect([status, text === plain.text, headers.get('etag')], query).toEqual([200, true, plain.headers.get('etag')])
  }
  harness.advance(11 * MINUTE_MS)
  expect((await harness.client().get(address)).text).toBe(plain.text)
})

test('a missing page shows it, too', async () => {
  const { centre, product } = await start()
  const own = sign(centre.path, { kind: 'product', id: product.id })
  for (const path of ['/feed.atom', '/sitemap.xml'])
    expect((await centre.read(`${path}?${own}`)).headers.get('etag')).toBe(
      (await centre.read(path)).headers.get('etag'),
    )
  const missing = await centre.read(`/nothing?${own}`)
  expect(missing.status).toBe(404)
  expect(missing.text).toMatch(CHIP)
})
