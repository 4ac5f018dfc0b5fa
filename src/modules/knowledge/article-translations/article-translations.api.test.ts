import { expect, test } from 'vitest'
import { createKnowledgeBase } from '../../../testing/data/articles.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

const GERMAN = { language: 'de', title: 'Ölen', content: '# Ölen\n\nEinmal im **Jahr**' }

async function openArticle() {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const article = (await acme.post('/v1/articles', { knowledge_base_id, title: 'Oiling', content: 'Once' })).body
  const path = `/v1/articles/${article.id}`
  const add = (body: object = GERMAN) => acme.post(`${path}/translations`, body)
  const translation = async (language = 'de') => (await acme.get(`${path}/translations/${language}`)).body
  return { acme, article, path, add, translation }
}

test('adds, gets and lists the article in another language', async () => {
  const { acme, article, path, add, translation } = await openArticle()
  const { status, body } = await add()
  expect(status).toBe(201)
  expect(body).toEqual({
    object: 'article_translation',
    id: expect.any(String),
    article_id: article.id,
    ...GERMAN,
    url: null,
    content_plain: 'Ölen Einmal im Jahr',
    warnings: [],
    is_stale: false,
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
  expect(await translation()).toEqual(body)
  expect((await acme.get(`${path}/translations`)).body).toEqual({
    object: 'list',
    total: 1,
    page: 1,
    page_size: 25,
    data: [body],
  })
  expect((await acme.get(path)).body).toMatchObject({ title: 'Oiling', content: 'Once', language: 'en' })
})

test('each language can be added once, and the article’s own language not at all, even concurrently', async () => {
  const { acme, path, add } = await openArticle()
  const replies = await Promise.all([add(), add(), add()])
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const own = await add({ ...GERMAN, language: 'en' })
  for (const reply of [own, ...replies.filter(({ status }) => status === 409)]) {
    expect(reply.body).toMatchObject({ error: 'conflict', details: { field: 'language' } })
  }
  expect((await acme.get(`${path}/translations`)).body.total).toBe(1)
  expect((await acme.get(`${path}/translations/en`)).status).toBe(404)
  expect((await acme.get(`${path}/translations/fr`)).status).toBe(404)
  expect((await acme.get(`${path}/translations/xx`)).body.error).toBe('invalid_id')
})

test('the language of the article cannot be changed to that of a translation', async () => {
  const { acme, path, add, translation } = await openArticle()
  await add()
  const reply = await acme.patch(path, { language: 'de', title: 'X' })
  expect(reply.body).toMatchObject({ error: 'conflict', details: { field: 'language', value: 'de' } })
  expect((await acme.get(path)).body).toMatchObject({ language: 'en', title: 'Oiling', version_number: 1 })
  expect((await acme.patch(path, { language: 'fr' })).body).toMatchObject({ language: 'fr', title: 'Oiling' })
  expect(await translation()).toMatchObject({ is_stale: false })
  expect((await add({ ...GERMAN, language: 'en' })).status).toBe(201)
})

test('is stale from a change of the article’s text to its own next change, even within one millisecond', async () => {
  const { acme, path, add, translation } = await openArticle()
  await add()
  await acme.patch(path, { status: 'archived', slug: 'other' })
  expect(await translation()).toMatchObject({ is_stale: false })
  await acme.patch(path, { content: 'Twice' })
  expect(await translation()).toMatchObject({ is_stale: true })
  expect((await acme.get(`${path}/translations`)).body.data[0].is_stale).toBe(true)
  await acme.patch(`${path}/translations/de`, {})
  await acme.patch(`${path}/translations/de`, { title: GERMAN.title })
  expect(await translation()).toMatchObject({ is_stale: true })
  expect((await acme.patch(`${path}/translations/de`, { content: 'Zweimal' })).body).toMatchObject({ is_stale: false })
  await acme.post(`${path}/versions`, {})
  expect(await translation()).toMatchObject({ is_stale: false })
  await acme.post(`${path}/versions/1/restore`)
  expect(await translation()).toMatchObject({ is_stale: true })
})

test('a PATCH changes only the fields sent, and without a change keeps updated_at', async () => {
  const { acme, path, add } = await openArticle()
  const { body: before } = await add()
  const { updated_at } = (await acme.get(path)).body
  harness.advance(1000)
  const patch = async (body: object) => (await acme.patch(`${path}/translations/de`, body)).body
  expect(await patch({ title: GERMAN.title, content: GERMAN.content })).toEqual(before)
  expect((await acme.get(path)).body.updated_at).toBe(updated_at)
  const after = await patch({ content: 'Zweimal' })
  expect(after).toEqual({ ...before, content: 'Zweimal', content_plain: 'Zweimal', updated_at: expect.any(String) })
  expect(after.updated_at > before.updated_at).toBe(true)
  const refused = await acme.patch(`${path}/translations/de`, { language: 'fr' })
  expect(refused.body.error).toBe('invalid_payload')
})

test('every change emits article.updated', async () => {
  const { acme, path, add } = await openArticle()
  await add()
  await acme.patch(`${path}/translations/de`, { title: 'Wachsen' })
  expect((await acme.delete(`${path}/translations/de`)).status).toBe(204)
  expect((await acme.delete(`${path}/translations/de`)).status).toBe(404)
  const { data } = (await acme.get('/v1/events?type=article.updated')).body
  const { title, content } = GERMAN
  const first = { title, content }
  expect(data.reverse().map((event: any) => event.data.changes)).toEqual([
    { 'translations.de': { from: null, to: first } },
    { 'translations.de': { from: first, to: { title: 'Wachsen', content } } },
    { 'translations.de': { from: { title: 'Wachsen', content }, to: null } },
  ])
})

test('returns 410 after the article was deleted', async () => {
  const { acme, path, add } = await openArticle()
  await add()
  await acme.delete(path)
  expect((await acme.get(`${path}/translations`)).status).toBe(410)
  expect((await acme.get(`${path}/translations/de`)).status).toBe(410)
  expect((await add()).status).toBe(410)
})
