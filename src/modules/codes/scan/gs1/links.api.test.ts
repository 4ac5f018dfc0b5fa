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
    `http://localhost:8080/kb/${base.public_slug}?scan=`,
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
