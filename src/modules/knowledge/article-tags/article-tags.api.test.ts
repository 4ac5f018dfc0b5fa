import { expect, test } from 'vitest'
import type { EachOf } from '../../../platform/db/statements/each-of.ts'
import { useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'

const harness = useHarness({ role: 'api' })

test('names are unique ignoring case in every alphabet, and a conflict returns the value as sent', async () => {
  const acme = await harness.createTenant()
  for (const [name, same] of [
    ['Care', 'cARE'],
    ['Größe', 'GRÖSSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['Café', 'CAFÉ'.normalize('NFD')],
  ] as const) {
    expect((await acme.post('/v1/article-tags', { name })).status).toBe(201)
    const refused = await acme.post('/v1/article-tags', { name: same })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ error: 'conflict', details: { field: 'name', value: same } })
  }
})

test('after a delete the name is free again, and the ID returns 410', async () => {
  const acme = await harness.createTenant()
  const { body: first } = await acme.post('/v1/article-tags', { name: 'Recycled' })
  expect((await acme.delete(`/v1/article-tags/${first.id}`)).status).toBe(204)
  const { status, body: second } = await acme.post('/v1/article-tags', { name: 'Recycled' })
  expect(status).toBe(201)
  expect(second.id).not.toBe(first.id)
  expect((await acme.get(`/v1/article-tags/${first.id}`)).status).toBe(410)
})

testOnce('on SQLite, a delete first leaves the articles, with a statement that can be divided', async () => {
  const acme = await harness.createTenant()
  const { body: tag } = await acme.post('/v1/article-tags', { name: 'Care' })
  const { body: base } = await acme.post('/v1/knowledge-bases', { name: 'Help' })
  for (let n = 0; n < 12; n++) {
    const article = { knowledge_base_id: base.id, title: `Oiling ${n}`, content: 'Once a year.' }
    const { body } = await acme.post('/v1/articles', article)
    expect((await acme.put(`/v1/articles/${body.id}/tags`, { tag_ids: [tag.id] })).status).toBe(200)
  }
  const statements = await harness.statementsOf(async () => {
    expect((await acme.delete(`/v1/article-tags/${tag.id}`)).status).toBe(204)
  })
  const deletions = statements.filter(({ sql }) => sql.startsWith('delete from "article_tag'))
  const written = deletions.map(({ sql, parameters }) => ({ table: sql.split('"')[1], each: parameters[0] as EachOf }))
  // Each row is a range of five articles.
  expect(written.map(({ table, each: { rows, options } }) => [table, rows.length, options.rowsMax])).toEqual([
    ['article_tag_assignments', 3, 80],
    ['article_tags', 1, undefined],
  ])
  const { body: articles } = await acme.get('/v1/articles')
  expect(articles.data.map(({ tag_names }: { tag_names: string[] }) => tag_names)).toEqual(Array(12).fill([]))
})

test('two organisations can use the same name', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  expect((await acme.post('/v1/article-tags', { name: 'Shared' })).status).toBe(201)
  expect((await other.post('/v1/article-tags', { name: 'Shared' })).status).toBe(201)
})

test('exactly one of twenty concurrent creates with one name succeeds', async () => {
  const acme = await harness.createTenant()
  const replies = await Promise.all(Array.from({ length: 20 }, () => acme.post('/v1/article-tags', { name: 'Race' })))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  expect((await acme.get('/v1/article-tags')).body.total).toBe(1)
})

test('names are trimmed, and their length is counted in code points', async () => {
  const acme = await harness.createTenant()
  const longest = '🏷'.repeat(100)
  expect((await acme.post('/v1/article-tags', { name: `  ${longest} ` })).body.name).toBe(longest)
  for (const name of [`${longest}x`, '', '   ', 5, null]) {
    const refused = await acme.post('/v1/article-tags', { name })
    expect(refused.body).toMatchObject({
      error: 'invalid_payload',
      details: { fieldErrors: { name: [expect.any(String)] } },
    })
  }
  expect((await acme.get('/v1/article-tags')).body.total).toBe(1)
})

test('search finds parts of names ignoring case, and treats % and _ literally', async () => {
  const acme = await harness.createTenant()
  for (const name of ['Ärmel', '100% cotton', 'a_b', 'aXb', 'شحن', 'back\\slash']) {
    await acme.post('/v1/article-tags', { name })
  }
  const found = async (search: string) => {
    const { body } = await acme.get(`/v1/article-tags?search=${encodeURIComponent(search)}`)
    expect(body.total).toBe(body.data.length)
    return body.data.map(({ name }: { name: string }) => name)
  }
  expect(await found('ärm')).toEqual(['Ärmel'])
  expect(await found('0%')).toEqual(['100% cotton'])
  expect(await found('A_B')).toEqual(['a_b'])
  expect(await found('شح')).toEqual(['شحن'])
  expect(await found('k\\s')).toEqual(['back\\slash'])
  expect(await found('nothing')).toEqual([])
  expect(await found('')).toHaveLength(6)
})
