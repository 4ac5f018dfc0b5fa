/** Scans through HTTP, on both engines. */
import { describe, expect, inject, test } from 'vitest'
import { startService } from '../../../main/service.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { PHONE, scan } from '../../../testing/data/scans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, testConfig, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const createCode = async (tenant: Tenant, body: object = { destination: { url: 'https://acme.com/care' } }) =>
  (await tenant.post('/v1/qr-codes', body)).body

const scansOf = async (tenant: Tenant, id: string) => (await tenant.get(`/v1/qr-codes/${id}/scans`)).body.data

async function createDestination(tenant: Tenant, table: 'chatbots' | 'knowledge_bases') {
  if (table === 'knowledge_bases')
    return (await tenant.post('/v1/knowledge-bases', { name: 'Help', is_published: true })).body
  return (await tenant.post('/v1/chatbots', { name: 'Help', status: 'active' })).body
}

describe('redirects', () => {
  test('a code redirects to its destination, and the scan is stored before the response is sent', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    const reply = await scan(harness, `/${code.public_slug}`)
    expect(reply.status).toBe(302)
    expect(reply.headers.get('location')).toBe('https://acme.com/care')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const after = (await acme.get(`/v1/qr-codes/${code.id}`)).body
    expect(after.total_scans).toBe(1)
    expect(after.updated_at).toBe(code.updated_at)
    const [stored, ...others] = await scansOf(acme, code.id)
    expect(others).toEqual([])
    expect(stored).toEqual({
      object: 'scan',
      id: expect.any(String),
      qr_code_id: code.id,
      object_id: null,
      product_id: null,
      scanned_at: after.last_scanned_at,
      user_agent: PHONE,
      device: { type: 'mobile', os: 'iOS', browser: 'Safari' },
      is_bot: false,
      destination: { type: 'url', id: null, url: 'https://acme.com/care' },
      decision: { reason: 'default', rule_id: null, rules_version: null, variant: null, version: 1 },
      query_params: null,
      location: { country: null, region: null, city: null },
      gs1: { cpv: null, lot: null, serial: null },
      referrer: null,
    })
  })

  test('the next scan after a change uses the new destination', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    for (let n = 0; n < 20; n++) {
      await acme.patch(`/v1/qr-codes/${code.id}`, { destination: { url: `https://acme.com/${n}` } })
      expect((await scan(harness, `/${code.public_slug}`)).headers.get('location')).toBe(`https://acme.com/${n}`)
    }
    const urls = (await scansOf(acme, code.id)).map((row: any) => row.destination.url)
    expect(urls).toEqual(Array.from({ length: 20 }, (_, n) => `https://acme.com/${19 - n}`))
  })

  test('a code that is not set up uses the current status, destination and params of its group', async () => {
    const acme = await harness.createTenant()
    const group = (await acme.post('/v1/qr-groups', { name: 'Chairs' })).body
    const { public_slug, id } = await createCode(acme, { group_id: group.id })
    const locationOrTitle = async () => {
      const reply = await scan(harness, `/${public_slug}`)
      return reply.headers.get('location') ?? reply.text.match(/<h1>(.*?)<\/h1>/)?.[1]
    }
    expect(await locationOrTitle()).toBe('This code is not set up yet')
    await acme.patch(`/v1/qr-groups/${group.id}`, { destination: { url: 'https://acme.com/chairs?a=1&b=2#top' } })
    expect(await locationOrTitle()).toBe('https://acme.com/chairs?a=1&b=2#top')
    await acme.put(`/v1/qr-groups/${group.id}/url-params`, {
      url_params: [
        { key: 'a', value: 'group' },
        { key: 'c', value: 'ü' },
      ],
    })
    expect(await locationOrTitle()).toBe('https://acme.com/chairs?b=2&a=group&c=%C3%BC#top')
    await acme.put(`/v1/qr-codes/${id}/url-params`, { url_params: [{ key: 'a', value: 'code' }] })
    expect(await locationOrTitle()).toBe('https://acme.com/chairs?b=2&c=%C3%BC&a=code#top')
    await acme.patch(`/v1/qr-groups/${group.id}`, { status: 'inactive' })
    expect(await locationOrTitle()).toBe('This code is paused')
    await acme.patch(`/v1/qr-codes/${id}`, { destination: { url: 'https://acme.com/own' } })
    expect(await locationOrTitle()).toBe('https://acme.com/own?c=%C3%BC&a=code')
    await acme.delete(`/v1/qr-groups/${group.id}`)
    expect(await locationOrTitle()).toBe('https://acme.com/own?a=code')
  })

  test('query parameters of the visitor override URL params, but never those of the destination itself', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme, { destination: { url: 'https://acme.com/x?next=%2Fhome&keep=%20a#f' } })
    await acme.put(`/v1/qr-codes/${code.id}/url-params`, { url_params: [{ key: 'utm', value: 'code' }] })
    const sent = '?utm=visitor&n%65xt=//evil.com&multi=1&multi=2&empty=&flag&e=%F0%9F%8F%B7'
    expect((await scan(harness, `/${code.public_slug}${sent}`)).headers.get('location')).toBe(
      'https://acme.com/x?next=%2Fhome&keep=%20a&utm=visitor&multi=1&multi=2&empty=&flag=&e=%F0%9F%8F%B7#f',
    )
    const [stored] = await scansOf(acme, code.id)
    const others = { multi: '1', empty: '', flag: '', e: '🏷' }
    expect(stored.query_params).toEqual({ utm: 'visitor', next: '//evil.com', ...others })
  })

  test.each([
    ['chatbots', 'chatbot', 'c'],
    ['knowledge_bases', 'knowledge_base', 'kb'],
  ] as const)(
    '%s are reached at their own address, with the scan signed; the parameters of the visitor stay',
    async (table, type, path) => {
      const acme = await harness.createTenant()
      const { id, public_slug } = await createDestination(acme, table)
      const code = await createCode(acme, { destination: { [type]: id } })
      const location = new URL((await scan(harness, `/${code.public_slug}?lang=de&scan=x`)).headers.get('location')!)
      expect(location.pathname).toBe(`/${path}/${public_slug}`)
      const [stored] = await scansOf(acme, code.id)
      expect(stored.destination).toEqual({ type, id, url: null })
      const { s, ...others } = Object.fromEntries(location.searchParams)
      expect(s).toContain(`qr_code.${code.id}.${stored.id}.`)
      expect(others).toEqual({ scan: 'x', lang: 'de' })
      // What is signed is kept nowhere.
      expect(JSON.stringify(stored)).not.toContain(s)
    },
  )

  test('a page is shown at once, at the address of the code', async () => {
    const acme = await harness.createTenant()
    const page = (await acme.post('/v1/pages', { title: 'Help', status: 'active' })).body
    const code = await createCode(acme, { destination: { page: page.id } })
    const reply = await scan(harness, `/${code.public_slug}?lang=de&scan=x`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('location')).toBeNull()
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('x-robots-tag')).toBe('noindex')
    expect(reply.text).toContain('<title>Help</title>')
    const [stored, ...others] = await scansOf(acme, code.id)
    expect(others).toEqual([])
    expect(stored).toMatchObject({
      destination: { type: 'page', id: page.id, url: null },
      query_params: { lang: 'de', scan: 'x' },
    })
  })

  test('an object is reached under /o, and shows a page when it is inactive', async () => {
    const acme = await harness.createTenant()
    const object = (await acme.post('/v1/objects', { type: 'chair', destination: { url: 'https://acme.com/chair' } }))
      .body
    expect((await scan(harness, `/o/${object.public_slug}`)).headers.get('location')).toBe('https://acme.com/chair')
    expect((await scan(harness, `/${object.public_slug}`)).status).toBe(404)
    await acme.patch(`/v1/objects/${object.id}`, { is_active: false })
    expect((await scan(harness, `/o/${object.public_slug}`)).text).toContain('This code is paused')
    expect((await acme.get(`/v1/objects/${object.id}`)).body.total_scans).toBe(2)
    const { data } = (await acme.get(`/v1/objects/${object.id}/scans`)).body
    expect(data.map((row: any) => [row.object_id, row.destination.url])).toEqual([
      [object.id, null],
      [object.id, 'https://acme.com/chair'],
    ])
  })

  test('a product is reached by any form of its number, and the qualifiers of the link are stored', async () => {
    const acme = await harness.createTenant()
    const product = (
      await acme.post('/v1/products', {
        name: 'Oil',
        gtin: '9506000134352',
        destination: { url: 'https://acme.com/oil' },
      })
    ).body
    expect(product.url).toBe(`http://localhost:8080/g/${acme.slug}/01/09506000134352`)
    for (const path of ['09506000134352', '9506000134352', '09506000134352/22/2A/10/L%2F1/21/S-9']) {
      expect((await scan(harness, `/g/${acme.slug}/01/${path}`)).headers.get('location')).toBe('https://acme.com/oil')
    }
    for (const path of ['09506000134353', '9506000134352/21/S/10/L', '12345', '09506000134352/99/x']) {
      expect((await scan(harness, `/g/${acme.slug}/01/${path}`)).status).toBe(400)
    }
    expect((await scan(harness, '/g/nobody/01/09506000134352')).status).toBe(404)
    // On the main host, nothing says whose product it is.
    expect((await scan(harness, '/01/09506000134352')).status).toBe(404)
    const { data } = (await acme.get(`/v1/products/${product.id}/scans`)).body
    expect(data).toHaveLength(3)
    expect(data[0]).toMatchObject({ product_id: product.id, gs1: { cpv: '2A', lot: 'L/1', serial: 'S-9' } })
  })

  test('a verified custom domain resolves the codes of its organisation only', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const host = { host: 'go.acme.com' }
    const code = await createCode(acme)
    const foreign = await createCode(other)
    const domain = (await acme.post('/v1/custom-domains', { domain: 'go.acme.com' })).body
    await acme.post('/v1/products', {
      name: 'Oil',
      gtin: '9506000134352',
      destination: { url: 'https://acme.com/oil' },
    })
    expect((await scan(harness, '/01/09506000134352', host)).status).toBe(404)
    await harness.verifyDomain(acme, domain.id)
    expect((await scan(harness, '/01/09506000134352', host)).headers.get('location')).toBe('https://acme.com/oil')
    expect((await scan(harness, `/${code.public_slug}`, { host: 'GO.acme.com:443' })).status).toBe(302)
    expect((await scan(harness, `/${foreign.public_slug}`, host)).status).toBe(404)
    await acme.delete(`/v1/custom-domains/${domain.id}`)
    expect((await scan(harness, '/01/09506000134352', host)).status).toBe(404)
  })
})

describe('notice pages', () => {
  test('paused codes and codes that are not set up show a page, and the scan is stored', async () => {
    const acme = await harness.createTenant()
    const empty = await createCode(acme, {})
    const paused = await createCode(acme, { destination: { url: 'https://acme.com/x' }, status: 'inactive' })
    const archived = await createCode(acme, { destination: { url: 'https://acme.com/x' }, status: 'archived' })
    const withoutDestination = await createCode(acme, { status: 'active' })
    for (const [code, title] of [
      [empty, 'This code is not set up yet'],
      [withoutDestination, 'This code is not set up yet'],
      [paused, 'This code is paused'],
      [archived, 'This code is paused'],
    ]) {
      const reply = await scan(harness, `/${code.public_slug}`)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(reply.headers.get('x-robots-tag')).toBe('noindex')
      expect(reply.text).toContain(title)
      const [row] = await scansOf(acme, code.id)
      expect(row.destination).toEqual({ type: null, id: null, url: null })
      expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.total_scans).toBe(1)
    }
  })

  test('say who is behind the code, what was scanned and where to go next', async () => {
    const acme = await harness.createTenant()
    const profile = {
      name: 'Acme 🪑',
      logo_url: 'https://acme.com/logo.svg',
      fallback_url: 'https://www.acme.example/shop',
    }
    expect((await acme.patch('/v1/organisation', profile)).body).toMatchObject(profile)
    const { body: product } = await acme.post('/v1/products', { name: 'كرسي', gtin: '4006381333931' })
    const path = new URL(product.url).pathname
    const plain = await scan(harness, path)
    expect(plain.text).toMatch(
      /<b dir="auto">Acme 🪑<\/b><\/header><p class="scanned">.*<span dir="auto">كرسي<\/span><\/p>/,
    )
    expect(plain.text).toContain('<a class="button" href="https://www.acme.example/shop" dir="auto">acme.example</a>')
    expect(plain.headers.get('content-security-policy')).toContain("img-src https: data: 'self'")
    const contact = { contact_email: 'help@acme.example', contact_phone: '+49 30 1234' }
    const { body: base } = await acme.post('/v1/knowledge-bases', { name: 'Help', is_published: true, ...contact })
    const helped = await scan(harness, path)
    expect(helped.text).toContain(`<a class="button" href="${base.url}" dir="auto">Help centre</a>`)
    for (const href of ['mailto:help@acme.example', 'tel:+49301234', 'https://www.acme.example/shop'])
      expect(helped.text).toContain(`href="${href}"`)
    // The name of a QR code is a note of its owner. A deleted thing has no name any more.
    const code = await createCode(acme, { name: 'Internal note' })
    expect((await scan(harness, `/${code.public_slug}`)).text).not.toContain('Internal note')
    await acme.delete(`/v1/products/${product.id}`)
    const gone = await scan(harness, path)
    expect([gone.status, gone.text.includes('Acme 🪑'), gone.text.includes('كرسي')]).toEqual([410, true, false])
    expect((await scan(harness, '/k7Qm2XvB')).text).not.toContain('<header>')
  })

  test('are shown for a destination that is not published, and the scan is stored with it', async () => {
    const acme = await harness.createTenant()
    for (const [type, path, published] of [
      ['knowledge_base', '/v1/knowledge-bases', { is_published: true }],
      ['chatbot', '/v1/chatbots', { status: 'active' }],
    ] as const) {
      const { id, url } = (await acme.post(path, { name: 'Help' })).body
      const code = await createCode(acme, { destination: { [type]: id } })
      const closed = await scan(harness, `/${code.public_slug}`)
      expect([closed.status, closed.headers.get('location')]).toEqual([200, null])
      expect(closed.text).toContain('<title>This code is not set up yet</title>')
      expect((await scansOf(acme, code.id))[0].destination).toMatchObject({ type, id })
      await acme.patch(`${path}/${id}`, published)
      const shown = await scan(harness, `/${code.public_slug}`)
      expect(shown.headers.get('location')?.split('?')[0]).toBe(url)
    }
  })

  test.each(['br', 'gzip'])('are sent with %s as soon as they are compressed', async (encoding) => {
    const plain = await harness.client().get('/aB3dE5gH', { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const compressed = await eventually(async () => {
      const reply = await fetch(`${harness.baseUrl}/aB3dE5gH`, { headers: { 'accept-encoding': encoding } })
      expect(await reply.text()).toBe(plain.text)
      return reply.headers.get('content-encoding') === encoding && reply
    })
    expect(compressed.headers.get('vary')).toBe('accept-language, accept-encoding')
    const length = ({ headers }: { headers: Headers }) => Number(headers.get('content-length'))
    expect(length(compressed)).toBeLessThan(length(plain) / 1.5)
  })

  test('returns 404 if unknown and 410 if deleted, in the visitor’s language, and stores no scan', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    await acme.delete(`/v1/qr-codes/${code.id}`)
    const gone = await scan(harness, `/${code.public_slug}`, { 'accept-language': 'de-AT, en;q=0.5' })
    expect({ status: gone.status, language: gone.headers.get('content-language') }).toEqual({
      status: 410,
      language: 'de',
    })
    const unknown = await scan(harness, '/aB3dE5gH', { 'accept-language': 'ja' })
    expect({ status: unknown.status, language: unknown.headers.get('content-language') }).toEqual({
      status: 404,
      language: 'ja',
    })
    expect((await acme.get('/v1/scans')).body.data).toEqual([])
  })

  test('a product works immediately, even if its address was scanned before it was created', async () => {
    const acme = await harness.createTenant()
    const product = () => scan(harness, `/g/${acme.slug}/01/09506000134352`)
    expect((await product()).status).toBe(404)
    await acme.post('/v1/products', {
      name: 'Oil',
      gtin: '9506000134352',
      destination: { url: 'https://acme.com/oil' },
    })
    expect((await product()).status).toBe(302)
  })
})

describe('visitors', () => {
  test.each([
    ['HEAD', { method: 'HEAD' }, {}],
    ['a link preview', {}, { 'user-agent': 'WhatsApp/2.23.20.0' }],
    ['a crawler', {}, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['a prefetch', {}, { 'sec-purpose': 'prefetch;prerender' }],
    ['a request without a User-Agent', {}, { 'user-agent': '' }],
  ])('%s is stored as a bot and not counted', async (_who, init, headers) => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    expect((await scan(harness, `/${code.public_slug}`, headers, init)).status).toBe(302)
    const [row] = await scansOf(acme, code.id)
    expect(row.is_bot).toBe(true)
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body).toMatchObject({ total_scans: 0, last_scanned_at: null })
  })

  test('stores no client address, and recognises a visitor for one day only', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    const visitors = async () => {
      // A list of scans waits until all of them are stored.
      await acme.get('/v1/scans')
      const rows = await harness.service.database.read
        .selectFrom('scans')
        .selectAll()
        .where('org_id', '=', acme.orgId)
        .orderBy('id')
        .execute()
      expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
      return rows.map(({ visitor }) => visitor)
    }
    await scan(harness, `/${code.public_slug}`)
    await scan(harness, `/${code.public_slug}`)
    await scan(harness, `/${code.public_slug}`, { 'user-agent': `${PHONE} Other` })
    harness.advance(24 * 60 * 60 * 1000)
    await scan(harness, `/${code.public_slug}`)
    const [first, again, otherVisitor, tomorrow] = await visitors()
    expect(first).toMatch(/^[0-9a-f]{16}$/)
    expect(again).toBe(first)
    expect(new Set([first, otherVisitor, tomorrow]).size).toBe(3)
  })
})

describe('events', () => {
  test('are written together with the scan, and only for organisations that subscribed', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    await harness.subscribe(acme, ['qr_code.scanned'])
    const code = await createCode(acme)
    const unsubscribed = await createCode(other)
    await scan(harness, `/${code.public_slug}?a=1`)
    await scan(harness, `/${unsubscribed.public_slug}`)
    const eventsOf = async (tenant: Tenant) => (await tenant.get('/v1/events?type=qr_code.scanned')).body.data
    expect(await eventsOf(other)).toEqual([])
    const [event] = await eventsOf(acme)
    expect(event.data).toEqual((await scansOf(acme, code.id))[0])
  })
})

describe('hostile requests', () => {
  const deep = 'x'.repeat(10_000)
  test.each<[string, string, number?]>([
    ['an encoded slash', '/o%2FaB3dE5gH'],
    ['a path traversal', '/..%2f..%2fetc%2fpasswd'],
    ['a broken encoding', '/%zz%'],
    ['NUL', '/aB3dE5g%00'],
    ['a slug that is too long', '/aB3dE5gHx'],
    ['emoji', '/%F0%9F%8F%B7'],
    ['markup', '/%3Cscript%3Ealert(1)%3C/script%3E'],
    ['10 KB of path', `/${deep}`],
    ['many segments', '/a'.repeat(3000)],
    ['a malformed product number', `/g/acme/01/${deep}`, 400],
  ])('%s gets a small page that says so', async (_what, path, status = 404) => {
    const reply = await scan(harness, path)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.text.length).toBeLessThan(status === 400 ? 16_000 : 12_000)
    expect(reply.text).not.toMatch(/at .*\.ts|Error|alert/)
  })

  test('only an address that a code can have is called a code', async () => {
    const titleOf = async (path: string) => /<h1>(.*?)<\/h1>/.exec((await scan(harness, path)).text)?.[1]
    for (const path of ['/aB3dE5gH', '/o/nonsense', '/g/acme/nonsense', '/01/09506000134352']) {
      expect(await titleOf(path), path).toBe('We could not find this code')
    }
    for (const path of ['/g/acme/01/nonsense', '/01/nonsense', '/8004/nonsense']) {
      expect(await titleOf(path), path).toBe('This product code cannot be read')
    }
    for (const path of ['/no-such-page', '/wp-login.php', '/o', '/account-settings', '/favicon.png']) {
      expect(await titleOf(path), path).toBe('Page not found')
    }
  })

  test('passes a long query with many parameters on, and stores as much as fits', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    const many = Array.from({ length: 500 }, (_, n) => `p${n}=v`).join('&')
    const reply = await scan(harness, `/${code.public_slug}?${many}&big=${'y'.repeat(5000)}&__proto__=z`)
    expect(new URL(reply.headers.get('location')!).searchParams.size).toBe(502)
    const [row] = await scansOf(acme, code.id)
    expect(Object.keys(row.query_params)).toHaveLength(50)
  })

  test('rejects headers that are too large', async () => {
    const reply = await scan(harness, '/aB3dE5gH', { 'x-bomb': 'b'.repeat(20_000) })
    expect(reply.status).toBe(431)
    expect(reply.text.length).toBeLessThan(12_000)
  })

  test('other methods get a page with 405, and the methods in a header', async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await scan(harness, `/${code.public_slug}`, {}, { method })
      expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
    }
  })
})

test('a thousand concurrent scans are each stored and counted once', async () => {
  const acme = await harness.createTenant()
  const codes = await Promise.all(Array.from({ length: 10 }, () => createCode(acme)))
  await Promise.all(
    Array.from({ length: 1000 }, async (_, n) => {
      expect((await scan(harness, `/${codes[n % 10].public_slug}`)).status).toBe(302)
    }),
  )
  const { data } = (await acme.get('/v1/qr-codes')).body
  expect(data.map((code: any) => code.total_scans)).toEqual(codes.map(() => 100))
  const ids = new Set<string>()
  for (let cursor = ''; ; ) {
    const page = (await acme.get(`/v1/scans?limit=100${cursor}`)).body
    for (const row of page.data) ids.add(row.id)
    if (!page.has_more) break
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  expect(ids.size).toBe(1000)
})

test.runIf(inject('engine') === 'postgres')(
  'a change made through one instance applies to scans on another',
  async () => {
    const acme = await harness.createTenant()
    const code = await createCode(acme)
    const config = testConfig(harness)
    const other = await startService(config, 'scan', createLogger('silent'))
    try {
      const there = { baseUrl: `http://127.0.0.1:${other.port}` }
      const location = async () => (await scan(there, `/${code.public_slug}`)).headers.get('location')
      expect(await location()).toBe('https://acme.com/care')
      for (let n = 0; n < 5; n++) {
        await acme.patch(`/v1/qr-codes/${code.id}`, { destination: { url: `https://acme.com/${n}` } })
        await eventually(async () => (await location()) === `https://acme.com/${n}`)
      }
      await acme.delete(`/v1/qr-codes/${code.id}`)
      await eventually(async () => (await scan(there, `/${code.public_slug}`)).status === 410)
    } finally {
      await other.close()
    }
  },
)
