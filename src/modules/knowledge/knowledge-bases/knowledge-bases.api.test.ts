import { describe, expect, test } from 'vitest'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.acme.com' } })

const PATH = '/v1/knowledge-bases'
const create = async (tenant: Tenant, body: object = {}) => {
  const reply = await tenant.post(PATH, { name: 'Care', ...body })
  expect(reply.status).toBe(201)
  return reply.body
}
const slugsOf = async (tenant: Tenant, query = '') =>
  (await tenant.get(`${PATH}?page_size=100${query}`)).body.data.map(({ slug }: { slug: string }) => slug)

function expectTaken({ status, body }: { status: number; body: any }, slug: string): void {
  expect(status).toBe(409)
  expect(body).toMatchObject({ error: 'conflict', details: { field: 'slug', value: slug } })
}

test('a knowledge base created with only a name gets defaults for everything else', async () => {
  const acme = await harness.createTenant()
  const base = await create(acme, { name: '  Zubehör & Teile ' })
  expect(base).toEqual({
    object: 'knowledge_base',
    id: expect.any(String),
    name: 'Zubehör & Teile',
    slug: 'zubehor-teile',
    public_slug: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
    url: `https://go.acme.com/kb/${base.public_slug}`,
    description: null,
    logo_url: null,
    primary_color: null,
    contact_email: null,
    contact_phone: null,
    is_published: false,
    default_language: 'en',
    everyday_synonyms: true,
    translations: {},
    created_at: expect.any(String),
    updated_at: base.created_at,
  })
})

test('returns all fields as sent, in any script and up to their maximum length', async () => {
  const acme = await harness.createTenant()
  const sent = {
    name: '🛠'.repeat(200),
    slug: 'x'.repeat(200),
    description: '長'.repeat(2000),
    logo_url: 'https://acme.com/logo.svg',
    primary_color: '#FFaa00',
    contact_email: 'help+care@acme.example',
    contact_phone: '+49 (30) 12.34-56/7',
    is_published: true,
    default_language: 'no',
    everyday_synonyms: false,
    translations: { 'pt-BR': { name: 'Cuidados', description: null }, ar: { name: 'العناية', description: 'الأثاث' } },
  }
  expect(await create(acme, sent)).toMatchObject(sent)
})

testOnce.each<[string, object]>([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(201) }],
  ['slug', { slug: 'Care' }],
  ['slug', { slug: null }],
  ['description', { description: 'x'.repeat(2001) }],
  ['logo_url', { logo_url: 'http://acme.com/logo.svg' }],
  ['primary_color', { primary_color: 'red' }],
  ['contact_email', { contact_email: 'acme.example' }],
  ['contact_phone', { contact_phone: 'call us' }],
  ['is_published', { is_published: null }],
  ['is_published', { is_published: 'true' }],
  ['default_language', { default_language: 'xx' }],
  ['default_language', { default_language: null }],
  ['everyday_synonyms', { everyday_synonyms: null }],
  ['everyday_synonyms', { everyday_synonyms: 'no' }],
])('rejects an invalid %s (%j) on create and update', async (field, wrong) => {
  const acme = await harness.createTenant()
  const base = await create(acme)
  for (const reply of [await acme.post(PATH, { name: 'X', ...wrong }), await acme.patch(`${PATH}/${base.id}`, wrong)]) {
    expect(reply.body.error).toBe('invalid_payload')
    expect(reply.body.details.fieldErrors).toEqual({ [field]: [expect.any(String)] })
  }
  expect((await acme.get(PATH)).body).toMatchObject({ total: 1, data: [base] })
})

test('translations replace the ones before, with canonical tags, and nothing of a refused request is stored', async () => {
  const acme = await harness.createTenant()
  const { id } = await create(acme, { translations: { 'pt-br': { name: ' Cuidados ' }, DE: { name: 'Pflege' } } })
  const stored = { de: { name: 'Pflege', description: null }, 'pt-BR': { name: 'Cuidados', description: null } }
  const shown = (await acme.get(`${PATH}/${id}`)).body
  expect(JSON.stringify(shown.translations)).toBe(JSON.stringify(stored))
  const named = (count: number, description: string | null = null) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`de-${1001 + n}`, { name: 'Pflege', description }]))
  for (const translations of [
    null,
    [],
    { xx: { name: 'Care' } },
    { iw: { name: 'טיפול' }, he: { name: 'טיפוח' } },
    { de: {} },
    { de: { name: ' ' } },
    { de: { name: 'Pflege', slug: 'pflege' } },
    { de: { name: 'Pflege', description: 'x'.repeat(2001) } },
    named(51),
    named(20, 'x'.repeat(2000)),
  ]) {
    const { body } = await acme.patch(`${PATH}/${id}`, { translations })
    expect(body.error, JSON.stringify(translations)).toBe('invalid_payload')
    expect(Object.keys(body.details.fieldErrors)[0]).toMatch(/^translations/)
  }
  expect((await acme.get(`${PATH}/${id}`)).body).toEqual(shown)
  const fifty = await acme.patch(`${PATH}/${id}`, { translations: named(50) })
  expect(Object.keys(fifty.body.translations)).toEqual(Object.keys(named(50)))
  expect((await acme.patch(`${PATH}/${id}`, { translations: {} })).body.translations).toEqual({})
})

describe('slug', () => {
  test('is derived from the name, with the next free number if it is taken in the organisation', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    await create(acme, { slug: 'care-3' })
    for (let n = 0; n < 3; n++) await create(acme, { name: 'Care!' })
    expect(await slugsOf(acme)).toEqual(['care-4', 'care-2', 'care', 'care-3'])
    expect((await create(other)).slug).toBe('care')
  })

  test('falls back to "knowledge-base" for a name without Latin letters', async () => {
    const acme = await harness.createTenant()
    for (const name of ['日本語', '🛠', 'Помощь']) await create(acme, { name })
    expect(await slugsOf(acme)).toEqual(['knowledge-base-3', 'knowledge-base-2', 'knowledge-base'])
  })

  test('leaves room for a number when it is derived from the longest name', async () => {
    const acme = await harness.createTenant()
    for (let n = 0; n < 2; n++) await create(acme, { name: 'ß'.repeat(200) })
    expect(await slugsOf(acme)).toEqual([`${'s'.repeat(190)}-2`, 's'.repeat(190)])
  })

  test('that is sent but taken returns 409 and changes nothing', async () => {
    const acme = await harness.createTenant()
    await create(acme, { slug: 'taken' })
    const base = await create(acme)
    expectTaken(await acme.post(PATH, { name: 'X', slug: 'taken' }), 'taken')
    expectTaken(await acme.patch(`${PATH}/${base.id}`, { name: 'X', slug: 'taken' }), 'taken')
    expect((await acme.get(`${PATH}/${base.id}`)).body).toEqual(base)
    expect((await acme.get(PATH)).body.total).toBe(2)
  })

  test('is free again after it was changed or its knowledge base was deleted', async () => {
    const acme = await harness.createTenant()
    const base = await create(acme)
    await acme.patch(`${PATH}/${base.id}`, { slug: 'other' })
    expect((await create(acme)).slug).toBe('care')
    await acme.delete(`${PATH}/${base.id}`)
    expect((await create(acme, { slug: 'other' })).slug).toBe('other')
  })

  test('does not change with the name', async () => {
    const acme = await harness.createTenant()
    const base = await create(acme)
    expect((await acme.patch(`${PATH}/${base.id}`, { name: 'Repair' })).body.slug).toBe('care')
  })

  test('is unique and numbered without gaps for thirty concurrent creates with one name', async () => {
    const acme = await harness.createTenant()
    const bases = await Promise.all(Array.from({ length: 30 }, () => create(acme)))
    const numbered = ['care', ...Array.from({ length: 29 }, (_, n) => `care-${n + 2}`)]
    expect(bases.map(({ slug }) => slug).sort()).toEqual(numbered.sort())
    expect((await acme.get(PATH)).body.total).toBe(30)
  })

  test('sent by thirty concurrent creates is given to exactly one', async () => {
    const acme = await harness.createTenant()
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => acme.post(PATH, { name: 'Care', slug: 'contested' })),
    )
    const [refused, created] = [409, 201].map((expected) => replies.filter(({ status }) => status === expected))
    expect([created!.length, refused!.length]).toEqual([1, 29])
    for (const reply of refused!) expectTaken(reply, 'contested')
  })
})

test('filters the list by is_published', async () => {
  const acme = await harness.createTenant()
  for (const slug of ['a', 'b', 'c']) await create(acme, { slug, is_published: slug === 'b' })
  const draft = (await acme.get(`${PATH}?is_published=false&page_size=1`)).body
  expect(draft).toMatchObject({ total: 2, data: [{ slug: 'c' }] })
  expect(await slugsOf(acme, '&is_published=true')).toEqual(['b'])
  expect(await slugsOf(acme)).toEqual(['c', 'b', 'a'])
  await acme.patch(`${PATH}/${draft.data[0].id}`, { is_published: true })
  expect(await slugsOf(acme, '&is_published=true')).toEqual(['c', 'b'])
  expect((await acme.get(`${PATH}?is_published=1`)).body.error).toBe('invalid_query')
})

test('a PATCH changes only the fields sent, clears nullable ones, and without a change keeps updated_at', async () => {
  const acme = await harness.createTenant()
  const contact = { contact_email: 'help@acme.example', contact_phone: '030 123' }
  const full = { ...contact, description: 'All of it', logo_url: 'https://acme.com/logo.svg', primary_color: '#1a2b3c' }
  const base = await create(acme, full)
  harness.advance(1000)
  expect((await acme.patch(`${PATH}/${base.id}`, { ...full, slug: 'care', is_published: false })).body).toEqual(base)
  const change = { name: 'Repair', slug: 'repair', is_published: true, default_language: 'de' }
  const changed = (await acme.patch(`${PATH}/${base.id}`, change)).body
  expect(changed).toEqual({ ...base, ...change, updated_at: expect.any(String) })
  expect(changed.updated_at > base.updated_at).toBe(true)
  const empty = { contact_email: null, contact_phone: null, description: null, logo_url: null, primary_color: null }
  const emptied = (await acme.patch(`${PATH}/${base.id}`, empty)).body
  expect(emptied).toEqual({ ...changed, ...empty, updated_at: expect.any(String) })
  expect((await acme.get(`${PATH}/${base.id}`)).body).toEqual(emptied)
})

test('writes no events', async () => {
  const acme = await harness.createTenant()
  const { id } = await create(acme)
  await acme.patch(`${PATH}/${id}`, { is_published: true })
  await acme.delete(`${PATH}/${id}`)
  expect((await acme.get('/v1/events')).body.data).toEqual([])
})

describe('public address', () => {
  const scanned = async (code: { public_slug: string }) => {
    const { status, headers } = await scan(harness, `/${code.public_slug}`)
    const location = headers.get('location')
    return { status, path: location && new URL(location, 'https://go.acme.com').pathname }
  }

  test('is the redirect target of its QR codes, and survives a change of slug and name', async () => {
    const acme = await harness.createTenant()
    const base = await create(acme, { is_published: true })
    const code = (await acme.post('/v1/qr-codes', { destination: { knowledge_base: base.id } })).body
    const { pathname } = new URL(base.url)
    expect(await scanned(code)).toEqual({ status: 302, path: pathname })
    const changed = (await acme.patch(`${PATH}/${base.id}`, { name: 'Repair', slug: 'repair' })).body
    expect([changed.public_slug, changed.url]).toEqual([base.public_slug, base.url])
    expect(await scanned(code)).toEqual({ status: 302, path: pathname })
  })

  test('is never reused after a delete; existing QR codes keep it, new ones are refused', async () => {
    const acme = await harness.createTenant()
    const base = await create(acme)
    const destination = { knowledge_base: base.id }
    const code = (await acme.post('/v1/qr-codes', { destination })).body
    expect((await acme.delete(`${PATH}/${base.id}`)).status).toBe(204)

    const kept = await harness.service.database.read
      .selectFrom('knowledge_base_addresses')
      .select(['id', 'knowledge_base_id'])
      .where('org_id', '=', acme.orgId)
      .execute()
    expect(kept).toEqual([{ id: base.public_slug, knowledge_base_id: base.id }])

    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body).toEqual(code)
    // It shows that nothing is set up.
    expect(await scanned(code)).toEqual({ status: 200, path: null })
    const refused = await acme.post('/v1/qr-codes', { destination })
    expect(refused.body).toMatchObject({ error: 'unprocessable', details: { field: 'destination.knowledge_base' } })

    expect((await acme.patch(`/v1/qr-codes/${code.id}`, { name: 'Door' })).status).toBe(200)
    expect(await scanned(code)).toEqual({ status: 200, path: null })
  })
})
