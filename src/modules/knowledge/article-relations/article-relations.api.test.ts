import { expect, test } from 'vitest'
import { expectUnprocessable } from '../../../testing/check-response.ts'
import { createKnowledgeBase } from '../../../testing/data/articles.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

async function openArticles(count: number) {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    ids.push((await acme.post('/v1/articles', { knowledge_base_id, title: `Article ${n}` })).body.id)
  }
  const path = `/v1/articles/${ids[0]}/relations`
  const put = (related: string[], mode?: string) =>
    acme.put(path, { related_article_ids: related, ...(mode && { mode }) })
  const related = async () =>
    (await acme.get(path)).body.data.map((item: { related_article_id: string }) => ids.indexOf(item.related_article_id))
  return { acme, ids, path, put, related }
}

test('a PUT replaces the list in the order sent, or appends to it', async () => {
  const { acme, ids, path, put, related } = await openArticles(6)
  const reply = await put([ids[3]!, ids[1]!, ids[3]!])
  expect(reply.body).toEqual({
    object: 'list',
    total: 2,
    page: 1,
    page_size: 25,
    data: [3, 1].map((n) => ({
      object: 'article_relation',
      article_id: ids[0],
      related_article_id: ids[n],
      related_title: `Article ${n}`,
    })),
  })
  await put([ids[5]!, ids[1]!, ids[2]!], 'add')
  expect(await related()).toEqual([3, 1, 5, 2])
  expect((await acme.get(`${path}?page=2&page_size=3`)).body).toMatchObject({
    total: 4,
    data: [{ related_article_id: ids[2] }],
  })
  await put([ids[4]!], 'replace')
  expect(await related()).toEqual([4])
  await put([])
  expect(await related()).toEqual([])
})

test('a POST appends an article once, and a DELETE removes it once', async () => {
  const { acme, ids, path, put, related } = await openArticles(4)
  await put([ids[2]!, ids[1]!])
  const added = await acme.post(path, { related_article_id: ids[3] })
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({
    object: 'article_relation',
    related_article_id: ids[3],
    related_title: 'Article 3',
  })
  const again = await acme.post(path, { related_article_id: ids[3] })
  expect(again.body).toMatchObject({ error: 'conflict', details: { field: 'related_article_id', value: ids[3] } })
  expect((await acme.delete(`${path}/${ids[1]}`)).status).toBe(204)
  expect((await acme.delete(`${path}/${ids[1]}`)).status).toBe(404)
  expect(await related()).toEqual([2, 3])
})

test('a relation has one direction, and never targets the article itself or another organisation', async () => {
  const { acme, ids, path, put, related } = await openArticles(3)
  const foreign = (await openArticles(1)).ids[0]!
  const unknown = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'
  for (const id of [ids[0]!, foreign, unknown]) {
    expectUnprocessable(await put([ids[1]!, id]), 'related_article_ids[1]', id)
    expectUnprocessable(await acme.post(path, { related_article_id: id }), 'related_article_id', id)
  }
  expect((await put(Array.from({ length: 101 }, () => ids[1]!))).body.error).toBe('invalid_payload')
  expect(await related()).toEqual([])
  await put([ids[1]!])
  expect((await acme.get(`/v1/articles/${ids[1]}/relations`)).body.data).toEqual([])
})

test('a deleted article disappears from relations', async () => {
  const { acme, ids, put, related } = await openArticles(3)
  await put([ids[1]!, ids[2]!])
  await acme.delete(`/v1/articles/${ids[1]}`)
  expect(await related()).toEqual([2])
})

test('related_title follows the title of the related article', async () => {
  const { acme, ids, path, put } = await openArticles(2)
  await put([ids[1]!])
  await acme.patch(`/v1/articles/${ids[1]}`, { title: 'Renamed', language: 'de' })
  expect((await acme.get(path)).body.data[0].related_title).toBe('Renamed')
})

test('emits article.updated only if the relations differ', async () => {
  const { acme, ids, path, put } = await openArticles(3)
  await put([ids[1]!])
  await put([ids[1]!])
  await acme.post(path, { related_article_id: ids[2] })
  await acme.delete(`${path}/${ids[1]}`)
  const { data } = (await acme.get('/v1/events?type=article.updated')).body
  expect(data.reverse().map((event: any) => event.data.changes.related_article_ids)).toEqual([
    { from: [], to: [ids[1]] },
    { from: [ids[1]], to: [ids[1], ids[2]] },
    { from: [ids[1], ids[2]], to: [ids[2]] },
  ])
})

test('two articles can be related to each other concurrently', async () => {
  const { acme, ids } = await openArticles(2)
  const relate = (from: number, to: number) =>
    acme.put(`/v1/articles/${ids[from]}/relations`, { related_article_ids: [ids[to]] })
  for (let round = 0; round < 20; round++) {
    const replies = await Promise.all([relate(0, 1), relate(1, 0)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
  }
})
