import { describe, expect, test } from 'vitest'
import { expectUnprocessable } from '../../../testing/check-response.ts'
import { createCategory, createKnowledgeBase } from '../../../testing/data/articles.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'

const harness = useHarness({ role: 'api' })

const PATH = '/v1/articles'

async function openBase() {
  const acme = await harness.createTenant()
  const base = await createKnowledgeBase(acme)
  const create = async (body: object = {}) => {
    const reply = await acme.post(PATH, { knowledge_base_id: base, title: 'Oiling', ...body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body
  }
  const patch = async (id: string, body: object) => {
    const reply = await acme.patch(`${PATH}/${id}`, body)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  const events = async (...types: string[]) =>
    (await acme.get('/v1/events?limit=100')).body.data
      .map(({ type, data }: any) => ({ type, payload: data }))
      .filter(({ type }: { type: string }) => types.length === 0 || types.includes(type))
      .reverse()
  return { acme, base, create, patch, events }
}

function expectTaken({ status, body }: { status: number; body: any }, field: string, value: string): void {
  expect(status).toBe(409)
  expect(body).toMatchObject({ error: 'conflict', details: { field, value } })
}

test('an article created with only a title gets defaults for everything else', async () => {
  const { base, create } = await openBase()
  const article = await create({ title: '  Zubehör & Teile ' })
  expect(article).toEqual({
    object: 'article',
    id: expect.any(String),
    knowledge_base_id: base,
    category_id: null,
    title: 'Zubehör & Teile',
    slug: 'zubehor-teile',
    url: null,
    content: '',
    content_plain: null,
    warnings: [],
    status: 'draft',
    visibility: 'public',
    language: 'en',
    indexing_status: 'not_started',
    version_number: 1,
    indexed_at: null,
    published_at: null,
    created_at: expect.any(String),
    updated_at: article.created_at,
  })
})

test('returns all fields as sent, in any script and up to their maximum length', async () => {
  const { acme, base, create } = await openBase()
  const sent = {
    category_id: (await createCategory(acme, base)).id,
    title: '🛠'.repeat(300),
    slug: 'x'.repeat(200),
    content: '長'.repeat(Math.floor((500 * 1024) / 3)),
    status: 'archived',
    visibility: 'chatbot_only',
    language: 'ja',
  }
  const article = await create(sent)
  expect(article).toMatchObject(sent)
  expect((await acme.get(`${PATH}/${article.id}`)).body).toEqual(article)
})

test('content_plain is the content without markup, with the alternative text of images', async () => {
  const { create, patch } = await openBase()
  const content = '# Öl\n\nOnce a **year**,\nwith ![a brush](https://acme.com/b.png).\n\n- <b>thin</b> &amp; even'
  const article = await create({ content })
  expect(article.content_plain).toBe('Öl Once a year, with a brush. thin & even')
  expect((await patch(article.id, { content: '' })).content_plain).toBeNull()
})

testOnce.each<[string, object]>([
  ['title', { title: ' ' }],
  ['title', { title: 'x'.repeat(301) }],
  ['slug', { slug: 'Care guide' }],
  ['slug', { slug: 'x'.repeat(201) }],
  ['content', { content: 'x'.repeat(500 * 1024 + 1) }],
  ['content', { content: `${'é'.repeat(250 * 1024)}x` }],
  ['content', { content: null }],
  ['status', { status: 'deleted' }],
  ['visibility', { visibility: null }],
  ['language', { language: 'nonsense' }],
  ['category_id', { category_id: 'x' }],
  ['knowledge_base_id', { knowledge_base_id: null }],
])('rejects an invalid %s on create and update (case %#)', async (field, wrong) => {
  const { acme, base, create } = await openBase()
  const article = await create()
  const body = { knowledge_base_id: base, title: 'X', ...wrong }
  for (const reply of [await acme.post(PATH, body), await acme.patch(`${PATH}/${article.id}`, wrong)]) {
    expect(reply.body.error).toBe('invalid_payload')
    expect(Object.keys(reply.body.details.fieldErrors)).toEqual([field])
  }
  expect((await acme.get(`${PATH}/${article.id}`)).body).toEqual(article)
})

describe('placement', () => {
  test('requires a knowledge base and a category that belong together and to the organisation', async () => {
    const { acme, base, create } = await openBase()
    const other = await openBase()
    const elsewhere = await createKnowledgeBase(acme)
    const category = (await createCategory(acme, elsewhere)).id
    const foreign = (await createCategory(other.acme, other.base)).id
    const unknown = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'
    const article = await create()
    const post = (body: object) => acme.post(PATH, { knowledge_base_id: base, title: 'X', ...body })
    const patch = (body: object) => acme.patch(`${PATH}/${article.id}`, body)
    for (const send of [post, patch]) {
      for (const id of [other.base, unknown]) {
        expectUnprocessable(await send({ knowledge_base_id: id }), 'knowledge_base_id', id)
      }
      for (const id of [category, foreign, unknown])
        expectUnprocessable(await send({ category_id: id }), 'category_id', id)
    }
    expect((await acme.get(PATH)).body).toMatchObject({
      total: 1,
      data: [{ category_id: null, knowledge_base_id: base }],
    })
  })

  test('can change, even to another knowledge base, but only together with the category', async () => {
    const { acme, base, create, patch } = await openBase()
    const [first, second] = [(await createCategory(acme, base)).id, (await createCategory(acme, base)).id]
    const elsewhere = await createKnowledgeBase(acme)
    const there = (await createCategory(acme, elsewhere)).id
    const { id } = await create({ category_id: first })
    expect((await patch(id, { category_id: second })).category_id).toBe(second)
    expectUnprocessable(await acme.patch(`${PATH}/${id}`, { knowledge_base_id: elsewhere }), 'category_id', second)
    expect(await patch(id, { knowledge_base_id: elsewhere, category_id: there })).toMatchObject({
      knowledge_base_id: elsewhere,
      category_id: there,
    })
    expect(await patch(id, { knowledge_base_id: base, category_id: null })).toMatchObject({
      knowledge_base_id: base,
      category_id: null,
    })
  })

  test('prevents deleting a knowledge base that is not empty', async () => {
    const { acme, base, create } = await openBase()
    const { id } = await create()
    const refused = await acme.delete(`/v1/knowledge-bases/${base}`)
    expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 409, error: 'conflict' })
    await acme.delete(`${PATH}/${id}`)
    const category = (await createCategory(acme, base)).id
    expect((await acme.delete(`/v1/knowledge-bases/${base}`)).status).toBe(409)
    await acme.delete(`/v1/article-categories/${category}`)
    expect((await acme.delete(`/v1/knowledge-bases/${base}`)).status).toBe(204)
  })

  test('in a knowledge base that is being deleted either succeeds or returns 422', async () => {
    for (let round = 0; round < 8; round++) {
      const { acme, base } = await openBase()
      const writing = Array.from({ length: 4 }, (_, n) => acme.post(PATH, { knowledge_base_id: base, title: `A ${n}` }))
      const [deleted, ...written] = await Promise.all([acme.delete(`/v1/knowledge-bases/${base}`), ...writing])
      const created = written.filter(({ status }) => status === 201).length
      expect(written.every(({ status }) => status === 201 || status === 422)).toBe(true)
      expect(deleted.status).toBe(created === 0 ? 204 : 409)
      expect((await acme.get(PATH)).body.total).toBe(created)
    }
  })
})

describe('slug', () => {
  test('derived from the title gets a number if it is taken; one that was sent is used or refused', async () => {
    const { acme, base, create } = await openBase()
    const slugs = []
    for (let n = 0; n < 3; n++) slugs.push((await create({ title: 'Oiling!' })).slug)
    expect(slugs).toEqual(['oiling', 'oiling-2', 'oiling-3'])
    const article = await create({ title: '日本語' })
    expect(article.slug).toBe('article')
    expectTaken(await acme.post(PATH, { knowledge_base_id: base, title: 'X', slug: 'oiling' }), 'slug', 'oiling')
    expectTaken(await acme.patch(`${PATH}/${article.id}`, { title: 'X', slug: 'oiling' }), 'slug', 'oiling')
    expect((await acme.get(`${PATH}/${article.id}`)).body).toEqual(article)
  })

  test('is unique in an organisation across knowledge bases, but not across organisations', async () => {
    const { acme, create } = await openBase()
    const other = await openBase()
    await create({ slug: 'same' })
    expect((await other.create({ slug: 'same' })).slug).toBe('same')
    const elsewhere = await createKnowledgeBase(acme)
    expectTaken(await acme.post(PATH, { knowledge_base_id: elsewhere, title: 'X', slug: 'same' }), 'slug', 'same')
  })

  test('is unique for twenty concurrent creates with one title', async () => {
    const { create } = await openBase()
    const articles = await Promise.all(Array.from({ length: 20 }, () => create()))
    expect(new Set(articles.map(({ slug }) => slug)).size).toBe(20)
  })

  test('does not change with the title, and is free again after a delete', async () => {
    const { acme, create, patch } = await openBase()
    const { id } = await create()
    expect((await patch(id, { title: 'Waxing' })).slug).toBe('oiling')
    await acme.delete(`${PATH}/${id}`)
    expect((await create()).slug).toBe('oiling')
  })
})

describe('a PATCH', () => {
  test('changes only the fields sent, and without a change keeps updated_at and writes no event', async () => {
    const { acme, create, patch, events } = await openBase()
    const article = await create({ content: 'Once', visibility: 'internal' })
    harness.advance(1000)
    const same = { title: 'Oiling', content: 'Once', visibility: 'internal', status: 'draft', slug: 'oiling' }
    expect(await patch(article.id, same)).toEqual(article)
    const changed = await patch(article.id, { visibility: 'public', slug: 'oil' })
    expect(changed).toEqual({ ...article, visibility: 'public', slug: 'oil', updated_at: expect.any(String) })
    expect(changed.updated_at > article.updated_at).toBe(true)
    expect((await acme.get(`${PATH}/${article.id}`)).body).toEqual(changed)
    const [, updated] = await events()
    expect(updated).toEqual({
      type: 'article.updated',
      payload: {
        ...changed,
        changes: { visibility: { from: 'internal', to: 'public' }, slug: { from: 'oiling', to: 'oil' } },
      },
    })
  })
})

test('emits created, updated and deleted events in order', async () => {
  const { acme, create, patch, events } = await openBase()
  const { id } = await create()
  await patch(id, { title: 'Waxing' })
  await acme.delete(`${PATH}/${id}`)
  const happened = await events()
  expect(happened.map(({ type }: { type: string }) => type)).toEqual([
    'article.created',
    'article.updated',
    'article.deleted',
  ])
  expect(happened[2].payload).toEqual({ object: 'article', id, deleted: true, deleted_at: expect.any(String) })
})

test('an event never exceeds 256 KiB: content that is too long is null', async () => {
  const { create, patch, events } = await openBase()
  const long = (letter: string) => letter.repeat(400 * 1024)
  const { id } = await create({ content: long('a') })
  await patch(id, { content: long('b') })
  await patch(id, { content: 'short' })
  const happened = await events('article.created', 'article.updated')
  for (const { payload } of happened) expect(JSON.stringify(payload).length).toBeLessThanOrEqual(256 * 1024)
  expect(happened[0].payload).toMatchObject({ id, title: 'Oiling', content: null, content_plain: null })
  expect(happened[1].payload).toMatchObject({
    content: null,
    changes: { content: { from: null, to: null, omitted: true }, version_number: { from: 1, to: 2 } },
  })
  expect(happened[2].payload).toMatchObject({ content: 'short', content_plain: 'short' })
})

describe('list', () => {
  test('returns articles without content and with the names of their tags', async () => {
    const { acme, create } = await openBase()
    const { id, content: _, content_plain: __, warnings: ___, ...article } = await create({ content: '# Long' })
    const tags = []
    for (const name of ['wood', 'Care', 'oil']) tags.push((await acme.post('/v1/article-tags', { name })).body.id)
    await acme.put(`${PATH}/${id}/tags`, { tag_ids: tags })
    const { data } = (await acme.get(PATH)).body
    expect(data).toEqual([{ ...article, id, tag_names: ['Care', 'oil', 'wood'], updated_at: expect.any(String) }])
    expect((await acme.get(`${PATH}?limit=5`)).body.data).toEqual(data)
  })

  test('filters by every field, by tag and by search text, alone and combined', async () => {
    const { acme, base, create } = await openBase()
    const elsewhere = await createKnowledgeBase(acme)
    const category = (await createCategory(acme, base)).id
    await create({ slug: 'a', category_id: category, status: 'published' })
    await create({ slug: 'b', visibility: 'internal', language: 'de', title: 'Öle' })
    await create({ slug: 'c', knowledge_base_id: elsewhere, status: 'published', content: 'Not too **much**' })
    const { id } = (await acme.post('/v1/article-tags', { name: 'Holz' })).body
    const [b] = (await acme.get(`${PATH}?language=de`)).body.data
    await acme.put(`${PATH}/${b.id}/tags`, { tag_ids: [id] })
    const slugs = async (query: string) => {
      const { body } = await acme.get(`${PATH}?${query}`)
      const found = body.data.map(({ slug }: { slug: string }) => slug)
      expect(body.total, query).toBe(found.length)
      const stream = (await acme.get(`${PATH}?${query}&limit=100`)).body.data
      expect(stream.map(({ slug }: { slug: string }) => slug)).toEqual(found)
      return found.join('')
    }
    expect(await slugs('')).toBe('cba')
    expect(await slugs('status=published')).toBe('ca')
    expect(await slugs(`category_id=${category}`)).toBe('a')
    expect(await slugs(`category_id=${category}&status=draft`)).toBe('')
    expect(await slugs(`knowledge_base_id=${base}`)).toBe('ba')
    expect(await slugs(`knowledge_base_id=${base}&status=published`)).toBe('a')
    expect(await slugs('visibility=internal')).toBe('b')
    expect(await slugs('language=de')).toBe('b')
    expect(await slugs(`tag=${id}`)).toBe('b')
    expect(await slugs('tag=HOLZ')).toBe('b')
    expect(await slugs('tag=none')).toBe('')
    expect(await slugs(`search=${encodeURIComponent('ÖLE')}`)).toBe('b')
    expect(await slugs('search=TOO+MUCH')).toBe('c')
    expect(await slugs('search=**')).toBe('')
    expect(await slugs(`knowledge_base_id=${(await openBase()).base}`)).toBe('')
  })

  test('sorts by title, last change or creation', async () => {
    const { acme, create, patch } = await openBase()
    const ids: string[] = []
    for (const title of ['bee', 'Äpfel', 'Cup', 'apple']) {
      harness.advance(10)
      ids.push((await create({ title })).id)
    }
    harness.advance(10)
    await patch(ids[0]!, { visibility: 'internal' })
    const titles = async (sort: string) =>
      (await acme.get(`${PATH}?sort=${sort}`)).body.data.map(({ title }: { title: string }) => title)
    expect(await titles('title')).toEqual(['apple', 'bee', 'Cup', 'Äpfel'])
    expect(await titles('recent')).toEqual(['bee', 'apple', 'Cup', 'Äpfel'])
    expect(await titles('-created_at')).toEqual(['apple', 'Cup', 'Äpfel', 'bee'])
  })

  test('pages and totals are exact for all filters and sorts, also after changes and deletions', async () => {
    const { acme, base, create, patch } = await openBase()
    const elsewhere = await createKnowledgeBase(acme)
    const [category, other] = [(await createCategory(acme, base)).id, (await createCategory(acme, elsewhere)).id]
    const ids: string[] = []
    for (let n = 0; n < 16; n++) {
      harness.advance(10)
      const place = n % 2 ? { knowledge_base_id: elsewhere, category_id: other } : { category_id: category }
      const [status, visibility] = [n % 4 < 2 ? 'draft' : 'archived', n % 8 < 4 ? 'public' : 'internal']
      const { id } = await create({
        ...place,
        status,
        visibility,
        language: n < 8 ? 'en' : 'de',
        title: `${(n * 7) % 16}`,
      })
      ids.push(id)
    }
    await expectExactLists(acme)
    harness.advance(10)
    await patch(ids[0]!, { status: 'unpublished', visibility: 'chatbot_only' })
    await patch(ids[1]!, { knowledge_base_id: base, category_id: null, title: 'a' })
    await patch(ids[2]!, { language: 'pt-BR' })
    await patch(ids[3]!, { title: 'b' })
    for (const id of ids.slice(4, 6)) expect((await acme.delete(`${PATH}/${id}`)).status).toBe(204)
    await expectExactLists(acme)
  })

  const FILTERS = ['knowledge_base_id', 'category_id', 'status', 'visibility', 'language']
  const PAIRS = FILTERS.flatMap((one, place) => FILTERS.slice(place + 1).map((two) => [one, two]))

  /** Reads all pages of the lists that have the first and the last article. */
  async function expectExactLists(acme: Tenant): Promise<void> {
    for (const sort of ['sort=recent', 'sort=title', '']) {
      const all = (await acme.get(`${PATH}?page_size=100&${sort}`)).body.data
      for (const sample of [all[0], all.at(-1)]) {
        for (const filters of [[], ...FILTERS.map((name) => [name]), ...PAIRS, FILTERS]) {
          const names = filters.filter((name) => sample[name] !== null)
          const matching = all.filter((article: any) => names.every((name) => article[name] === sample[name]))
          const query = [sort, ...names.map((name) => `${name}=${sample[name]}`)].join('&')
          expect(await pagesOf(acme, query), query).toEqual({ data: matching, total: matching.length })
        }
      }
    }
  }

  async function pagesOf(acme: Tenant, query: string): Promise<{ data: unknown[]; total: number }> {
    const data: unknown[] = []
    for (let page = 1; ; page++) {
      const { body } = await acme.get(`${PATH}?page_size=7&page=${page}&${query}`)
      data.push(...body.data)
      if (body.data.length === 0) return { data, total: body.total }
    }
  }

  test('uses cursor pagination on request, and rejects a mix with offset pagination', async () => {
    const { acme, create } = await openBase()
    for (let n = 0; n < 3; n++) await create()
    for (const query of ['sort=-created_at', 'limit=2', 'sort=-created_at&limit=2']) {
      const { body } = await acme.get(`${PATH}?${query}`)
      expect(Object.keys(body), query).toEqual(['object', 'has_more', 'next_cursor', 'data'])
    }
    const { next_cursor } = (await acme.get(`${PATH}?sort=-created_at&limit=2`)).body
    const cursor = encodeURIComponent(next_cursor)
    expect((await acme.get(`${PATH}?cursor=${cursor}`)).body.data).toHaveLength(1)
    for (const query of [
      'page=1&limit=2',
      `page_size=2&cursor=${cursor}`,
      'sort=-created_at&page=1',
      'sort=title&limit=2',
    ]) {
      const { status, body } = await acme.get(`${PATH}?${query}`)
      expect({ status, error: body.error }, query).toEqual({ status: 400, error: 'invalid_query' })
    }
    expect((await acme.get(`${PATH}?status=draft&cursor=${cursor}`)).body.error).toBe('invalid_cursor')
  })
})

describe('tags', () => {
  test('are replaced as a whole, and emit article.updated if they differ', async () => {
    const { acme, create, events } = await openBase()
    const { id } = await create()
    const tag = async (name: string) => (await acme.post('/v1/article-tags', { name })).body
    const [wood, care] = [await tag('wood'), await tag('care')]
    const put = async (...tags: { id: string }[]) =>
      (await acme.put(`${PATH}/${id}/tags`, { tag_ids: tags.map((tag) => tag.id) })).body
    expect(await put(wood, care)).toEqual({ object: 'list', total: 2, page: 1, page_size: 100, data: [care, wood] })
    expect((await acme.get(`${PATH}/${id}/tags?page_size=1&page=2`)).body).toMatchObject({ total: 2, data: [wood] })
    await put(care, wood)
    expect((await put(care)).data).toEqual([care])
    const changes = (await events('article.updated')).map(({ payload }: any) => payload.changes)
    expect(changes).toEqual([
      { tag_names: { from: [], to: ['care', 'wood'] } },
      { tag_names: { from: ['care', 'wood'], to: ['care'] } },
    ])
    await acme.delete(`/v1/article-tags/${care.id}`)
    expect((await acme.get(`${PATH}/${id}/tags`)).body.data).toEqual([])
    expect((await acme.get(PATH)).body.data[0].tag_names).toEqual([])
  })

  test('must belong to the organisation and be distinct', async () => {
    const { acme, create } = await openBase()
    const other = await openBase()
    const { id } = await create()
    const foreign = (await other.acme.post('/v1/article-tags', { name: 'x' })).body.id
    const own = (await acme.post('/v1/article-tags', { name: 'x' })).body.id
    expectUnprocessable(await acme.put(`${PATH}/${id}/tags`, { tag_ids: [own, foreign] }), 'tag_ids[1]', foreign)
    expect((await acme.put(`${PATH}/${id}/tags`, { tag_ids: [own, own] })).body.error).toBe('invalid_payload')
    expect((await acme.get(`${PATH}/${id}/tags`)).body.data).toEqual([])
  })
})
