/** The image of a product's code: what it encodes, on which domain, and the text beneath it. */
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { loadScanner, readCode, readDataMatrix } from '../../../testing/world/scanner.ts'

const GTIN = '09506000134352'
const harness = useHarness({
  config: {
    appUrl: 'https://app.waymark.example',
    publicUrl: 'https://go.waymark.example',
    acceptsAnyHost: false,
  },
})

let acme: Tenant
let product: { id: string; url: string }
let path: string

beforeAll(async () => {
  await loadScanner()
  acme = await harness.createTenant()
  const body = { name: 'Oil', gtin: GTIN, destination: { url: 'https://acme.com/oil' } }
  product = (await acme.post('/v1/products', body)).body
  path = `/v1/products/${product.id}/image`
})

const getJson = async (query: Record<string, string>) =>
  (await acme.get(`${path}?${new URLSearchParams({ format: 'json', ...query })}`)).body

const pngOf = (body: any) => Buffer.from(body.data_url.split(',')[1], 'base64')

test('is a QR code of the Digital Link with its GTIN beneath', async () => {
  const image = await getJson({})
  expect(image).toEqual({
    object: 'qr_code_image',
    product_id: product.id,
    gtin: GTIN,
    symbol: 'qr',
    text: `(01) ${GTIN}`,
    format: 'png',
    size: 512,
    height: expect.any(Number),
    margin: 4,
    ecl: 'M',
    encoded_url: product.url,
    data_url: expect.any(String),
  })
  const png = pngOf(image)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, image.height])
  expect(image.height).toBeGreaterThan(512)
  expect(await readCode(png)).toEqual({ text: product.url, ecl: 'M' })
})

test('can be a Data Matrix, with a variant, a lot and a serial number in the order of GS1', async () => {
  const image = await getJson({ symbol: 'datamatrix', serial: '(1)', lot: 'A/B%', cpv: '2A' })
  const url = `${product.url}/22/2A/10/A%2FB%25/21/%281%29`
  expect(image).toMatchObject({
    object: 'data_matrix_image',
    symbol: 'datamatrix',
    ecl: null,
    encoded_url: url,
    text: `(01) ${GTIN} (22) 2A (10) A/B% (21) (1)`,
  })
  expect(await readDataMatrix(pngOf(image))).toBe(url)
})

test('can be without text, and is then a square', async () => {
  expect(await getJson({ caption: 'Reading chair' })).toMatchObject({ text: 'Reading chair' })
  const image = await getJson({ text: 'false', lot: 'A1' })
  expect(image).toMatchObject({ text: null, size: 512, height: 512, encoded_url: `${product.url}/10/A1` })
  expect(await readCode(pngOf(image))).toMatchObject({ text: `${product.url}/10/A1` })
})

test('is on the domain of the organisation once it is verified, and a scan of it counts with lot and serial number', async () => {
  const tenant = await harness.createTenant()
  const body = { name: 'Oil', gtin: GTIN, destination: { url: 'https://acme.com/oil' } }
  const { id } = (await tenant.post('/v1/products', body)).body
  const domain = (await tenant.post('/v1/custom-domains', { domain: 'id.acme.example' })).body
  const imageOf = async () =>
    (await tenant.get(`/v1/products/${id}/image?format=json&symbol=datamatrix&lot=ABC123&serial=12345`)).body
  expect((await imageOf()).encoded_url).toMatch(/^https:\/\/go\.waymark\.example\/g\//)
  const etag = (await tenant.get(`/v1/products/${id}/image`)).headers.get('etag')!
  await harness.verifyDomain(tenant, domain.id)
  const printed = await readDataMatrix(pngOf(await imageOf()))
  expect(printed).toBe(`https://id.acme.example/01/${GTIN}/10/ABC123/21/12345`)
  expect((await tenant.get(`/v1/products/${id}/image`, { 'if-none-match': etag })).status).toBe(200)
  const { pathname, host } = new URL(printed!)
  expect((await scan(harness, pathname, { host })).headers.get('location')).toBe('https://acme.com/oil')
  const [stored] = (await tenant.get(`/v1/products/${id}/scans`)).body.data
  expect(stored).toMatchObject({ product_id: id, gs1: { cpv: null, lot: 'ABC123', serial: '12345' } })
})

test('has the formats, headers and errors of other code images', async () => {
  for (const [accept, type] of [
    ['*/*', 'image/svg+xml'],
    ['image/png', 'image/png'],
    ['application/pdf', 'application/pdf'],
  ]) {
    const { headers, status } = await acme.get(`${path}?symbol=datamatrix`, { accept: accept! })
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, type, 'Accept'])
    expect(headers.get('x-waymark-warning'), 'the address works everywhere').toBeNull()
  }
  const etag = (await acme.get(path)).headers.get('etag')!
  expect((await acme.get(path, { 'if-none-match': etag })).status).toBe(304)
  for (const query of ['symbol=datamatrix', 'lot=A', 'serial=A', 'cpv=A', 'text=false']) {
    expect((await acme.get(`${path}?${query}`, { 'if-none-match': etag })).status, query).toBe(200)
  }
  const other = await harness.createTenant()
  expect((await other.get(path)).body.error).toBe('not_found')
})

test.each([
  ['lot=', 'lot'],
  [`serial=${'1'.repeat(21)}`, 'serial'],
  ['cpv=%C3%A9', 'cpv'],
  ['lot=A%20B', 'lot'],
  ['lot=%F0%9F%91%8B', 'lot'],
  ['serial=..', 'serial'],
  ['symbol=aztec', 'symbol'],
  ['text=yes', 'text'],
  ['format=png&size=64', 'size'],
  [`symbol=datamatrix&logo=${newId()}`, 'logo'],
])('?%s returns 400 and names the parameter', async (query, parameter) => {
  const { status, body } = await acme.get(`${path}?${query}`)
  expect([status, body.error, Object.keys(body.details.fieldErrors)]).toEqual([400, 'invalid_query', [parameter]])
})

test('says how large a PNG with text must be', async () => {
  const { fieldErrors } = (await acme.get(`${path}?format=png&size=64`)).body.details
  expect(fieldErrors.size).toEqual([
    'Must be at least 88 for this code with the text beneath it, or text must be false',
  ])
  expect((await acme.get(`${path}?format=png&size=88`)).status).toBe(200)
  expect((await acme.get(`${path}?format=png&size=64&text=false`)).status).toBe(200)
})
