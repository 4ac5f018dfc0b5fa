import { expect, test } from 'vitest'
import { RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

let slugs = 0
const newSlug = () => `changed-${++slugs}`

test('an organisation has the fields of the contract', async () => {
  const acme = await harness.createTenant()
  const { status, body } = await acme.get('/v1/organisation')
  expect(status).toBe(200)
  expect(body).toEqual({
    object: 'organisation',
    id: acme.orgId,
    name: expect.any(String),
    slug: acme.slug,
    default_language: 'en',
    time_zone: 'UTC',
    logo_url: null,
    brand: { primary_color: null, corner_radius: null, light_background: null, dark_background: null },
    fallback_url: null,
    redirect_status: 302,
    deletes_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
})

test('every field can be changed, and the audit log tells what it was before', async () => {
  const acme = await harness.createTenant()
  const before = (await acme.get('/v1/organisation')).body
  const values = {
    name: 'Acme – שלום 🏷️',
    slug: newSlug(),
    default_language: 'de',
    time_zone: 'Europe/Berlin',
    logo_url: 'https://acme.example/logo.svg',
  }
  const { status, body } = await acme.patch('/v1/organisation', values)
  expect({ status, body }).toMatchObject({ status: 200, body: values })
  expect((await acme.get('/v1/organisation')).body).toEqual(body)
  expect((await acme.get('/v1/me')).body.org).toEqual({ id: acme.orgId, name: values.name, slug: values.slug })
  const [entry] = (await acme.get('/v1/audit-log?action=organisation.updated')).body.data
  expect(entry.changes).toEqual(
    Object.fromEntries(
      Object.entries(values).map(([name, to]) => [name, { from: before[name as keyof typeof before], to }]),
    ),
  )
})

test('a PATCH that changes nothing is no change', async () => {
  const acme = await harness.createTenant()
  const before = (await acme.get('/v1/organisation')).body
  expect((await acme.patch('/v1/organisation', {})).body).toEqual(before)
  expect((await acme.patch('/v1/organisation', { slug: acme.slug })).body).toEqual(before)
  expect((await acme.get('/v1/audit-log?action=organisation.updated')).body.data).toEqual([])
})

test.each([
  ['slug', 'Acme'],
  ['slug', '-acme'],
  ['slug', 'a'.repeat(64)],
  ['slug', ''],
  ['time_zone', 'Mars/Olympus'],
  ['time_zone', '+01:00'],
  ['time_zone', ''],
  ['default_language', 'xx'],
  ['logo_url', 'http://acme.example/logo.svg'],
  ['name', ' '],
])('%s cannot be %j', async (name, value) => {
  const acme = await harness.createTenant()
  const { status, body } = await acme.patch('/v1/organisation', { name: 'Changed', [name]: value })
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
  expect(Object.keys(body.details.fieldErrors)).toEqual([name])
  expect((await acme.get('/v1/organisation')).body.name).not.toBe('Changed')
})

test('no word of our own addresses can become a slug', async () => {
  const acme = await harness.createTenant()
  for (const word of RESERVED_WORDS) {
    expect((await acme.patch('/v1/organisation', { slug: word })).status, word).toBe(400)
  }
})

test('codes in print keep working when the slug changes, on every instance', async () => {
  const acme = await harness.createTenant()
  const product = await acme.post('/v1/products', {
    gtin: '4006381333931',
    name: 'Pen',
    destination: { url: 'https://acme.example/pen' },
  })
  const scan = async (url: string) =>
    (await fetch(new URL(new URL(url).pathname, harness.baseUrl), { redirect: 'manual' })).headers.get('location')
  const { url } = product.body
  expect(url).toContain(`/g/${acme.slug}/`)
  expect(await scan(url)).toBe('https://acme.example/pen')
  const slug = newSlug()
  expect(await scan(url.replace(acme.slug, slug)), 'nobody has it yet').toBeNull()
  await acme.patch('/v1/organisation', { slug })
  const changed = (await acme.get(`/v1/products/${product.body.id}`)).body.url
  expect(changed).toContain(`/g/${slug}/`)
  expect([await scan(url), await scan(changed)]).toEqual(Array(2).fill('https://acme.example/pen'))
})

test('no other organisation gets a slug that this one has or had', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const slug = newSlug()
  await acme.patch('/v1/organisation', { slug })
  for (const taken of [slug, acme.slug]) {
    const { status, body } = await other.patch('/v1/organisation', { slug: taken })
    expect({ status, details: body.details }).toEqual({ status: 409, details: { field: 'slug', value: taken } })
  }
  expect((await other.get('/v1/organisation')).body.slug).toBe(other.slug)
  expect((await acme.patch('/v1/organisation', { slug: acme.slug })).status, 'its own earlier one').toBe(200)
})

test('of two organisations that want the same slug at once, one gets it', async () => {
  const tenants = [await harness.createTenant(), await harness.createTenant()]
  const slug = newSlug()
  const replies = await Promise.all(tenants.map((tenant) => tenant.patch('/v1/organisation', { slug })))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('an organisation has at most 20 slugs over time', async () => {
  const acme = await harness.createTenant()
  const replies = []
  for (let n = 0; n < 20; n++) replies.push((await acme.patch('/v1/organisation', { slug: newSlug() })).status)
  expect(replies).toEqual([...Array(19).fill(200), 422])
})
