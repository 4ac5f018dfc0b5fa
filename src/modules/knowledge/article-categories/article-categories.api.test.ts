import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { expectUnprocessable } from '../../../testing/check-response.ts'
import { createArticles, createCategory, createKnowledgeBase } from '../../../testing/data/articles.ts'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { packTexts } from '../../../testing/data/pack-texts.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'

const harness = useHarness({ role: 'api' })

const PATH = '/v1/article-categories'

async function createTenant(): Promise<{ acme: Tenant; base: string }> {
  const acme = await harness.createTenant()
  return { acme, base: await createKnowledgeBase(acme) }
}

test('a category created with only a name and a slug gets defaults for everything else', async () => {
  const { acme, base } = await createTenant()
  const reply = await acme.post(PATH, { name: '  Zubehör & Teile ', slug: 'parts', knowledge_base_id: base })
  expect(reply).toMatchObject({ status: 201 })
  expect(reply.body).toEqual({
    object: 'article_category',
    id: expect.any(String),
    knowledge_base_id: base,
    parent_id: null,
    name: 'Zubehör & Teile',
    slug: 'parts',
    description: null,
    icon: 'folder-closed',
    sort_order: 0,
    translations: {},
    article_count: 0,
    created_at: expect.any(String),
  })
})

test('returns all fields as sent, in any script and up to their maximum length', async () => {
  const { acme, base } = await createTenant()
  const parent = await createCategory(acme, base)
  const sent = {
    name: '🛠'.repeat(200),
    slug: 'x'.repeat(200),
    parent_id: parent.id,
    description: '長'.repeat(2000),
    icon: 'message-square',
    sort_order: 2 ** 31 - 1,
    translations: { de: { name: 'Pflege', description: null } },
  }
  const category = await createCategory(acme, base, sent)
  expect(category).toMatchObject(sent)
  expect((await acme.get(`${PATH}/${category.id}`)).body).toEqual(category)
})

test('stores name and description unchanged, even if they would be an attack on a page', async () => {
  const { acme, base } = await createTenant()
  const attacks = ATTACKS.filter((text) => !text.includes('\0') && text.length <= 200 && text.trim() === text)
  expect(attacks.length).toBeGreaterThan(100)
  const [names, descriptions] = [packTexts(attacks, 200), packTexts(attacks, 2000)]
  for (const [n, name] of names.entries()) {
    const description = descriptions[n] ?? null
    const made = await createCategory(acme, base, { name, description })
    expect(made).toMatchObject({ name, description })
    // They differ only in their texts, so a few have to be read again.
    if (description !== null) expect((await acme.get(`${PATH}/${made.id}`)).body).toEqual(made)
  }
  const stored: any[] = []
  for (const page of [1, 2]) stored.push(...(await acme.get(`${PATH}?page_size=100&page=${page}`)).body.data)
  expect(stored.map(({ name }) => name).sort()).toEqual(names.sort())
})

testOnce.each<[string, object]>([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(201) }],
  ['slug', { slug: '' }],
  ['slug', { slug: 'Care' }],
  ['slug', { slug: 'x'.repeat(201) }],
  ['slug', { slug: null }],
  ['parent_id', { parent_id: 'nonsense' }],
  ['description', { description: 'x'.repeat(2001) }],
  ['icon', { icon: 'folder' }],
  ['icon', { icon: null }],
  ['sort_order', { sort_order: -1 }],
  ['sort_order', { sort_order: 1.5 }],
  ['sort_order', { sort_order: 2 ** 31 }],
  ['sort_order', { sort_order: null }],
])('rejects an invalid %s (%j) on create and update', async (field, wrong) => {
  const { acme, base } = await createTenant()
  const category = await createCategory(acme, base)
  const good = { name: 'Care', slug: 'care', knowledge_base_id: base }
  for (const reply of [
    await acme.post(PATH, { ...good, ...wrong }),
    await acme.patch(`${PATH}/${category.id}`, wrong),
  ]) {
    expect(reply.body.error).toBe('invalid_payload')
    expect(reply.body.details.fieldErrors).toEqual({ [field]: [expect.any(String)] })
  }
  expect((await acme.get(PATH)).body).toMatchObject({ total: 1, data: [category] })
})

testOnce.each(['name', 'slug', 'knowledge_base_id'])('requires %s on create', async (field) => {
  const { acme, base } = await createTenant()
  const reply = await acme.post(PATH, { name: 'Care', slug: 'care', knowledge_base_id: base, [field]: undefined })
  expect(reply.body).toMatchObject({ error: 'invalid_payload', details: { fieldErrors: { [field]: ['Required'] } } })
})

test('the knowledge base must belong to the organisation and cannot be changed', async () => {
  const { acme, base } = await createTenant()
  const other = await createTenant()
  for (const knowledge_base_id of [newId(), other.base]) {
    const reply = await acme.post(PATH, { name: 'Care', slug: 'care', knowledge_base_id })
    expectUnprocessable(reply, 'knowledge_base_id', knowledge_base_id)
  }
  const category = await createCategory(acme, base)
  const reply = await acme.patch(`${PATH}/${category.id}`, { knowledge_base_id: await createKnowledgeBase(acme) })
  expect(reply.body.error).toBe('invalid_payload')
})

test('the parent must be a category of the same knowledge base', async () => {
  const { acme, base } = await createTenant()
  const other = await createTenant()
  const category = await createCategory(acme, base)
  const deleted = await createCategory(acme, base)
  await acme.delete(`${PATH}/${deleted.id}`)
  const strangers = [
    newId(),
    base,
    deleted.id,
    (await createCategory(acme, await createKnowledgeBase(acme))).id,
    (await createCategory(other.acme, other.base)).id,
  ]
  for (const parent_id of strangers) {
    const made = await acme.post(PATH, { name: 'Care', slug: 'care', knowledge_base_id: base, parent_id })
    expectUnprocessable(made, 'parent_id', parent_id)
    expectUnprocessable(await acme.patch(`${PATH}/${category.id}`, { name: 'X', parent_id }), 'parent_id', parent_id)
  }
  expect((await acme.get(`${PATH}/${category.id}`)).body).toEqual(category)
})

describe('slug', () => {
  test('that is taken returns 409, changes nothing and writes no event', async () => {
    const { acme, base } = await createTenant()
    await createCategory(acme, await createKnowledgeBase(acme), { slug: 'taken' })
    const category = await createCategory(acme, base)
    const conflict = { status: 409, body: { error: 'conflict', details: { field: 'slug', value: 'taken' } } }
    const made = await acme.post(PATH, { name: 'Care', slug: 'taken', knowledge_base_id: base })
    expect(made).toMatchObject(conflict)
    expect(await acme.patch(`${PATH}/${category.id}`, { name: 'X', slug: 'taken' })).toMatchObject(conflict)
    expect((await acme.get(`${PATH}/${category.id}`)).body).toEqual(category)
    expect((await acme.lastEvent()).data.id).toBe(category.id)
  })

  test('is free in another organisation, and again after it was changed or its category was deleted', async () => {
    const { acme, base } = await createTenant()
    const other = await createTenant()
    const category = await createCategory(acme, base, { slug: 'care' })
    await createCategory(other.acme, other.base, { slug: 'care' })
    await acme.patch(`${PATH}/${category.id}`, { slug: 'repair' })
    await createCategory(acme, base, { slug: 'care' })
    await acme.delete(`${PATH}/${category.id}`)
    await createCategory(acme, base, { slug: 'repair' })
  })

  test('sent by twenty concurrent creates is given to exactly one', async () => {
    const { acme, base } = await createTenant()
    const body = { name: 'Care', slug: 'contested', knowledge_base_id: base }
    const replies = await Promise.all(Array.from({ length: 20 }, () => acme.post(PATH, body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })
})

describe('list', () => {
  const slugs = async (tenant: Tenant, query: string) => {
    const { data, total } = (await tenant.get(`${PATH}?${query}`)).body
    expect(total).toBe(data.length)
    return data.map(({ slug }: { slug: string }) => slug).join(' ')
  }

  test('filters by knowledge base, parent and top level, in either sort order', async () => {
    const { acme, base } = await createTenant()
    const second = await createKnowledgeBase(acme)
    const a = await createCategory(acme, base, { slug: 'a', sort_order: 2 })
    const b = await createCategory(acme, second, { slug: 'b', sort_order: 1 })
    await createCategory(acme, base, { slug: 'a-1', parent_id: a.id, sort_order: 3 })
    const a2 = await createCategory(acme, base, { slug: 'a-2', parent_id: a.id, sort_order: 0 })
    await createCategory(acme, base, { slug: 'c', sort_order: 2 })
    await createCategory(acme, base, { slug: 'a-2-x', parent_id: a2.id, sort_order: 9 })

    expect(await slugs(acme, '')).toBe('a-2-x c a-2 a-1 b a')
    expect(await slugs(acme, 'sort=sort_order')).toBe('a-2 b a c a-1 a-2-x')
    expect(await slugs(acme, `knowledge_base_id=${base}`)).toBe('a-2-x c a-2 a-1 a')
    expect(await slugs(acme, `knowledge_base_id=${base}&sort=sort_order`)).toBe('a-2 a c a-1 a-2-x')
    expect(await slugs(acme, `parent_id=${a.id}`)).toBe('a-2 a-1')
    expect(await slugs(acme, `parent_id=${a.id}&root_only=false&sort=sort_order`)).toBe('a-2 a-1')
    expect(await slugs(acme, 'root_only=true')).toBe('c b a')
    expect(await slugs(acme, 'root_only=true&sort=sort_order')).toBe('b a c')
    expect(await slugs(acme, `root_only=true&knowledge_base_id=${base}`)).toBe('c a')
    expect(await slugs(acme, `root_only=true&knowledge_base_id=${base}&sort=sort_order`)).toBe('a c')
    expect(await slugs(acme, 'root_only=false')).toBe('a-2-x c a-2 a-1 b a')
    expect(await slugs(acme, `parent_id=${a.id}&knowledge_base_id=${base}`)).toBe('a-2 a-1')
    expect(await slugs(acme, `parent_id=${a.id}&knowledge_base_id=${second}`)).toBe('')
    expect(await slugs(acme, `parent_id=${b.id}`)).toBe('')
  })

  test('filtered by the knowledge base or category of another organisation is empty', async () => {
    const { acme } = await createTenant()
    const other = await createTenant()
    const parent = await createCategory(other.acme, other.base)
    await createCategory(other.acme, other.base, { parent_id: parent.id })
    for (const filter of [`knowledge_base_id=${other.base}`, `parent_id=${parent.id}`]) {
      expect(await slugs(acme, filter)).toBe('')
      expect(await slugs(other.acme, filter)).not.toBe('')
    }
  })

  test('rejects parent_id with root_only, and invalid filters', async () => {
    const { acme } = await createTenant()
    const reply = await acme.get(`${PATH}?parent_id=${newId()}&root_only=true`)
    expect(reply.body).toMatchObject({
      error: 'invalid_query',
      details: { fieldErrors: { root_only: [expect.any(String)] } },
    })
    expect((await acme.get(`${PATH}?root_only=1`)).body.error).toBe('invalid_query')
    expect((await acme.get(`${PATH}?sort=name`)).body.error).toBe('invalid_query')
    expect((await acme.get(`${PATH}?parent_id=nonsense&root_only=true`)).body.error).toBe('invalid_id')
  })
})

test('a PATCH changes only the fields sent, clears nullable ones, and without a change writes no event', async () => {
  const { acme, base } = await createTenant()
  const parent = await createCategory(acme, base)
  const full = { parent_id: parent.id, description: 'All of it', icon: 'star', sort_order: 3 }
  const category = await createCategory(acme, base, full)
  const path = `${PATH}/${category.id}`
  const made = await acme.lastEvent()
  expect((await acme.patch(path, { ...full, name: category.name, slug: category.slug })).body).toEqual(category)
  expect((await acme.patch(path, {})).body).toEqual(category)
  expect(await acme.lastEvent()).toEqual(made)

  const change = { name: 'Repair', slug: 'repair', icon: 'zap', sort_order: 0 }
  const changed = (await acme.patch(path, change)).body
  expect(changed).toEqual({ ...category, ...change })
  const emptied = (await acme.patch(path, { description: null, parent_id: null })).body
  expect(emptied).toEqual({ ...changed, description: null, parent_id: null })
  expect((await acme.get(path)).body).toEqual(emptied)
})

test('emits created, updated with the changes, and deleted events', async () => {
  const { acme, base } = await createTenant()
  const parent = await createCategory(acme, base)
  const category = await createCategory(acme, base)
  expect(await acme.lastEvent()).toMatchObject({ type: 'article_category.created', data: category })
  const after = (await acme.patch(`${PATH}/${category.id}`, { name: 'Repair', parent_id: parent.id })).body
  const changes = { name: { from: category.name, to: 'Repair' }, parent_id: { from: null, to: parent.id } }
  const updated = await acme.lastEvent()
  expect(updated).toMatchObject({ type: 'article_category.updated', data: after })
  expect(updated.data.changes).toEqual(changes)
  await acme.delete(`${PATH}/${category.id}`)
  const deleted = { object: 'article_category', id: category.id, deleted: true, deleted_at: expect.any(String) }
  expect(await acme.lastEvent()).toMatchObject({ type: 'article_category.deleted', data: deleted })
})

test('article_count follows articles that are created in it, moved and deleted', async () => {
  const { acme, base } = await createTenant()
  const parent = await createCategory(acme, base)
  const child = await createCategory(acme, base, { parent_id: parent.id })
  const counts = async () => {
    const { data } = (await acme.get(PATH)).body
    for (const category of data) expect((await acme.get(`${PATH}/${category.id}`)).body).toEqual(category)
    return data.map(({ article_count }: { article_count: number }) => article_count)
  }
  const [first, second] = await createArticles(acme, child, 3)
  expect(await counts()).toEqual([3, 0])
  await acme.patch(`/v1/articles/${first}`, { category_id: parent.id })
  expect(await counts()).toEqual([2, 1])
  await acme.delete(`/v1/articles/${second}`)
  await acme.patch(`/v1/articles/${first}`, { category_id: null })
  expect(await counts()).toEqual([1, 0])
  expect((await acme.patch(`${PATH}/${child.id}`, { name: 'X' })).body.article_count).toBe(1)
  expect((await acme.lastEvent()).data).toMatchObject({ article_count: 1, changes: { name: { to: 'X' } } })
})
