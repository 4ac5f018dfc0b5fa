import { describe, expect, test } from 'vitest'
import { createKnowledgeBase } from '../../../testing/data/articles.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

async function openArticle(body: object = {}) {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const article = (await acme.post('/v1/articles', { knowledge_base_id, title: 'Oiling', content: 'Once', ...body }))
    .body
  const path = `/v1/articles/${article.id}`
  const patch = async (body: object) => (await acme.patch(path, body)).body
  const versions = async (query = '') => (await acme.get(`${path}/versions${query}`)).body
  return { acme, article, path, patch, versions }
}

describe('a version', () => {
  test('keeps the previous text when the title or the content changes', async () => {
    const { acme, article, path, patch, versions } = await openArticle({ language: 'de' })
    expect(await versions()).toMatchObject({ total: 0, data: [] })
    harness.advance(1000)
    expect(await patch({ content: 'Twice', title: 'Waxing', language: 'fr' })).toMatchObject({ version_number: 2 })
    expect(await patch({ title: 'Polishing' })).toMatchObject({ version_number: 3 })
    const { total, data } = await versions()
    expect(total).toBe(2)
    expect(data[1]).toEqual({
      object: 'article_version',
      id: expect.any(String),
      article_id: article.id,
      version_number: 1,
      title: 'Oiling',
      content: 'Once',
      language: 'de',
      change_summary: 'Auto-snapshot before API update',
      created_at: expect.any(String),
    })
    expect(data[1].created_at > article.created_at).toBe(true)
    expect(data[0]).toMatchObject({ version_number: 2, title: 'Waxing', content: 'Twice', language: 'fr' })
    expect((await acme.get(`${path}/versions/1`)).body).toEqual(data[1])
  })

  test('is not created by other changes or by an unchanged text', async () => {
    const { patch, versions } = await openArticle()
    for (const body of [
      {},
      { status: 'published' },
      { slug: 'x' },
      { title: 'Oiling', content: 'Once' },
      { title: ' Oiling ' },
    ]) {
      expect(await patch(body)).toMatchObject({ version_number: 1 })
    }
    expect((await versions()).total).toBe(0)
  })

  test('can be created at any time, with an optional summary', async () => {
    const { acme, path, patch, versions } = await openArticle()
    const reply = await acme.post(`${path}/versions`, { change_summary: 'é'.repeat(500) })
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ version_number: 1, title: 'Oiling', change_summary: 'é'.repeat(500) })
    expect((await acme.get(path)).body).toMatchObject({ version_number: 2, title: 'Oiling' })
    expect((await acme.post(`${path}/versions`, {})).body).toMatchObject({ version_number: 2, change_summary: null })
    await patch({ title: 'Waxing' })
    expect((await versions()).data.map((version: any) => version.version_number)).toEqual([3, 2, 1])
    for (const body of [{ change_summary: 'x'.repeat(501) }, { title: 'X' }]) {
      expect((await acme.post(`${path}/versions`, body)).body.error).toBe('invalid_payload')
    }
  })

  test('is addressed by a positive integer', async () => {
    const { acme, path, patch } = await openArticle()
    await patch({ title: 'Waxing' })
    for (const version of ['0', '-1', '1.5', 'x', '01', '9999999999', '%31x']) {
      expect((await acme.get(`${path}/versions/${version}`)).body.error, version).toBe('invalid_id')
    }
    for (const version of ['2', '999999999']) {
      expect((await acme.get(`${path}/versions/${version}`)).body.error, version).toBe('not_found')
      expect((await acme.post(`${path}/versions/${version}/restore`)).body.error, version).toBe('not_found')
    }
  })

  test('is listed newest first, in pages', async () => {
    const { patch, versions } = await openArticle()
    for (let n = 0; n < 5; n++) await patch({ title: `Title ${n}` })
    const page = await versions('?page=2&page_size=2')
    expect(page).toMatchObject({ total: 5, page: 2, page_size: 2 })
    expect(page.data.map((version: any) => version.version_number)).toEqual([3, 2])
    expect((await versions('?page=4&page_size=2')).data).toEqual([])
  })
})

test('concurrent changes leave no gap in version numbers and lose no text', async () => {
  const { acme, path, versions } = await openArticle()
  const titles = Array.from({ length: 30 }, (_, n) => `Title ${n}`)
  const replies = await Promise.all([
    ...titles.map((title) => acme.patch(path, { title })),
    ...Array.from({ length: 5 }, () => acme.post(`${path}/versions`, {})),
  ])
  expect(replies.filter(({ status }) => status >= 300)).toEqual([])
  const { total, data } = await versions('?page_size=100')
  expect(total).toBe(35)
  expect(data.map((version: any) => version.version_number)).toEqual(Array.from({ length: 35 }, (_, n) => 35 - n))
  const { title, version_number } = (await acme.get(path)).body
  expect(version_number).toBe(36)
  const seen = new Set([title, ...data.map((version: any) => version.title)])
  expect([...seen].sort()).toEqual(['Oiling', ...titles].sort())
})

describe('restoring', () => {
  test('keeps the current text as a version and restores title and content', async () => {
    const { acme, path, patch, versions } = await openArticle({ content: '**Once**' })
    await patch({ title: 'Waxing', content: 'Twice', status: 'published', language: 'de' })
    const reply = await acme.post(`${path}/versions/1/restore`)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      object: 'article',
      title: 'Oiling',
      content: '**Once**',
      content_plain: 'Once',
      language: 'de',
      status: 'published',
      version_number: 3,
    })
    expect((await versions()).data[0]).toMatchObject({
      version_number: 2,
      title: 'Waxing',
      content: 'Twice',
      change_summary: 'Auto-snapshot before restoring version 1',
    })
    const [event] = (await acme.get('/v1/events?type=article.updated&limit=1')).body.data
    expect(event.data.changes).toMatchObject({ title: { from: 'Waxing', to: 'Oiling' } })
  })

  test('a version equal to the current text changes nothing', async () => {
    const { acme, path } = await openArticle()
    await acme.post(`${path}/versions`, {})
    const before = (await acme.get(path)).body
    harness.advance(1000)
    expect((await acme.post(`${path}/versions/1/restore`)).body).toEqual(before)
  })
})

describe('comparing', () => {
  test('returns the lines and words that differ, in either direction', async () => {
    const { acme, article, path, patch } = await openArticle({ content: 'One\nOil it once a month.\nThree\n' })
    await patch({ title: 'Oiling oak', content: 'One\nOil it once a year.\nThree\nFour\n' })
    await patch({ content: 'Nothing' })
    const diff = (from: number, to: number) => acme.get(`${path}/versions/${from}/diff/${to}`)
    const { status, body } = await diff(1, 2)
    expect(status).toBe(200)
    expect(body).toEqual({
      object: 'article_version_diff',
      article_id: article.id,
      from_version: 1,
      to_version: 2,
      title: [
        { type: 'equal', text: 'Oiling' },
        { type: 'added', text: ' oak' },
      ],
      content: {
        added: 2,
        removed: 1,
        is_truncated: false,
        rows: [
          { type: 'equal', before_line: 1, after_line: 1, text: 'One\n' },
          {
            type: 'changed',
            before_line: 2,
            after_line: 2,
            words: [
              { type: 'equal', text: 'Oil it once a ' },
              { type: 'removed', text: 'month' },
              { type: 'added', text: 'year' },
              { type: 'equal', text: '.\n' },
            ],
          },
          { type: 'equal', before_line: 3, after_line: 3, text: 'Three\n' },
          { type: 'added', before_line: null, after_line: 4, text: 'Four\n' },
        ],
      },
    })
    const back = (await diff(2, 1)).body
    expect(back).toMatchObject({ from_version: 2, to_version: 1, content: { added: 1, removed: 2 } })
  })

  test('includes the current text, and returns 404 for an unknown version', async () => {
    const { acme, path, patch } = await openArticle()
    await patch({ content: 'Twice' })
    const current = (await acme.get(`${path}/versions/1/diff/2`)).body
    expect(current.content.rows.map(({ type }: { type: string }) => type)).toEqual(['removed', 'added'])
    expect((await acme.get(`${path}/versions/2/diff/2`)).body.content).toMatchObject({ added: 0, removed: 0 })
    expect((await acme.get(`${path}/versions/1/diff/3`)).status).toBe(404)
    expect((await acme.get(`${path}/versions/0/diff/1`)).body.error).toBe('invalid_id')
    expect((await acme.get(`${path}/versions/1/diff/x`)).body.error).toBe('invalid_id')
  })
})

test('versions return 410 after the article was deleted', async () => {
  const { acme, path, patch } = await openArticle()
  await patch({ title: 'Waxing' })
  await acme.delete(path)
  for (const reply of [
    await acme.get(`${path}/versions`),
    await acme.get(`${path}/versions/1`),
    await acme.post(`${path}/versions/1/restore`),
    await acme.post(`${path}/versions`, {}),
  ]) {
    expect(reply.status).toBe(410)
  }
})
