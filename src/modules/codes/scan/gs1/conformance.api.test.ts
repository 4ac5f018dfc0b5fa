/** The conformance rules that GS1 publishes for resolvers, in the order of its list. */
import { beforeAll, expect, test } from 'vitest'
import { scan } from '../../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { PRIMARY_KEYS } from '../../gs1/index.ts'
import { describeProblems, linksetProblems } from './testing/resolver-schemas.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.acme.com', acceptsAnyHost: false } })
const HOST = 'id.acme.com'
const GTIN = '09506000134352'
const ROOT = `/01/${GTIN}`
const VOC = 'https://ref.gs1.org/voc/'
const PHONE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const link = (link_type: string, url: string, more: object = {}) => ({
  link_type,
  url,
  title: `Title of ${url}`,
  ...more,
})
const LINKS = [
  link('gs1:pip', 'https://acme.com/en', { language: 'en', is_default: true, media_type: 'text/html' }),
  link('gs1:pip', 'https://acme.com/de', { language: 'de', media_type: 'text/html' }),
  link('gs1:pip', 'https://acme.com/pt', { language: 'pt-BR', media_type: 'text/html' }),
  link('gs1:pip', 'https://acme.com/data', { language: 'en', media_type: 'application/json' }),
  link('gs1:instructions', 'https://acme.com/manual', { language: 'zh-Hans' }),
  link('gs1:recallStatus', 'https://acme.com/recall/L1', { lot: 'L1' }),
  link('gs1:certificationInfo', 'https://acme.com/item/S1', { serial: 'S1', is_default: true }),
]
const OBJECTS = [
  '00/106141412345678908',
  '253/9506000134352INV7',
  '255/9506000134352000123',
  '414/9506000134352',
  '414/9506000134352/254/B2',
  '8003/09506000134352A1',
  '8004/9506000CRATE1',
  '8010/9506000PART1',
  '8017/950600013435200008',
  '8018/950600013435200008',
]

let acme: Tenant
let productId: string

beforeAll(async () => {
  acme = await harness.createTenant()
  const domain = (await acme.post('/v1/custom-domains', { domain: HOST })).body
  await harness.verifyDomain(acme, domain.id)
  const product = await acme.post('/v1/products', { name: 'Oil', gtin: GTIN })
  productId = product.body.id
  expect((await acme.put(`/v1/products/${productId}/links`, { links: LINKS })).status).toBe(200)
  for (const gs1_key of OBJECTS) {
    const destination = { url: `https://acme.com/things/${gs1_key}` }
    expect((await acme.post('/v1/objects', { type: 'thing', gs1_key, destination })).status).toBe(201)
  }
})

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  scan(harness, path, { host: HOST, ...headers }, { method })
const locationOf = async (path: string, headers: Record<string, string> = {}) =>
  (await ask(path, headers)).headers.get('location')
const linksetOf = async (path: string) => JSON.parse((await ask(`${path}?linkType=linkset`)).text).linkset
const compressedOf = async (path: string) =>
  JSON.parse((await ask(`${path}${path.includes('?') ? '&' : '?'}compress=true`)).text).COMPRESSED_LINK
const statusOf = async (path: string) => (await ask(path)).status
const scansOf = async (query = '') => (await acme.get(`/v1/products/${productId}/scans${query}`)).body.data

const RULES: Record<string, () => Promise<void>> = {
  'resolves every primary key that it declares': async () => {
    for (const key of OBJECTS) expect(await locationOf(`/${key}`), key).toBe(`https://acme.com/things/${key}`)
    const keys = new Set(['01', ...OBJECTS.map((key) => key.split('/')[0])])
    expect([...keys].sort()).toEqual(PRIMARY_KEYS)
  },
  'supports every qualifier of its primary keys': async () => {
    const qualified = [
      `${ROOT}/22/2A/10/L9/21/S9`,
      `${ROOT}/235/TPX`,
      '/414/9506000134352/254/C3',
      '/414/9506000134352/7040/1ABC',
      '/8004/9506000CRATE1/7040/1ABC',
      '/8010/9506000PART1/8011/42',
      '/8017/950600013435200008/8019/1',
      '/8018/950600013435200008/8019/1',
    ]
    for (const path of qualified) expect(await statusOf(path), path).toBe(302)
  },
  'supports GET, HEAD and OPTIONS': async () => {
    expect(await statusOf(ROOT)).toBe(302)
    const head = await ask(ROOT, {}, 'HEAD')
    expect([head.status, head.headers.get('location'), head.text]).toEqual([302, 'https://acme.com/en', ''])
    const options = await ask(ROOT, {}, 'OPTIONS')
    expect(options.status).toBe(204)
    expect(options.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
  },
  'lets pages of any origin ask, whatever the answer is': async () => {
    const paths = [ROOT, `${ROOT}?linkType=linkset`, `${ROOT}?linkType=gs1:faqs`, `${ROOT}/foo`, '/01/00000000000000']
    for (const path of [...paths, '/8004/9506000UNKNOWN', '/.well-known/gs1resolver']) {
      expect((await ask(path)).headers.get('access-control-allow-origin'), path).toBe('*')
    }
  },
  'reports a malformed link with 400': async () => {
    const malformed = [
      `${ROOT}/foo`,
      '/01/09506000134353',
      '/01/12345',
      `${ROOT}/21/S1/10/L1`,
      `${ROOT}/8011/1`,
      `${ROOT}?17=261301`,
      '/00/106141412345678909',
      '/8003/19506000134352',
      '/8018/950600013435200008/21/1',
      '/8004/%C3%A9',
    ]
    for (const path of malformed) expect(await statusOf(path), path).toBe(400)
  },
  'never reports an error with 200': async () => {
    for (const path of [`${ROOT}/foo`, `${ROOT}?linkType=gs1:faqs`, '/01/09506000134369', '/8004/9506000UNKNOWN'])
      expect([400, 404], path).toContain(await statusOf(path))
  },
  'decompresses a link, without redirecting to the plain one, which it names': async () => {
    const plain = `${ROOT}/10/L1/21/S1`
    for (const prefix of ['', `/g/${acme.slug}`]) {
      const compressed = await compressedOf(`${prefix}${plain}?17=261231`)
      expect(compressed).toMatch(/^(?:\/g\/[a-z0-9-]+)?\/[\w-]{10,}$/)
      const reply = await ask(`${compressed}?foo=bar`)
      expect([reply.status, reply.headers.get('location')]).toEqual([302, 'https://acme.com/item/S1?17=261231&foo=bar'])
      expect(reply.headers.get('link')).toContain(`<${prefix}${plain}?17=261231>; rel="owl:sameAs"`)
      expect(reply.headers.get('link')).toContain(`<${prefix}${plain}?linkType=linkset>; rel="linkset"`)
      expect((await scansOf())[0]).toMatchObject({
        gs1: { cpv: null, lot: 'L1', serial: 'S1' },
        query_params: { 17: '261231', foo: 'bar' },
      })
      expect(await linksetOf(compressed)).toEqual(await linksetOf(prefix + plain))
      expect((await ask(compressed, {}, 'OPTIONS')).status).toBe(204)
    }
    const ofObject = await compressedOf('/414/9506000134352/254/B2')
    expect(await locationOf(ofObject)).toBe('https://acme.com/things/414/9506000134352/254/B2')
    // The key is written out, and its lot is compressed.
    expect([await statusOf(`${ROOT}/EEarwSM`), await statusOf(`${ROOT}/EEarwSN`)]).toEqual([302, 400])
  },
  'returns the linkset when asked by parameter or by Accept, and does not redirect': async () => {
    const ways = [
      await ask(`${ROOT}?linkType=linkset`),
      await ask(`${ROOT}?linkType=all`),
      await ask(`${ROOT}?linktype=LinkSet`, { accept: '*/*' }),
      await ask(ROOT, { accept: 'application/linkset+json' }),
      await ask(ROOT, { accept: 'text/html;q=0.5, application/linkset+json;q=0.9' }),
    ]
    for (const { status, headers, text } of ways) {
      expect([status, headers.get('content-type')]).toEqual([200, 'application/linkset+json'])
      expect(text).toBe(ways[0]?.text)
      expect(headers.get('vary')).toBe('accept, accept-language')
    }
    const json = await ask(`${ROOT}?linkType=linkset`, { accept: 'application/json' })
    expect([json.headers.get('content-type'), json.text]).toEqual(['application/json', ways[0]?.text])
  },
  'returns the linkset to a program that wants JSON, unless there is a link for it': async () => {
    for (const accept of [
      'application/json',
      'application/json, text/plain, */*',
      'text/html;q=0.5, application/json',
    ]) {
      const { status, headers, text } = await ask(`${ROOT}?linkType=instructions`, { accept })
      expect([status, headers.get('content-type')], accept).toEqual([200, 'application/json'])
      expect(JSON.parse(text).linkset).toEqual(await linksetOf(ROOT))
      expect(await locationOf(ROOT, { accept }), accept).toBe('https://acme.com/data')
      expect((await ask('/8004/9506000CRATE1', { accept })).status, accept).toBe(200)
      expect((await ask(`${ROOT}?linkType=gs1:faqs`, { accept })).status, accept).toBe(404)
    }
    for (const accept of ['application/json;q=0.1, */*', 'text/html, application/json', 'application/*'])
      expect((await ask(`${ROOT}?linkType=instructions`, { accept })).status, accept).toBe(302)
  },
  'shows a person who asks for the linkset a page of links, in their language, which is no scan': async () => {
    const before = await scansOf()
    const accept = { accept: PHONE_ACCEPT, 'accept-language': 'de' }
    for (const path of [`${ROOT}/10/L1?linkType=linkset`, `${ROOT}/10/L1?linkType=all`]) {
      const { status, headers, text } = await ask(path, accept)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect([headers.get('vary'), headers.get('content-language')]).toEqual(['accept, accept-language', 'de'])
      expect(text).toContain('<h1>Informationen zu diesem Produkt</h1>')
      const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
      expect(links[0]).toBe('https://acme.com/recall/L1')
      expect(links).toContain('https://acme.com/manual')
      expect(text).toContain('<h2>Für die Charge L1</h2>')
      expect(text).not.toContain('<script')
    }
    const [json] = (await linksetOf(ROOT))[0][`${VOC}defaultLink`]
    expect(json.href).toBe('https://acme.com/en')
    const program = { accept: 'application/linkset+json, text/html;q=0.9' }
    expect((await ask(`${ROOT}?linkType=linkset`, program)).headers.get('content-type')).toBe(
      'application/linkset+json',
    )
    expect(await scansOf()).toEqual(before)
  },
  'redirects a client that prefers pages to linksets': async () => {
    for (const accept of ['text/html, application/linkset+json;q=0.5', 'application/linkset+json;q=0, */*'])
      expect((await ask(ROOT, { accept })).status).toBe(302)
  },
  'writes the linkset as the schema prescribes': async () => {
    const paths = [ROOT, `${ROOT}/10/L1/21/S1`, ...OBJECTS.map((key) => `/${key}`)]
    for (const path of paths) expect(linksetProblems({ linkset: await linksetOf(path) }), path).toEqual([])
  },
  'includes the links of every level up to the primary key': async () => {
    const anchors = (await linksetOf(`${ROOT}/10/L1/21/S1`)).map(({ anchor }: any) => anchor)
    expect(anchors).toEqual([`${ROOT}/21/S1`, `${ROOT}/10/L1`, ROOT].map((path) => `https://${HOST}${path}`))
    expect((await linksetOf(`${ROOT}/10/L2`)).map(({ anchor }: any) => anchor)).toEqual([`https://${HOST}${ROOT}`])
  },
  'describes each link with target, type and title, and with language and media type if they are known': async () => {
    const [whole] = await linksetOf(ROOT)
    expect(whole[`${VOC}pip`]).toEqual([
      { href: 'https://acme.com/en', title: LINKS[0]?.title, type: 'text/html', hreflang: ['en'] },
      { href: 'https://acme.com/de', title: LINKS[1]?.title, type: 'text/html', hreflang: ['de'] },
      { href: 'https://acme.com/pt', title: LINKS[2]?.title, type: 'text/html', hreflang: ['pt-BR'] },
      { href: 'https://acme.com/data', title: LINKS[3]?.title, type: 'application/json', hreflang: ['en'] },
    ])
    expect(whole[`${VOC}instructions`]).toEqual([
      { href: 'https://acme.com/manual', title: LINKS[4]?.title, hreflang: ['zh'] },
    ])
  },
  'has one default link without other attributes than its title, described by a type as well': async () => {
    const [whole] = await linksetOf(ROOT)
    expect(whole[`${VOC}defaultLink`]).toEqual([{ href: 'https://acme.com/en', title: LINKS[0]?.title }])
    expect(whole[`${VOC}defaultLinkMulti`]).toEqual(whole[`${VOC}pip`])
    const [object] = await linksetOf('/414/9506000134352')
    const target = { href: 'https://acme.com/things/414/9506000134352', title: 'A location' }
    expect(object).toMatchObject({ [`${VOC}defaultLink`]: [target], [`${VOC}locationInfo`]: [target] })
  },
  'points from the linkset to a JSON-LD context': async () => {
    const { headers } = await ask(`${ROOT}?linkType=linkset`)
    expect(headers.get('link')).toContain('rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"')
  },
  'redirects to the default link': async () => {
    for (const accept of ['*/*', PHONE_ACCEPT]) expect(await locationOf(ROOT, { accept })).toBe('https://acme.com/en')
  },
  'has a default link for every request, its own or that of a higher level': async () => {
    expect(await locationOf(`${ROOT}/10/L1`)).toBe('https://acme.com/en')
    expect(await locationOf(`${ROOT}/10/L1/21/S1`)).toBe('https://acme.com/item/S1')
  },
  'redirects to the requested type of link, however it is written': async () => {
    const written = ['gs1:instructions', 'instructions', `${VOC}instructions`, 'https://gs1.org/voc/instructions']
    for (const type of [...written, 'https://www.gs1.org/voc/instructions']) {
      const location = new URL((await locationOf(`${ROOT}?linkType=${encodeURIComponent(type)}`))!)
      expect(location.origin + location.pathname, type).toBe('https://acme.com/manual')
    }
    const path = (location: string | null) => new URL(location!).pathname
    expect(path(await locationOf(`${ROOT}/10/L1?linkType=gs1:recallStatus`))).toBe('/recall/L1')
    expect(path(await locationOf(`${ROOT}?linkType=gs1:defaultLink`, { 'accept-language': 'de' }))).toBe('/en')
  },
  'returns 404 when there is no link of the requested type': async () => {
    for (const type of ['gs1:nosuchlt', 'gs1:recallStatus', 'https://schema.org/image'])
      expect(await statusOf(`${ROOT}?linkType=${type}`), type).toBe(404)
    expect(await statusOf('/8004/9506000CRATE1?linkType=gs1:faqs')).toBe(404)
  },
  'passes the whole query on': async () => {
    expect(await locationOf(`${ROOT}?17=261231&foo=bar&linkType=gs1:pip`)).toBe(
      'https://acme.com/en?17=261231&foo=bar&linkType=gs1%3Apip',
    )
    expect((await scansOf())[0].query_params).toEqual({ 17: '261231', foo: 'bar', linkType: 'gs1:pip' })
  },
  'chooses between links of a type by language': async () => {
    const expected = {
      de: 'de',
      'de-AT, en;q=0.8': 'de',
      'fr, de;q=0.3, en;q=0.2': 'de',
      'fr, de;q=0.2, en;q=0.3': 'en',
      pt: 'pt',
      'pt-PT': 'pt',
      fr: 'en',
      '*': 'en',
      'en;q=0, *': 'de',
    }
    for (const [header, place] of Object.entries(expected)) {
      const headers = { 'accept-language': header, accept: PHONE_ACCEPT }
      expect(await locationOf(ROOT, headers), header).toBe(`https://acme.com/${place}`)
    }
    expect(await locationOf(`${ROOT}?lang=de`, { 'accept-language': 'en' })).toBe('https://acme.com/de?lang=de')
  },
  'chooses between links of a type by media type': async () => {
    const expected = { 'application/json': 'data', 'application/*, text/html;q=0.9': 'data', 'image/png': 'en' }
    for (const [accept, place] of Object.entries(expected)) {
      expect(await locationOf(ROOT, { accept, 'accept-language': 'en' }), accept).toBe(`https://acme.com/${place}`)
    }
    expect(await locationOf(`${ROOT}?mediaType=application/json`)).toMatch(/^https:\/\/acme\.com\/data\?/)
  },
  'describes itself at /.well-known/gs1resolver': async () => {
    const { status, headers, text } = await ask('/.well-known/gs1resolver')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    const description = JSON.parse(text)
    expect(describeProblems(description)).toEqual([])
    expect(description).toMatchObject({
      resolverRoot: `https://${HOST}`,
      supportedPrimaryKeys: PRIMARY_KEYS,
      jsonLdContextLocation: 'https://ref.gs1.org/standards/resolver/linkset-context',
    })
    const unknown = await scan(harness, '/.well-known/gs1resolver', { host: 'unknown.example.com' })
    expect(unknown.status).toBe(404)
  },
  'tells where the linkset is, also when it redirects': async () => {
    const expected = `<${ROOT}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`
    expect((await ask(`${ROOT}/`)).headers.get('link')).toBe(expected)
    expect((await ask(`${ROOT}?linkType=gs1:faqs`)).headers.get('link')).toBe(expected)
  },
  'tolerates a slash at the end': async () => {
    expect(await locationOf(`${ROOT}/`)).toBe('https://acme.com/en')
    expect(await locationOf('/8004/9506000CRATE1/')).toBe('https://acme.com/things/8004/9506000CRATE1')
  },
}

test.each(Object.entries(RULES))('%s', (_rule, check) => check())

test('a code whose slug looks like a compressed link still works', async () => {
  const slug = (await compressedOf(`${ROOT}/10/L1`)).slice(1)
  expect(await locationOf(`/${slug}`)).toBe('https://acme.com/en')
  const domain = (await acme.get('/v1/custom-domains')).body.data[0]
  const code = {
    name: 'Poster',
    public_slug: slug,
    domain_id: domain.id,
    destination: { url: 'https://acme.com/poster' },
  }
  expect((await acme.post('/v1/qr-codes', code)).status).toBe(201)
  expect(await locationOf(`/${slug}`)).toBe('https://acme.com/poster')
  expect(await locationOf(`${ROOT}/10/L1`)).toBe('https://acme.com/en')
})

test('counts visitors with their lot and serial number, but not programs that ask for the linkset', async () => {
  await ask(`${ROOT}/10/L1/21/S1?linkType=linkset`)
  const before = (await scansOf('?limit=100')).length
  await ask(`${ROOT}/10/L1/21/S1?linkType=linkset`)
  expect(await scansOf('?limit=100')).toHaveLength(before)
  await ask(`${ROOT}/10/L1/21/S1`)
  const [latest, ...others] = await scansOf('?limit=100')
  expect(others).toHaveLength(before)
  expect(latest).toMatchObject({
    destination: { type: 'url', url: 'https://acme.com/item/S1' },
    gs1: { cpv: null, lot: 'L1', serial: 'S1' },
  })
})
