import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { checkResponse, expectUnprocessable } from '../../../testing/check-response.ts'
import type { Reply } from '../../../testing/client.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { findPublicPage } from '../published-pages/index.ts'
import { Page, PageWithBlocks } from './contract.ts'

const harness = useHarness({ role: 'api', config: { publicUrl: 'https://go.acme.com' } })

const heading = (text: unknown) => ({ type: 'heading', config: { text } })
const TEXT = { type: 'text', config: { text: 'x'.repeat(10_000) } }

async function create(tenant: Tenant, body: object = { title: 'Care' }) {
  const reply = await tenant.post('/v1/pages', body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

const findPublic = (publicSlug: string) => findPublicPage(harness.service.database.read, publicSlug)
const eventsOf = async (tenant: Tenant, type: string) => (await tenant.get(`/v1/events?type=${type}`)).body.data

function expectRefusal({ status, body }: Reply, field: string, problem: unknown): void {
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
  expect(body.details.fieldErrors).toEqual({ [field]: [problem] })
}

test('a page with only a title is a draft in the language of its organisation', async () => {
  const acme = await harness.createTenant()
  await acme.patch('/v1/organisation', { default_language: 'de' })
  const page = await create(acme, { title: '  Störung melden 🏭 ' })
  checkResponse(PageWithBlocks, page)
  expect(page).toMatchObject({
    ...{ object: 'page', title: 'Störung melden 🏭', slug: 'storung-melden', status: 'draft', description: null },
    ...{ favicon_url: null, meta_title: null, meta_description: null, og_image_url: null },
    background: { type: 'color', value: '#fbf8f3', animated: false },
    island: { color: '#ffffff', opacity: 1, shadow: 'none', roundness: 16 },
    ...{ default_language: 'de', languages: ['de'], translations: {}, proof_of_work: 'automatic' },
    ...{ notify_user_ids: [], view_count: 0, blocks: [] },
  })
  expect(page.url).toBe(`https://go.acme.com/p/${page.public_slug}`)
  expect(page.updated_at).toBe(page.created_at)
})

test('a list has all fields except the long ones, and filters by status', async () => {
  const acme = await harness.createTenant()
  const draft = await create(acme, { title: 'One', blocks: [heading('One')] })
  const active = await create(acme, { title: 'Two', status: 'active', translations: { de: { title: 'Zwei' } } })
  const { data } = (await acme.get('/v1/pages')).body
  expect(data.map(({ id }: any) => id)).toEqual([active.id, draft.id])
  for (const item of data) checkResponse(Page, item)
  expect(data[0]).not.toHaveProperty('translations')
  expect(data[0]).not.toHaveProperty('blocks')
  expect((await acme.get('/v1/pages?status=active')).body.data).toEqual([data[0]])
  expect((await acme.get('/v1/pages?status=archived')).body.data).toEqual([])
  expect((await acme.get('/v1/pages?status=gone')).body.error).toBe('invalid_query')
})

describe('slugs', () => {
  test('a derived slug gets a number, a slug that was sent is refused, and a deleted one is free again', async () => {
    const acme = await harness.createTenant()
    const slugs = await Promise.all(Array.from({ length: 4 }, async () => (await create(acme)).slug))
    expect(slugs.sort()).toEqual(['care', 'care-2', 'care-3', 'care-4'])
    expect((await create(acme, { title: '修理' })).slug).toBe('page')
    const taken = await acme.post('/v1/pages', { title: 'Other', slug: 'care' })
    expect(taken).toMatchObject({ status: 409, body: { details: { field: 'slug', value: 'care' } } })
    const other = await create(acme, { title: 'Other' })
    expect(await acme.patch(`/v1/pages/${other.id}`, { slug: 'care' })).toMatchObject({ status: 409 })
    await acme.delete(`/v1/pages/${other.id}`)
    expect((await create(acme, { title: 'Again', slug: 'other' })).slug).toBe('other')
    expect((await create(await harness.createTenant())).slug).toBe('care')
  })

  test('a public slug never changes, and is known as gone after the page was deleted', async () => {
    const acme = await harness.createTenant()
    const { id, public_slug } = await create(acme)
    const patched = await acme.patch(`/v1/pages/${id}`, { title: 'Repair', slug: 'repair' })
    expect(patched.body.public_slug).toBe(public_slug)
    expect(await findPublic(public_slug)).toMatchObject({ id, title: 'Repair', orgId: acme.orgId })
    expect((await acme.delete(`/v1/pages/${id}`)).status).toBe(204)
    expect(await findPublic(public_slug)).toBe('gone')
    expect(await findPublic('never0issued')).toBeUndefined()
    expect(await acme.get(`/v1/pages/${id}`)).toMatchObject({ status: 410, body: { error: 'gone' } })
    const { database } = harness.service
    const addresses = database.kysely.selectFrom('page_addresses').select('page_id').where('id', '=', public_slug)
    expect(await addresses.where('org_id', '=', acme.orgId).execute()).toEqual([{ page_id: id }])
  })
})

describe('changing a page', () => {
  test('an empty PATCH and one with the same values change nothing, not even the revision', async () => {
    const acme = await harness.createTenant()
    const page = await create(acme, { title: 'Care', blocks: [heading({ en: 'Care', de: 'Pflege' })] })
    const { revision } = (await findPublic(page.public_slug)) as { revision: string }
    harness.advance(1000)
    const path = `/v1/pages/${page.id}`
    const same = { title: 'Care', island: { opacity: 1 }, background: page.background, translations: {} }
    for (const body of [{}, same, { island: {} }]) expect((await acme.patch(path, body)).body).toEqual(page)
    const blocks = page.blocks.map(({ sort_order: _, ...block }: any) => block)
    expect((await acme.put(`${path}/blocks`, { blocks })).body).toEqual(page)
    expect(await findPublic(page.public_slug)).toMatchObject({ revision })
    expect(await eventsOf(acme, 'page.updated')).toEqual([])
    const changed = await acme.patch(path, { meta_title: 'Care' })
    expect(changed.body.updated_at).not.toBe(page.updated_at)
    expect(await findPublic(page.public_slug)).not.toMatchObject({ revision })
  })

  test('omitted fields of the island keep their value, and translations are replaced as a whole', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, { title: 'Care', island: { opacity: 0.5 }, translations: { de: { title: 'a' } } })
    const { body } = await acme.patch(`/v1/pages/${id}`, { island: { shadow: 'large' }, translations: { fr: {} } })
    expect(body.island).toEqual({ color: '#ffffff', opacity: 0.5, shadow: 'large', roundness: 16 })
    expect(body.translations).toEqual({ fr: {} })
  })

  test('it can be in any language, under its canonical tag', async () => {
    const acme = await harness.createTenant()
    const page = await create(acme, {
      title: 'Care',
      default_language: 'iw',
      translations: { 'zh-hant': { title: '維護' } },
    })
    expect(page).toMatchObject({ default_language: 'he', languages: ['he', 'zh-Hant'] })
    expect(page.translations).toEqual({ 'zh-Hant': { title: '維護' } })
    const path = `/v1/pages/${page.id}`
    const tag = expect.stringMatching(/^Must be a language tag such as de, pt-BR or zh-Hant/)
    const long = { title: '護'.repeat(200), meta_title: '護'.repeat(200), meta_description: '護'.repeat(500) }
    const tags = Array.from({ length: 24 }, (_, n) => `zh-${1001 + n}`)
    for (const [body, fieldErrors] of [
      [{ default_language: 'jp' }, { default_language: [tag] }],
      [{ translations: { jp: { title: 'x' } } }, { 'translations.jp': [tag] }],
      [{ translations: { iw: { title: 'x' }, he: {} } }, { 'translations.he': ['Is the same language as iw'] }],
      [
        { translations: Object.fromEntries(tags.map((tag) => [tag, long])) },
        { translations: ['Must be at most 64 KiB as JSON'] },
      ],
    ] as const) {
      const { body: refused } = await acme.patch(path, body)
      expect([refused.error, refused.details.fieldErrors]).toEqual(['invalid_payload', fieldErrors])
    }
    expect((await acme.get(path)).body).toEqual(page)
    const some = Object.fromEntries(tags.slice(0, 23).map((tag) => [tag, long]))
    expect((await acme.patch(path, { translations: some })).status).toBe(200)
    const copy = await acme.post(`${path}/duplicate`)
    expect(copy.body).toMatchObject({
      default_language: 'he',
      languages: ['he', ...tags.slice(0, 23)],
      translations: some,
    })
  })

  test('colours and gradients are accepted, anything else in a style is refused', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme)
    const patch = (background: object) => acme.patch(`/v1/pages/${id}`, { background })
    for (const value of ['linear-gradient(135deg, #f1e9dc, #cbdcc9)', 'linear-gradient(#fff 0%,#000 100%)']) {
      expect((await patch({ type: 'gradient', value, animated: true })).body.background).toMatchObject({ value })
    }
    const [begin, end] = ['linear-gradient(#fff, ', ')']
    for (const [type, value] of [
      ['color', 'linear-gradient(#fff, #000)'],
      ['color', 'red'],
      ['gradient', '#123456'],
      ['gradient', `${begin}url(https://evil.example)${end}`],
      ['gradient', `${begin}#000);}body{display:none${end}`],
      ['gradient', `${begin}#000${end}\n`],
    ] as const) {
      expectRefusal(await patch({ type, value }), 'background.value', expect.stringMatching(/^Must be a colour/))
    }
    expectRefusal(
      await acme.patch(`/v1/pages/${id}`, { island: { opacity: 2 } }),
      'island.opacity',
      'Must be at most 1',
    )
  })

  test('two requests at once change different fields, and none is lost', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme)
    const path = `/v1/pages/${id}`
    await Promise.all([
      acme.patch(path, { title: 'Repair' }),
      acme.patch(path, { description: 'For Berlin' }),
      acme.patch(path, { island: { opacity: 0 } }),
      acme.patch(path, { island: { roundness: 0 } }),
      acme.put(`${path}/blocks`, { blocks: [heading('Hello')] }),
    ])
    const { body } = await acme.get(path)
    expect(body).toMatchObject({ title: 'Repair', description: 'For Berlin', island: { opacity: 0, roundness: 0 } })
    expect(body.blocks).toMatchObject([{ config: { text: 'Hello' } }])
  })
})

describe('notify_user_ids', () => {
  test('are members of the organisation, each once', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const { userId } = await harness.createPerson(acme, 'agent')
    const foreign = (await harness.createPerson(other, 'agent')).userId
    const page = await create(acme, { title: 'Care', notify_user_ids: [userId] })
    expect(page.notify_user_ids).toEqual([userId])
    for (const id of [foreign, newId()]) {
      const body = { title: 'Care', notify_user_ids: [userId, id] }
      expectUnprocessable(await acme.post('/v1/pages', body), 'notify_user_ids[1]', id)
      expectUnprocessable(await acme.patch(`/v1/pages/${page.id}`, body), 'notify_user_ids[1]', id)
    }
    const twice = { notify_user_ids: [userId, userId.toUpperCase()] }
    expectRefusal(
      await acme.patch(`/v1/pages/${page.id}`, twice),
      'notify_user_ids',
      'Must not contain the same id twice',
    )
    expectRefusal(
      await acme.patch(`/v1/pages/${page.id}`, { notify_user_ids: [userId, 'x'] }),
      'notify_user_ids[1]',
      'Must be a UUID, not "x"',
    )
    expect((await acme.get(`/v1/pages/${page.id}`)).body).toEqual(page)
  })
})

describe('a copy', () => {
  test('is a draft with the same content, blocks of its own and no counters', async () => {
    const acme = await harness.createTenant()
    const { userId } = await harness.createPerson(acme, 'agent')
    const page = await create(acme, {
      ...{ title: 'Care', status: 'active', description: 'For Berlin', meta_title: 'Care | Acme' },
      ...{ island: { opacity: 0.5 }, proof_of_work: 'always', notify_user_ids: [userId], default_language: 'de' },
      translations: { en: { title: 'Care' } },
      blocks: [heading({ de: 'Pflege', ja: '手入れ' }), { type: 'form_submit', config: { label: 'Send' } }],
    })
    const { database } = harness.service
    await database.write((tx) =>
      tx
        .updateTable('page_counters')
        .set({ view_count: 7, submission_count: 3 })
        .where('org_id', '=', acme.orgId)
        .where('page_id', '=', page.id)
        .execute(),
    )
    harness.advance(1000)
    const { status, body: copy } = await acme.post(`/v1/pages/${page.id}/duplicate`, {})
    expect(status).toBe(201)
    const { id, public_slug, url, created_at, updated_at } = copy
    const blocks = page.blocks.map((block: any, n: number) => ({ ...block, id: copy.blocks[n].id }))
    expect(copy).toEqual({
      ...{ ...page, id, slug: 'care-2', public_slug, url, status: 'draft', view_count: 0, blocks },
      ...{ created_at, updated_at },
    })
    expect(created_at > page.created_at).toBe(true)
    const ids = [page, copy].flatMap((each) => [
      each.id,
      each.public_slug,
      ...each.blocks.map((block: any) => block.id),
    ])
    expect(new Set(ids).size).toBe(8)
    const counters = database.kysely.selectFrom('page_counters').selectAll().where('org_id', '=', acme.orgId)
    expect(await counters.where('page_id', '=', id).execute()).toMatchObject([{ view_count: 0, submission_count: 0 }])
    expect((await acme.get(`/v1/pages/${page.id}`)).body).toEqual({ ...page, view_count: 7 })
    const [event] = await eventsOf(acme, 'page.created')
    expect(event.data).toMatchObject({ id, slug: 'care-2' })
  })

  test('copies at once get different slugs and addresses', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme)
    const copies = await Promise.all(Array.from({ length: 5 }, () => acme.post(`/v1/pages/${id}/duplicate`, {})))
    expect(copies.map(({ body }) => body.slug).sort()).toEqual(['care-2', 'care-3', 'care-4', 'care-5', 'care-6'])
    expect(new Set(copies.map(({ body }) => body.public_slug)).size).toBe(5)
  })
})

describe('events and the audit log', () => {
  test('have each change once, with what changed', async () => {
    const acme = await harness.createTenant()
    const page = await create(acme, { title: 'Care', blocks: [heading('One')] })
    const path = `/v1/pages/${page.id}`
    await acme.patch(path, { title: 'Repair', translations: { de: { title: 'Reparatur' } } })
    const { blocks } = (await acme.put(`${path}/blocks`, { blocks: [heading({ de: 'Zwei' })] })).body
    await acme.delete(path)

    const { blocks: _, translations: __, ...created } = page
    expect((await eventsOf(acme, 'page.created')).map(({ data }: any) => data)).toEqual([created])
    const [replaced, patched] = (await eventsOf(acme, 'page.updated')).map(({ data }: any) => data)
    expect(patched).toMatchObject({ id: page.id, title: 'Repair', languages: ['en', 'de'] })
    expect(patched.changes).toEqual({
      title: { from: 'Care', to: 'Repair' },
      translations: { from: {}, to: { de: { title: 'Reparatur' } } },
      languages: { from: ['en'], to: ['en', 'de'] },
    })
    expect(replaced.changes).toEqual({ blocks: { from: page.blocks, to: blocks } })
    const [deleted] = await eventsOf(acme, 'page.deleted')
    expect(deleted.data).toMatchObject({ object: 'page', id: page.id, deleted: true })

    const { data } = (await acme.get(`/v1/audit-log?resource=${page.id}`)).body
    expect(data.map(({ action }: any) => action)).toEqual([
      ...['page.deleted', 'page.updated', 'page.updated', 'page.created'],
    ])
  })

  test('leave out changes that are too long', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, { title: 'Care', blocks: Array.from({ length: 20 }, () => TEXT) })
    const blocks = Array.from({ length: 20 }, () => ({ type: 'text', config: { text: 'y'.repeat(10_000) } }))
    expect((await acme.put(`/v1/pages/${id}/blocks`, { blocks })).status).toBe(200)
    const [event] = await eventsOf(acme, 'page.updated')
    expect(event.data.changes).toEqual({ blocks: { from: null, to: null, omitted: true } })
    expect((await acme.get(`/v1/audit-log?resource=${id}`)).body.data[0]).toMatchObject({ action: 'page.updated' })
  })

  test('have nothing of a request that failed', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme)
    const { length } = (await acme.get('/v1/events')).body.data
    await acme.post('/v1/pages', { title: 'Other', slug: 'care' })
    await acme.post('/v1/pages', { title: 'Other', notify_user_ids: [newId()] })
    await acme.patch(`/v1/pages/${id}`, { title: 'Repair', notify_user_ids: [newId()] })
    expect((await acme.get('/v1/events')).body.data).toHaveLength(length)
    expect((await acme.get('/v1/pages')).body.data).toHaveLength(1)
  })
})

test("nobody sees or changes another organisation's page", async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const page = await create(acme)
  const path = `/v1/pages/${page.id}`
  const replies = [
    await other.get(path),
    await other.patch(path, { title: 'Mine' }),
    await other.put(`${path}/blocks`, { blocks: [] }),
    await other.post(`${path}/duplicate`, {}),
    await other.delete(path),
  ]
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect((await acme.get(path)).body).toEqual(page)
})

test('keeps the stored files that it shows, and lets go of those that it no longer shows', async () => {
  const acme = await harness.createTenant()
  const upload = async () => {
    const gif = Buffer.from(`GIF89a\x01\0\x01\0\x80\0\0\0\0\0;${newId()}`, 'latin1')
    return (await acme.post('/v1/assets', gif)).body
  }
  const [icon, shown, linked] = [await upload(), await upload(), await upload()]
  const referenced = async () => {
    const assets = await Promise.all([icon, shown, linked].map(({ id }) => acme.get(`/v1/assets/${id}`)))
    return assets.map(({ body }) => body.is_referenced)
  }
  const text = { type: 'text', config: { text: { de: `![](${linked.url})` } } }
  const blocks = [{ type: 'image', config: { url: shown.url } }, text]
  const { id } = (await acme.post('/v1/pages', { title: 'Care', favicon_url: icon.url, blocks })).body
  expect(await referenced()).toEqual([true, true, true])
  const copy = (await acme.post(`/v1/pages/${id}/duplicate`)).body
  await acme.put(`/v1/pages/${id}/blocks`, { blocks: [text] })
  await acme.patch(`/v1/pages/${id}`, { favicon_url: null })
  expect(await referenced()).toEqual([true, true, true])
  await acme.delete(`/v1/pages/${copy.id}`)
  expect(await referenced()).toEqual([false, false, true])
  await acme.delete(`/v1/pages/${id}`)
  expect(await referenced()).toEqual([false, false, false])
})
