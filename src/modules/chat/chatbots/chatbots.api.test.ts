import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { PasswordHasher } from '../../../platform/passwords/index.ts'
import { checkResponse, expectUnprocessable } from '../../../testing/check-response.ts'
import type { Reply } from '../../../testing/client.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { rememberPassword } from '../../../testing/secrets-guard.ts'
import { testOnce } from '../../../testing/test-once.ts'
import { findPublicChatbot } from '../public-chat/chatbots/index.ts'
import { Chatbot } from './contract.ts'

const harness = useHarness({ role: 'api', config: { publicUrl: 'https://go.acme.com' } })

async function create(tenant: Tenant, body: object = { name: 'Support' }) {
  const reply = await tenant.post('/v1/chatbots', body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

const findPublic = (publicSlug: string) => findPublicChatbot(harness.service.database.read, publicSlug)
const eventsOf = async (tenant: Tenant, type: string) => (await tenant.get(`/v1/events?type=${type}`)).body.data
const namesOf = ({ body }: Reply) => body.data.map(({ name }: { name: string }) => name)

function expectRefusal({ status, body }: Reply, field: string): void {
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
  expect(body.details.fieldErrors).toEqual({ [field]: [expect.any(String)] })
}

/** One resource of each kind that a chatbot can refer to. */
async function createReferences(tenant: Tenant) {
  const post = async (path: string, body: object) => (await tenant.post(`/v1/${path}`, body)).body.id as string
  const base = await post('knowledge-bases', { name: 'Care' })
  return {
    page_ids: [await post('pages', { title: 'Report a fault' })],
    article_ids: [await post('articles', { knowledge_base_id: base, title: 'Descaling' })],
    category_ids: [await post('article-categories', { knowledge_base_id: base, name: 'Machines', slug: newId() })],
    knowledge_base_ids: [base],
  }
}

const NOTHING = { welcome_message: null, welcome_subtitle: null, suggestions: null, away_message: null }
const LISTS = ['page_ids', 'article_ids', 'category_ids', 'knowledge_base_ids'] as const

test('a chatbot with only a name is a draft that may use all published articles', async () => {
  const acme = await harness.createTenant()
  const chatbot = await create(acme, { name: '  Hilfe für Kaffee ☕️ ' })
  checkResponse(Chatbot, chatbot)
  expect(chatbot).toEqual({
    ...{ object: 'chatbot', id: chatbot.id, name: 'Hilfe für Kaffee ☕️', slug: 'hilfe-fur-kaffee', status: 'draft' },
    ...{ public_slug: chatbot.public_slug, url: `https://go.acme.com/c/${chatbot.public_slug}` },
    ...{ description: null, welcome_message: null, welcome_subtitle: null, system_prompt: null, model: null },
    ...{ primary_color: null, logo_url: null, tone: null, suggestions: null, human_support_enabled: false },
    ...{ password_protected: false, page_ids: [], article_ids: [], category_ids: [], knowledge_base_ids: [] },
    location: { enabled: false, address: null, lat: null, lng: null, place_id: null },
    ...{ web_search_enabled: false, office_hours: null, away_message: null },
    ...{ default_language: null, translations: {} },
    ...{ conversation_count: 0, last_active_at: null },
    ...{ created_at: chatbot.created_at, updated_at: chatbot.created_at },
  })
})

test('returns texts as they were sent, in any script and at maximum length', async () => {
  const acme = await harness.createTenant()
  const sent = {
    name: '🤖'.repeat(200),
    slug: 'a'.repeat(200),
    status: 'paused',
    description: '長'.repeat(2000),
    welcome_message: '\u202bكيف يمكننا المساعدة؟\u202c',
    welcome_subtitle: '👩‍👩‍👧‍👦'.repeat(71),
    system_prompt: '{{object.colour}} \u2028 "\\ '.repeat(400),
    model: 'embedded',
    primary_color: '#A1b2C3',
    logo_url: 'https://acme.com/logo.svg',
    tone: 'empathetic',
    suggestions: ['Wie entkalke ich?', '🧼'.repeat(200)],
    human_support_enabled: true,
    ...(await createReferences(acme)),
    location: { enabled: true, address: '1 Acme Street', lat: -90, lng: 179.999999, place_id: 'abc' },
    web_search_enabled: true,
    office_hours: { time_zone: 'Asia/Kolkata', days: { monday: [{ from: '09:30', to: '24:00' }], sunday: [] } },
    away_message: 'Zurück am Montag',
    default_language: 'pt-BR',
    translations: { ar: { ...NOTHING, welcome_message: 'أهلا' }, de: { ...NOTHING, suggestions: ['Wie?', '🧼'] } },
  }
  const chatbot = await create(acme, sent)
  expect(chatbot).toMatchObject(sent)
  checkResponse(Chatbot, chatbot)
  expect((await acme.get(`/v1/chatbots/${chatbot.id}`)).body).toEqual(chatbot)
  expect(await findPublic(chatbot.public_slug)).toMatchObject({
    ...{ id: chatbot.id, orgId: acme.orgId, name: sent.name, status: 'paused' },
    ...{ officeHours: sent.office_hours, passwordHash: null, humanSupport: true },
    texts: { suggestions: sent.suggestions, away_message: sent.away_message, translations: sent.translations },
    bot: { model: 'embedded', systemPrompt: sent.system_prompt, tone: 'empathetic', articleIds: sent.article_ids },
  })
})

test('translations replace the ones before, with canonical tags, and are in the event', async () => {
  const acme = await harness.createTenant()
  const { id } = await create(acme, {
    name: 'Support',
    translations: { 'pt-br': { welcome_message: ' Olá ' }, DE: { suggestions: [] } },
  })
  const stored = { de: { ...NOTHING, suggestions: [] }, 'pt-BR': { ...NOTHING, welcome_message: 'Olá' } }
  const { body } = await acme.get(`/v1/chatbots/${id}`)
  // In the same order on both engines.
  expect(JSON.stringify(body.translations)).toBe(JSON.stringify(stored))
  const fr = { fr: { ...NOTHING, away_message: 'Lundi' } }
  const patched = await acme.patch(`/v1/chatbots/${id}`, { translations: { fr: { away_message: 'Lundi' } } })
  expect(patched.body).toMatchObject({ name: 'Support', translations: fr })
  const [{ data }] = await eventsOf(acme, 'chatbot.updated')
  expect(data.changes).toEqual({ translations: { from: stored, to: fr } })
  expect((await acme.patch(`/v1/chatbots/${id}`, {})).body.translations).toEqual(fr)
  const long = { suggestions: Array(10).fill('é'.repeat(200)) }
  const many = Object.fromEntries(['de', 'fr', 'es', 'it', 'pt', 'ja', 'ko'].map((language) => [language, long]))
  expectRefusal(await acme.patch(`/v1/chatbots/${id}`, { translations: many }), 'translations')
  expect((await acme.patch(`/v1/chatbots/${id}`, { translations: {} })).body.translations).toEqual({})
})

testOnce('returns 400 naming the field for values that are too long, empty or malformed', async () => {
  const acme = await harness.createTenant()
  const { id } = await create(acme)
  const bad = {
    name: ['', '  ', 'a'.repeat(201), null],
    slug: ['', 'Support', 'ü', null],
    status: ['inactive', '', null],
    description: ['a'.repeat(2001), 5],
    system_prompt: ['', 'a'.repeat(10_001)],
    tone: ['rude'],
    suggestions: [Array(11).fill('a'), 'a'],
    'suggestions[1]': [
      ['a', ''],
      ['a', 'a'.repeat(201)],
    ],
    primary_color: ['red', '#12345'],
    logo_url: ['http://acme.com/logo.svg', 'javascript:alert(1)'],
    human_support_enabled: ['true', null],
    password: ['', 'a'.repeat(201)],
    article_ids: [null, Array.from({ length: 201 }, () => newId()), Array(2).fill(newId())],
    'article_ids[0]': [['x']],
    location: [null],
    'location.lat': [{ lat: 91 }],
    'location.lng': [{ lng: -181 }],
    'location.enabled': [{ enabled: null }],
    'location.city': [{ city: 'London' }],
    default_language: ['xx', '', 5],
    translations: [null, [], Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`de-${1001 + n}`, {}]))],
    'translations.xx': [{ xx: {} }],
    'translations.he': [{ iw: {}, he: {} }],
    'translations.de.name': [{ de: { name: 'Hilfe' } }],
    'translations.de.welcome_message': [{ de: { welcome_message: ' ' } }],
    'translations.de.suggestions': [{ de: { suggestions: Array(11).fill('a') } }],
    'office_hours.days': [{ time_zone: 'UTC' }],
    'office_hours.days.monday[0].from': [{ time_zone: 'UTC', days: { monday: [{ from: '09:60', to: '17:00' }] } }],
    away_message: ['', 'a'.repeat(1001)],
  }
  for (const [path, values] of Object.entries(bad)) {
    const field = path.split(/[.[]/, 1)[0] as string
    for (const value of values) {
      expectRefusal(await acme.patch(`/v1/chatbots/${id}`, { [field]: value }), path)
      expectRefusal(await acme.post('/v1/chatbots', { name: 'Other', [field]: value }), path)
    }
  }
})

test('lists filter by status, search names and slugs, and sort by time or name', async () => {
  const acme = await harness.createTenant()
  for (const [name, status] of [
    ['beta', 'active'],
    ['Ärger', 'draft'],
    ['alpha', 'archived'],
    ['100% Beans', 'active'],
  ])
    await create(acme, { name, status })
  const list = (query: string) => acme.get(`/v1/chatbots?${query}`)
  expect(namesOf(await list(''))).toEqual(['100% Beans', 'alpha', 'Ärger', 'beta'])
  expect(namesOf(await list('sort=name'))).toEqual(['100% Beans', 'alpha', 'beta', 'Ärger'])
  expect((await list('status=active')).body).toMatchObject({
    total: 2,
    data: [{ name: '100% Beans' }, { name: 'beta' }],
  })
  expect(namesOf(await list('status=active&sort=name&page=2&page_size=1'))).toEqual(['beta'])
  expect((await list('status=paused')).body).toMatchObject({ total: 0, data: [] })
  expect((await list('search=BE')).body).toMatchObject({ total: 2, page_size: 25 })
  expect(namesOf(await list('search=be&sort=name&status=active'))).toEqual(['100% Beans', 'beta'])
  expect(namesOf(await list(`search=${encodeURIComponent('0%')}`))).toEqual(['100% Beans'])
  expect(namesOf(await list('search=arger'))).toEqual(['Ärger'])
  for (const query of ['status=inactive', 'sort=scans', 'model=x']) {
    expect((await list(query)).body.error).toBe('invalid_query')
  }
})

describe('slugs', () => {
  test('a derived slug gets a number, a slug that was sent is refused, and a deleted one is free again', async () => {
    const acme = await harness.createTenant()
    const slugs = await Promise.all(Array.from({ length: 4 }, async () => (await create(acme)).slug))
    expect(slugs.sort()).toEqual(['support', 'support-2', 'support-3', 'support-4'])
    expect((await create(acme, { name: '助け' })).slug).toBe('chatbot')
    const taken = await acme.post('/v1/chatbots', { name: 'Other', slug: 'support' })
    expect(taken).toMatchObject({ status: 409, body: { details: { field: 'slug', value: 'support' } } })
    const other = await create(acme, { name: 'Other' })
    expect(await acme.patch(`/v1/chatbots/${other.id}`, { slug: 'support' })).toMatchObject({ status: 409 })
    await acme.delete(`/v1/chatbots/${other.id}`)
    expect((await create(acme, { name: 'Again', slug: 'other' })).slug).toBe('other')
    expect((await create(await harness.createTenant())).slug).toBe('support')
  })

  test('a public slug never changes, and stays taken after the chatbot was deleted', async () => {
    const acme = await harness.createTenant()
    const { id, public_slug } = await create(acme)
    const patched = await acme.patch(`/v1/chatbots/${id}`, { name: 'Help', slug: 'help' })
    expect(patched.body.public_slug).toBe(public_slug)
    expect(await findPublic(public_slug)).toMatchObject({ id, name: 'Help', orgId: acme.orgId })
    expect((await acme.delete(`/v1/chatbots/${id}`)).status).toBe(204)
    expect(await findPublic(public_slug)).toBeUndefined()
    expect(await acme.get(`/v1/chatbots/${id}`)).toMatchObject({ status: 410, body: { error: 'gone' } })
    const { kysely } = harness.service.database
    const addresses = kysely.selectFrom('chatbot_addresses').select('chatbot_id').where('id', '=', public_slug)
    expect(await addresses.where('org_id', '=', acme.orgId).execute()).toEqual([{ chatbot_id: id }])
  })
})

describe('lists of ids', () => {
  test('replace, and leave out what is not sent', async () => {
    const acme = await harness.createTenant()
    const [one, two] = [await createReferences(acme), await createReferences(acme)]
    const { id } = await create(acme, { name: 'Support', ...one })
    const { body } = await acme.patch(`/v1/chatbots/${id}`, { article_ids: two.article_ids, page_ids: [] })
    expect(body).toMatchObject({ ...one, article_ids: two.article_ids, page_ids: [] })
    const upper = one.article_ids.map((id) => id.toUpperCase())
    const again = await acme.patch(`/v1/chatbots/${id}`, { article_ids: [...upper, ...two.article_ids] })
    expect(again.body.article_ids).toEqual([...one.article_ids, ...two.article_ids])
  })

  test("must be the organisation's own, and a refusal changes nothing", async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const [own, theirs] = [await createReferences(acme), await createReferences(other)]
    const chatbot = await create(acme)
    for (const name of LISTS) {
      for (const foreign of [
        theirs[name][0] as string,
        newId(),
        own[name === 'page_ids' ? 'article_ids' : 'page_ids'][0],
      ]) {
        const body = { name: 'Changed', [name]: [own[name][0], foreign] }
        expectUnprocessable(await acme.patch(`/v1/chatbots/${chatbot.id}`, body), `${name}[1]`, foreign as string)
        expectUnprocessable(await acme.post('/v1/chatbots', body), `${name}[1]`, foreign as string)
      }
    }
    expect((await acme.get('/v1/chatbots')).body).toMatchObject({ total: 1, data: [chatbot] })
  })

  test('keep an id whose resource was deleted, so that a chatbot never sees more than before', async () => {
    const acme = await harness.createTenant()
    const { article_ids, category_ids } = await createReferences(acme)
    const { id } = await create(acme, { name: 'Support', article_ids })
    await acme.delete(`/v1/articles/${article_ids[0]}`)
    const { body } = await acme.get(`/v1/chatbots/${id}`)
    expect(body.article_ids).toEqual(article_ids)
    expect(await acme.patch(`/v1/chatbots/${id}`, { article_ids, category_ids })).toMatchObject({ status: 200 })
    expect(await acme.patch(`/v1/chatbots/${id}`, { article_ids: [] })).toMatchObject({ status: 200 })
    expectUnprocessable(
      await acme.patch(`/v1/chatbots/${id}`, { article_ids }),
      'article_ids[0]',
      article_ids[0] as string,
    )
  })
})

describe('the password', () => {
  const hasher = new PasswordHasher()
  const hashOf = async (slug: string) => (await findPublic(slug))?.passwordHash ?? null

  test('is stored as a hash, and is in no response, event or entry of the audit log', async () => {
    const acme = await harness.createTenant()
    const [first, second] = ['lamp river seven', 'table cloud nine']
    for (const password of [first, second]) rememberPassword(password)
    const key = { 'idempotency-key': newId() }
    const created = await acme.post('/v1/chatbots', { name: 'Support', password: first }, key)
    expect(created.body).toMatchObject({ password_protected: true })
    checkResponse(Chatbot, created.body)
    const { id, public_slug } = created.body
    const firstHash = await hashOf(public_slug)
    expect(await hasher.verify(first, firstHash, 'test')).toBe(true)
    harness.advance(1000)
    const changed = await acme.patch(`/v1/chatbots/${id}`, { password: second })
    expect(changed.body.updated_at).not.toBe(created.body.updated_at)
    expect(await hasher.verify(second, await hashOf(public_slug), 'test')).toBe(true)
    const omitted = { password: { from: null, to: null, omitted: true } }
    expect(await eventsOf(acme, 'chatbot.updated')).toMatchObject([{ data: { changes: omitted } }])
    const { data: entries } = (await acme.get(`/v1/audit-log?resource=${id}`)).body
    expect(entries).toMatchObject([
      { action: 'chatbot.updated', changes: omitted },
      { action: 'chatbot.created', changes: { password_protected: { from: null, to: true } } },
    ])
    for (const secret of [first, second, 'argon2']) expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('null removes it, and other changes keep it', async () => {
    const acme = await harness.createTenant()
    const { id, public_slug } = await create(acme, { name: 'Support', password: 'x' })
    const before = await hashOf(public_slug)
    expect((await acme.patch(`/v1/chatbots/${id}`, { name: 'Help' })).body.password_protected).toBe(true)
    expect(await hashOf(public_slug)).toBe(before)
    expect((await acme.patch(`/v1/chatbots/${id}`, { password: null })).body.password_protected).toBe(false)
    expect(await hashOf(public_slug)).toBeNull()
    const [removed] = await eventsOf(acme, 'chatbot.updated')
    expect(removed.data.changes).toMatchObject({ password_protected: { from: true, to: false } })
    const none = await acme.patch(`/v1/chatbots/${id}`, { password: null })
    expect(none.body.updated_at).toBe(removed.data.updated_at)
  })

  test('a wrong id costs no hash', async () => {
    const acme = await harness.createTenant()
    expect(await acme.patch(`/v1/chatbots/${newId()}`, { password: 'lamp river seven' })).toMatchObject({ status: 404 })
  })
})

describe('changing a chatbot', () => {
  test('an empty PATCH and one with the same values change nothing, not even the revision', async () => {
    const acme = await harness.createTenant()
    const references = await createReferences(acme)
    const chatbot = await create(acme, { name: 'Support', suggestions: ['a'], ...references })
    const { revision } = (await findPublic(chatbot.public_slug))!
    harness.advance(1000)
    const path = `/v1/chatbots/${chatbot.id}`
    for (const body of [{}, { name: ' Support ', suggestions: ['a'], ...references }, { location: {} }]) {
      expect((await acme.patch(path, body)).body).toEqual(chatbot)
    }
    expect(await eventsOf(acme, 'chatbot.updated')).toEqual([])
    expect(await findPublic(chatbot.public_slug)).toMatchObject({ revision })
    expect((await acme.patch(path, { status: 'active' })).body.updated_at).not.toBe(chatbot.updated_at)
    expect(await findPublic(chatbot.public_slug)).not.toMatchObject({ revision })
  })

  test('omitted fields of the location keep their value', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, { name: 'Shop', location: { enabled: true, lat: 51.5, lng: 0 } })
    const { body } = await acme.patch(`/v1/chatbots/${id}`, { location: { lat: null, address: '1 Acme Street' } })
    expect(body.location).toEqual({ enabled: true, address: '1 Acme Street', lat: null, lng: 0, place_id: null })
  })

  test('two requests at once change different fields, and none is lost', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme)
    const changes = [
      { name: 'Help' },
      { description: 'For Berlin' },
      { location: { lat: 1 } },
      { location: { lng: 2 } },
      { password: 'lamp river seven' },
      { suggestions: ['How?'] },
    ]
    await Promise.all(changes.map((body) => acme.patch(`/v1/chatbots/${id}`, body)))
    expect((await acme.get(`/v1/chatbots/${id}`)).body).toMatchObject({
      ...{ name: 'Help', description: 'For Berlin', password_protected: true, suggestions: ['How?'] },
      location: { lat: 1, lng: 2 },
    })
    expect(await eventsOf(acme, 'chatbot.updated')).toHaveLength(changes.length)
  })

  test('a model must be one of the installation', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme)
    expectUnprocessable(await acme.patch(`/v1/chatbots/${id}`, { model: 'gpt-9' }), 'model', 'gpt-9')
    expectUnprocessable(await acme.post('/v1/chatbots', { name: 'Other', model: 'gpt-9' }), 'model', 'gpt-9')
    expect((await acme.patch(`/v1/chatbots/${id}`, { model: 'embedded' })).body.model).toBe('embedded')
    const removed = harness.service.database.kysely.updateTable('chatbots').set({ model: 'removed' })
    await removed.where('org_id', '=', acme.orgId).where('id', '=', id).execute()
    expect((await acme.patch(`/v1/chatbots/${id}`, { model: 'removed', name: 'Help' })).body).toMatchObject({
      ...{ model: 'removed', name: 'Help' },
    })
  })
})

test('a chatbot emits an event when it is created, changed and deleted, with the whole resource', async () => {
  const acme = await harness.createTenant()
  const created = await create(acme)
  harness.advance(1000)
  const { body: updated } = await acme.patch(`/v1/chatbots/${created.id}`, { tone: 'casual' })
  harness.advance(1000)
  await acme.delete(`/v1/chatbots/${created.id}`)
  const { data } = (await acme.get('/v1/events')).body
  const deleted = { object: 'chatbot', id: created.id, deleted: true, deleted_at: expect.any(String) }
  expect(data.map(({ type, data }: any) => [type, data])).toEqual([
    ['chatbot.deleted', deleted],
    ['chatbot.updated', { ...updated, changes: { tone: { from: null, to: 'casual' } } }],
    ['chatbot.created', created],
  ])
  const { data: entries } = (await acme.get(`/v1/audit-log?resource=${created.id}`)).body
  expect(entries.map(({ action }: any) => action)).toEqual(['chatbot.deleted', 'chatbot.updated', 'chatbot.created'])
  expect(entries[0].changes).toMatchObject({ name: { from: 'Support', to: null }, slug: { from: 'support', to: null } })
})

test('a logo that is a stored file is kept as long as a chatbot shows it', async () => {
  const acme = await harness.createTenant()
  const gif = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0;', 'latin1')
  const { id: asset, url } = (await acme.post('/v1/assets', gif)).body
  const logo_url = url.replace(/^http:/, 'https:')
  const references = async () => {
    const rows = harness.service.database.kysely.selectFrom('asset_references').select(['owner_kind', 'asset_id'])
    return rows.where('org_id', '=', acme.orgId).execute()
  }
  const { id } = await create(acme, { name: 'Support', logo_url })
  expect(await references()).toEqual([{ owner_kind: 'chatbot', asset_id: asset }])
  await acme.patch(`/v1/chatbots/${id}`, { logo_url: null })
  expect(await references()).toEqual([])
  await acme.patch(`/v1/chatbots/${id}`, { logo_url })
  await acme.delete(`/v1/chatbots/${id}`)
  expect(await references()).toEqual([])
})
