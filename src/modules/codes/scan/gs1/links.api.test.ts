/** What the links of products mean for scans, beyond the rules of GS1. */
import { expect, test } from 'vitest'
import { scan } from '../../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'

const harness = useHarness()
const VOC = 'https://ref.gs1.org/voc/'
const PATH = '/01/09506000134352'

async function createProduct(tenant: Tenant, more: object, links: object[] = []): Promise<{ id: string }> {
  const { body } = await tenant.post('/v1/products', { name: 'Oil', gtin: '9506000134352', ...more })
  if (links.length > 0) expect((await tenant.put(`/v1/products/${body.id}/links`, { links })).status).toBe(200)
  return body
}

const open = (tenant: Tenant, path = PATH, headers: Record<string, string> = {}) =>
  scan(harness, `/g/${tenant.slug}${path}`, headers)
const locationOf = async (...args: Parameters<typeof open>) => (await open(...args)).headers.get('location')
const linksetOf = async (tenant: Tenant, path = PATH) =>
  JSON.parse((await open(tenant, `${path}?linkType=linkset`)).text).linkset

test('the destination of a product is its default link, and links in other languages come before it', async () => {
  const acme = await harness.createTenant()
  const pip = (language: string) => ({
    link_type: 'gs1:pip',
    url: `https://acme.com/${language}`,
    title: language,
    language,
  })
  await createProduct(acme, { destination: { url: 'https://acme.com/oil' } }, [pip('de'), pip('fr')])
  expect(await locationOf(acme)).toBe('https://acme.com/oil')
  expect(await locationOf(acme, PATH, { 'accept-language': 'fr-CH, de;q=0.5' })).toBe('https://acme.com/fr')
  expect(await locationOf(acme, PATH, { 'accept-language': 'it' })).toBe('https://acme.com/oil')
  const [whole] = await linksetOf(acme)
  expect(whole).toMatchObject({
    anchor: `http://localhost:8080/g/${acme.slug}${PATH}`,
    [`${VOC}defaultLink`]: [{ href: 'https://acme.com/oil', title: 'Product information page' }],
  })
  expect(whole[`${VOC}pip`].map(({ href }: any) => href)).toEqual(
    ['de', 'fr', 'oil'].map((at) => `https://acme.com/${at}`),
  )
})

test('the next scan uses changed links, with the URL params of the product', async () => {
  const acme = await harness.createTenant()
  const { id } = await createProduct(acme, {})
  expect((await open(acme)).text).toContain('This code is not set up yet')
  expect((await open(acme, `${PATH}?linkType=linkset`)).status).toBe(404)
  await acme.put(`/v1/products/${id}/url-params`, { url_params: [{ key: 'utm', value: 'pack' }] })
  for (let n = 0; n < 5; n++) {
    const url = `https://acme.com/faq/${n}`
    await acme.put(`/v1/products/${id}/links`, { links: [{ link_type: 'gs1:faqs', url, title: 'Questions' }] })
    expect(await locationOf(acme)).toBe(`${url}?utm=pack`)
    expect((await linksetOf(acme))[0][`${VOC}faqs`][0].href).toBe(`${url}?utm=pack`)
  }
})

test('the number under the barcode, typed at the notice of a malformed link, leads to the product', async () => {
  const acme = await harness.createTenant()
  await createProduct(acme, { destination: { url: 'https://acme.com/oil' } })
  const typed = (text: string, path = '/01/95060001343') => open(acme, `${path}?gtin=${encodeURIComponent(text)}`)
  const numbers = [
    '9506000134352',
    ' 9 506000-134352 ',
    '09506000134352',
    '９５０６０００１３４３５２',
    '٩٥٠٦٠٠٠١٣٤٣٥٢',
  ]
  for (const number of numbers) {
    const { status, headers } = await typed(number)
    expect({ status, location: headers.get('location') }, number).toEqual({
      status: 302,
      location: `/g/${acme.slug}${PATH}`,
    })
  }
  for (const number of ['', '9506000134353', 'abc', '9'.repeat(5000), '//evil.example']) {
    const { status, text } = await typed(number)
    expect(status, number).toBe(400)
    expect(text).toContain('<input name="gtin"')
  }
  // Only there: a visitor's own parameter of this name goes on to the destination.
  expect((await typed('4006381333931', PATH)).headers.get('location')).toBe('https://acme.com/oil?gtin=4006381333931')
})

test('a paused product shows a page to visitors and tells programs no links', async () => {
  const acme = await harness.createTenant()
  const link = { link_type: 'gs1:pip', url: 'https://acme.com/oil', title: 'Oil', is_default: true }
  const { id } = await createProduct(acme, { status: 'inactive' }, [link])
  for (const path of [PATH, `${PATH}?linkType=gs1:pip`])
    expect((await open(acme, path)).text).toContain('This code is paused')
  const linkset = await open(acme, PATH, { accept: 'application/linkset+json' })
  expect([linkset.status, linkset.text.includes('acme.com/oil')]).toEqual([404, false])
  await acme.delete(`/v1/products/${id}`)
  expect((await open(acme, `${PATH}?linkType=linkset`)).status).toBe(410)
})

test('a link can lead to a page of ours, which is shown at once, and to a knowledge base', async () => {
  const acme = await harness.createTenant()
  const page = (await acme.post('/v1/pages', { title: 'About oil', status: 'active' })).body
  const base = (await acme.post('/v1/knowledge-bases', { name: 'Help', is_published: true })).body
  const { id } = await createProduct(acme, {}, [
    { link_type: 'gs1:pip', destination: { page: page.id }, title: 'About', is_default: true },
    { link_type: 'gs1:support', destination: { knowledge_base: base.id }, title: 'Help' },
  ])
  const shown = await open(acme)
  expect([shown.status, shown.text.includes('<title>About oil</title>')]).toEqual([200, true])
  expect(shown.headers.get('access-control-allow-origin')).toBe('*')
  expect(shown.headers.get('link')).toContain('rel="linkset"')
  const { data } = (await acme.get(`/v1/products/${id}/scans`)).body
  expect(data[0].destination).toEqual({ type: 'page', id: page.id, url: null })
  expect(await locationOf(acme, `${PATH}?linkType=gs1:support`)).toMatch(
    `http://localhost:8080/kb/${base.public_slug}?s=`,
  )
  const [whole] = await linksetOf(acme)
  expect(whole[`${VOC}support`][0].href).toBe(`http://localhost:8080/kb/${base.public_slug}`)
})

test('keys of objects lead to the objects of their organisation, and count as their scans', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const destination = { url: 'https://acme.com/crate' }
  const crate = (await acme.post('/v1/objects', { type: 'crate', gs1_key: '8004/9506000A/1', destination })).body
  expect(crate.gs1_key).toBeUndefined()
  const object = (await acme.post('/v1/objects', { type: 'crate', gs1_key: '8004/9506000A%2F1', destination })).body
  expect(await locationOf(acme, '/8004/9506000A%2f1')).toBe('https://acme.com/crate')
  expect((await open(other, '/8004/9506000A%2F1')).status).toBe(404)
  expect((await scan(harness, '/8004/9506000A%2F1')).status).toBe(404)
  expect((await acme.get(`/v1/objects/${object.id}`)).body.total_scans).toBe(1)
  await acme.patch(`/v1/objects/${object.id}`, { gs1_key: '8004/9506000B2' })
  expect((await open(acme, '/8004/9506000A%2F1')).status).toBe(410)
  expect(await locationOf(acme, '/8004/9506000B2')).toBe('https://acme.com/crate')
})

test('placeholders get the values of the scanned link, and links for any item come before those for the product', async () => {
  const acme = await harness.createTenant()
  const link = (url: string, more: object = {}) => ({ link_type: 'gs1:pip', url, title: url, ...more })
  const { id } = await createProduct(acme, {}, [
    link('https://acme.com/oil', { is_default: true }),
    link('https://acme.com/items/{serial}?gtin={gtin}', { is_default: true }),
    link('https://acme.com/lots/{lot}', { is_default: true }),
    link('https://acme.com/recall', { is_default: true, lot: 'L/1' }),
    link('https://acme.com/any', { link_type: 'gs1:faqs', serial: '{serial}' }),
  ])
  const { data } = (await acme.get(`/v1/products/${id}/links`)).body
  expect(data.map(({ url, lot, serial }: any) => [url, lot, serial])).toEqual([
    ['https://acme.com/oil', null, null],
    ['https://acme.com/items/{serial}?gtin={gtin}', null, '{serial}'],
    ['https://acme.com/lots/{lot}', '{lot}', null],
    ['https://acme.com/recall', 'L/1', null],
    ['https://acme.com/any', null, '{serial}'],
  ])
  const expected = {
    '': 'oil',
    '/21/S%2F1%3F': 'items/S%2F1%3F?gtin=09506000134352',
    '/10/L2': 'lots/L2',
    '/10/L%2F1': 'recall',
    '/10/L2/21/S1': 'items/S1?gtin=09506000134352',
    '/10/L%2F1/21/S1': 'recall',
    '/21/..': 'oil',
  }
  for (const [path, to] of Object.entries(expected))
    expect(await locationOf(acme, PATH + path), path).toBe(`https://acme.com/${to}`)
  expect((await open(acme, `${PATH}?linkType=gs1:faqs`)).status).toBe(404)
  expect(await locationOf(acme, `${PATH}/21/S1?linkType=gs1:faqs`)).toBe('https://acme.com/any?linkType=gs1%3Afaqs')
  const [item, whole] = await linksetOf(acme, `${PATH}/21/S%2F1`)
  expect(item).toMatchObject({
    anchor: `http://localhost:8080/g/${acme.slug}${PATH}/21/S%2F1`,
    [`${VOC}pip`]: [{ href: 'https://acme.com/items/S%2F1?gtin=09506000134352' }],
  })
  expect(whole.anchor).toBe(`http://localhost:8080/g/${acme.slug}${PATH}`)
  expect((await acme.get(`/v1/products/${id}/scans?limit=1`)).body.data[0].gs1.serial).toBe('S1')

  const refused = await acme.put(`/v1/products/${id}/links`, { links: [link('https://acme.com/{seriel}')] })
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
  expect(refused.body.details.fieldErrors['links[0].url'][0]).toContain('Must not have the placeholder {seriel}')
  const twice = [
    link('https://acme.com/{lot}', { is_default: true }),
    link('https://acme.com/x', { is_default: true, lot: '{lot}' }),
  ]
  expect((await acme.put(`/v1/products/${id}/links`, { links: twice })).status).toBe(400)
})

test('the destination of a product has placeholders, too, and a missing value is left out', async () => {
  const acme = await harness.createTenant()
  await createProduct(acme, { destination: { url: 'https://acme.com/check?lot={lot}&serial={serial}' } })
  expect(await locationOf(acme, `${PATH}/10/L1`)).toBe('https://acme.com/check?lot=L1&serial=')
  expect(await locationOf(acme, `${PATH}/10/L1/21/a&b`)).toBe('https://acme.com/check?lot=L1&serial=a%26b')
})

test('a link in no language comes before one in a wrong language, and after one in the right language', async () => {
  const acme = await harness.createTenant()
  const support = (place: string, language: string | null) => ({
    link_type: 'gs1:support',
    url: `https://acme.com/${place}`,
    title: place,
    language,
  })
  const { id } = await createProduct(acme, {}, [support('en', 'en'), support('de', 'de'), support('signs', 'UND')])
  expect((await acme.get(`/v1/products/${id}/links`)).body.data[2].language).toBe('und')
  const expected = {
    de: 'de',
    'de-CH': 'de',
    en: 'en',
    fr: 'signs',
    'fr, de;q=0.1': 'de',
    '*': 'en',
    'fr, *;q=0.5': 'en',
  }
  for (const [header, place] of Object.entries(expected)) {
    const location = await locationOf(acme, `${PATH}?linkType=gs1:support`, { 'accept-language': header })
    expect(new URL(location ?? '').pathname, header).toBe(`/${place}`)
  }
  expect(new URL((await locationOf(acme, `${PATH}?linkType=gs1:support`)) ?? '').pathname).toBe('/en')
  const [whole] = await linksetOf(acme)
  expect(whole[`${VOC}support`].map(({ hreflang }: any) => hreflang)).toEqual([['en'], ['de'], undefined])
  await acme.put(`/v1/products/${id}/links`, { links: [support('en', 'en'), support('signs', null)] })
  expect(new URL((await locationOf(acme, PATH, { 'accept-language': 'fr' })) ?? '').pathname).toBe('/signs')
})

test('an object whose GS1 key ends with {rest} stands for all keys that begin like it', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const create = async (gs1_key: string, url: string, tenant = acme) => {
    const { status, body } = await tenant.post('/v1/objects', { type: 'crate', gs1_key, destination: { url } })
    expect(status, body.message).toBe(201)
    return body
  }
  expect((await open(acme, '/8004/9506000A1')).status).toBe(404)
  const crates = await create('8004/9506000A{rest}', 'https://acme.com/crates/{rest}?giai={key}')
  const big = await create('8004/9506000AB{rest}', 'https://acme.com/big/{rest}')
  await create('8004/9506000A7', 'https://acme.com/seven')
  expect(crates.gs1_key).toBe('8004/9506000A{rest}')
  const expected = {
    '9506000A1': 'crates/1?giai=9506000A1',
    '9506000A%2F1': 'crates/%2F1?giai=9506000A%2F1',
    '9506000AB12': 'big/12',
    '9506000A7': 'seven',
    '9506000A71': 'crates/71?giai=9506000A71',
    '9506000A': 'crates/?giai=9506000A',
    '9506000A1/7040/1ABC': 'crates/1?giai=9506000A1',
  }
  for (const [key, to] of Object.entries(expected))
    expect(await locationOf(acme, `/8004/${key}`), key).toBe(`https://acme.com/${to}`)
  for (const path of ['/8004/9506000B1', '/8004/9506000', '/8004/9506000A%7Brest%7D'])
    expect([400, 404], path).toContain((await open(acme, path)).status)
  expect((await open(other, '/8004/9506000A1')).status).toBe(404)
  expect((await acme.get(`/v1/objects/${crates.id}`)).body.total_scans).toBe(5)
  const [{ anchor }] = await linksetOf(acme, '/8004/9506000AB12')
  expect(anchor).toBe(`http://localhost:8080/g/${acme.slug}/8004/9506000AB12`)

  // The next scan sees a change.
  await acme.patch(`/v1/objects/${big.id}`, { gs1_key: '8004/9506000AC{rest}' })
  expect(await locationOf(acme, '/8004/9506000AB12')).toBe('https://acme.com/crates/B12?giai=9506000AB12')
  expect(await locationOf(acme, '/8004/9506000AC12')).toBe('https://acme.com/big/12')
  await acme.delete(`/v1/objects/${crates.id}`)
  expect((await open(acme, '/8004/9506000A1')).status).toBe(404)

  for (const gs1_key of [
    '00/106141412345678908{rest}',
    '414/9506000134352{rest}',
    '8004/950{rest}',
    '8004/9506000A{rest}{rest}',
  ])
    expect((await acme.post('/v1/objects', { type: 'crate', gs1_key })).status, gs1_key).toBe(400)
  const taken = await acme.post('/v1/objects', { type: 'crate', gs1_key: '8004/9506000AC{rest}' })
  expect(taken).toMatchObject({ status: 409, body: { details: { field: 'gs1_key' } } })
  const documents = await create('253/9506000134352{rest}', 'https://acme.com/documents/{rest}')
  expect(await locationOf(acme, '/253/9506000134352INV7')).toBe('https://acme.com/documents/INV7')
  expect((await acme.get('/v1/objects?gs1_key=253/9506000134352{rest}')).body.data[0].id).toBe(documents.id)
})

test('an organisation has at most 1,000 keys that stand for many', async () => {
  const acme = await harness.createTenant()
  const toItem = (n: number) => ({ external_id: `crate-${n}`, type: 'crate', gs1_key: `8004/9506${n}X{rest}` })
  const items = Array.from({ length: 1000 }, (_, n) => toItem(n))
  expect((await acme.post('/v1/objects/batch', { items })).body).toMatchObject({ created: 1000 })
  expect(await acme.post('/v1/objects/batch', { items: [toItem(1000)] })).toMatchObject({ status: 422 })
  const { body } = await acme.post('/v1/objects', { type: 'crate' })
  const patched = await acme.patch(`/v1/objects/${body.id}`, { gs1_key: '8004/9506Y{rest}' })
  expect(patched).toMatchObject({ status: 422, body: { details: { field: 'gs1_key' } } })
  expect((await acme.post('/v1/objects/batch', { items })).body).toMatchObject({ unchanged: 1000 })
})

test('an organisation can redirect with 307, from the next scan on, and audits that', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const destination = { url: 'https://acme.com/oil' }
  const paths = new Map<Tenant, string[]>()
  for (const tenant of [acme, other]) {
    await createProduct(tenant, { destination })
    const code = (await tenant.post('/v1/qr-codes', { name: 'Code', destination })).body
    paths.set(tenant, [`/g/${tenant.slug}${PATH}`, new URL(code.url).pathname])
  }
  const statuses = async (tenant: Tenant) =>
    Promise.all((paths.get(tenant) ?? []).map(async (path) => (await scan(harness, path)).status))
  expect((await acme.get('/v1/organisation')).body.redirect_status).toBe(302)
  expect(await statuses(acme)).toEqual([302, 302])
  for (const redirect_status of [307, 302, 307]) {
    expect((await acme.patch('/v1/organisation', { redirect_status })).body.redirect_status).toBe(redirect_status)
    expect(await statuses(acme)).toEqual([redirect_status, redirect_status])
  }
  expect(await statuses(other)).toEqual([302, 302])
  expect((await acme.patch('/v1/organisation', { redirect_status: 301 })).status).toBe(400)
  const [entry] = (await acme.get('/v1/audit-log?limit=1')).body.data
  expect(entry).toMatchObject({ action: 'organisation.updated', changes: { redirect_status: { from: 302, to: 307 } } })
})
