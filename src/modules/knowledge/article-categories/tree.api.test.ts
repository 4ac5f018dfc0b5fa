import { describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { expectUnprocessable } from '../../../testing/check-response.ts'
import { createArticles, createCategory, createKnowledgeBase } from '../../../testing/data/articles.ts'
import { insertTestRows } from '../../../testing/engines/insert-test-rows.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import type { ArticleCategory } from './contract.ts'

const harness = useHarness({ role: 'api' })

/** Several batches, and deeper than SQLite lets expressions nest. */
const LARGE = 2500

const PATH = '/v1/article-categories'

async function createTenant(): Promise<{ acme: Tenant; base: string }> {
  const acme = await harness.createTenant()
  return { acme, base: await createKnowledgeBase(acme) }
}

/** Inserts categories directly and returns their IDs. `parentOf` maps the index of a category to that of its parent. */
async function insertCategories(
  { orgId }: Tenant,
  base: string,
  count: number,
  parentOf: (n: number) => number | undefined,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  const rows = ids.map((id, n) => ({
    id,
    org_id: orgId,
    knowledge_base_id: base,
    parent_id: ids[parentOf(n) ?? -1] ?? null,
    name: 'Care',
    slug: id,
    description: null,
    icon: 'star',
    sort_order: 0,
    translations: {},
    created_at: timestamp(harness.nowMs()),
  }))
  await harness.service.database.write((tx) => insertTestRows(tx, 'article_categories', rows))
  return ids
}

const move = (tenant: Tenant, id: string, parent_id: string | null) => tenant.patch(`${PATH}/${id}`, { parent_id })

/** Returns every category by its ID. Fails on a cycle. */
async function readTree(tenant: Tenant): Promise<Map<string, ArticleCategory>> {
  const { data } = (await tenant.get(`${PATH}?page_size=100`)).body
  const byId = new Map<string, ArticleCategory>(data.map((category: ArticleCategory) => [category.id, category]))
  for (const { id } of byId.values()) {
    const seen = new Set<string>()
    for (let at: string | null = id; at !== null; at = byId.get(at)!.parent_id) {
      expect(seen).not.toContain(at)
      seen.add(at)
    }
  }
  return byId
}

async function countRows(table: 'events' | 'tombstones' | 'article_categories', { orgId }: Tenant): Promise<number> {
  const { count } = await harness.service.database.readLong
    .selectFrom(table as 'events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe('moving', () => {
  test('keeps the descendants in the moved category', async () => {
    const { acme, base } = await createTenant()
    const [a, b] = [await createCategory(acme, base), await createCategory(acme, base)]
    const child = await createCategory(acme, base, { parent_id: a.id })
    expect((await move(acme, a.id, b.id)).body).toEqual({ ...a, parent_id: b.id })
    expect((await acme.get(`${PATH}/${child.id}`)).body).toEqual(child)
    expect((await move(acme, a.id, null)).body).toEqual(a)
  })

  test('into itself or one of its descendants returns 422', async () => {
    const { acme, base } = await createTenant()
    const a = await createCategory(acme, base)
    const b = await createCategory(acme, base, { parent_id: a.id })
    const c = await createCategory(acme, base, { parent_id: b.id })
    for (const { id } of [a, b, c]) expectUnprocessable(await move(acme, a.id, id), 'parent_id', id)
    expect((await acme.get(`${PATH}/${a.id}`)).body).toEqual(a)
    expect((await acme.lastEvent()).data.id).toBe(c.id)
    expect((await move(acme, c.id, a.id)).status).toBe(200)
  })

  test.each([
    ['each other', 0],
    ['a child of the other', 1],
  ])('two categories concurrently, each into %s, succeeds for exactly one', async (_where, depth) => {
    const { acme, base } = await createTenant()
    const [a, b] = [await createCategory(acme, base), await createCategory(acme, base)]
    const intoA = [a, await createCategory(acme, base, { parent_id: a.id })][depth]!
    const intoB = [b, await createCategory(acme, base, { parent_id: b.id })][depth]!
    for (let round = 0; round < 8; round++) {
      const replies = await Promise.all([move(acme, a.id, intoB.id), move(acme, b.id, intoA.id)])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
      await readTree(acme)
      for (const { id } of [a, b]) expect((await move(acme, id, null)).status).toBe(200)
    }
  })

  test('many categories concurrently with creates, deletes and renames never creates a cycle', async () => {
    const { acme, base } = await createTenant()
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.push((await createCategory(acme, base)).id)
    const at = (n: number) => ids[n % ids.length]!
    for (let round = 0; round < 4; round++) {
      const replies = await Promise.all(
        ids.flatMap((id, n) => [
          move(acme, id, at(n + round + 1)),
          acme.patch(`${PATH}/${id}`, { name: `Round ${round}`, sort_order: round }),
          acme.post(PATH, { name: 'Care', slug: `s-${round}-${n}`, knowledge_base_id: base, parent_id: at(n + 3) }),
          ...(n === 0 ? [acme.delete(`${PATH}/${at(round)}?cascade=true`)] : []),
        ]),
      )
      for (const { status } of replies) expect([200, 201, 204, 404, 410, 422]).toContain(status)
      const left = await readTree(acme)
      ids.splice(0, ids.length, ...left.keys())
      while (ids.length < 8) ids.push((await createCategory(acme, base)).id)
      ids.length = 8
    }
  })
})

describe('deleting', () => {
  test('a category that is not empty returns 409 with the number of categories and articles at any depth', async () => {
    const { acme, base } = await createTenant()
    const a = await createCategory(acme, base)
    const b = await createCategory(acme, base, { parent_id: a.id })
    const c = await createCategory(acme, base, { parent_id: b.id })
    await createCategory(acme, base, { parent_id: b.id })
    await createArticles(acme, a, 2)
    await createArticles(acme, c, 3)
    await createArticles(acme, await createCategory(acme, base), 7)
    const refused = async (id: string, query = '') => {
      const { status, body } = await acme.delete(`${PATH}/${id}${query}`)
      expect({ status, error: body.error }).toEqual({ status: 409, error: 'category_not_empty' })
      return body.details
    }
    expect(await refused(a.id)).toEqual({ categories: 3, articles: 5 })
    expect(await refused(b.id, '?cascade=false')).toEqual({ categories: 2, articles: 3 })
    expect(await refused(c.id)).toEqual({ categories: 0, articles: 3 })
    expect((await acme.delete(`${PATH}/${a.id}?cascade=1`)).body.error).toBe('invalid_query')
    expect(await countRows('article_categories', acme)).toBe(5)
    expect(await countRows('tombstones', acme)).toBe(0)
  })

  test('an empty category needs no cascade', async () => {
    const { acme, base } = await createTenant()
    const a = await createCategory(acme, base)
    const b = await createCategory(acme, base, { parent_id: a.id })
    expect((await acme.delete(`${PATH}/${b.id}`)).status).toBe(204)
    expect((await acme.delete(`${PATH}/${a.id}`)).status).toBe(204)
    expect((await acme.get(PATH)).body.total).toBe(0)
  })

  test('with cascade deletes exactly the subtree and emits an event for each category, deepest first', async () => {
    const { acme, base } = await createTenant()
    const top = await createCategory(acme, base)
    const a = await createCategory(acme, base, { parent_id: top.id })
    const b = await createCategory(acme, base, { parent_id: a.id })
    const c = await createCategory(acme, base, { parent_id: b.id })
    const beside = await createCategory(acme, base, { parent_id: top.id })
    expect((await acme.delete(`${PATH}/${a.id}?cascade=true`)).status).toBe(204)
    expect([...(await readTree(acme)).keys()]).toEqual([beside.id, top.id])
    for (const { id } of [a, b, c]) expect((await acme.get(`${PATH}/${id}`)).body.error).toBe('gone')
    const { data } = (await acme.get('/v1/events?limit=3')).body
    expect(data.map((event: any) => [event.type, event.data.id])).toEqual(
      [a, b, c].map(({ id }) => ['article_category.deleted', id]),
    )
  })

  test('with cascade also deletes the articles, with about 500 IDs per statement', async () => {
    const { acme, base } = await createTenant()
    const ids = await insertCategories(acme, base, 1200, (n) => (n === 0 ? undefined : (n - 1) >> 1))
    const inside = await createArticles(acme, { id: ids.at(-1)!, knowledge_base_id: base }, 3)
    inside.push(...(await createArticles(acme, { id: ids[1]!, knowledge_base_id: base }, 2)))
    const beside = await createArticles(acme, await createCategory(acme, base), 1)
    const statements = await harness.statementsOf(async () => {
      expect((await acme.delete(`${PATH}/${ids[0]}?cascade=true`)).status).toBe(204)
    })
    const longest = Math.max(...statements.map(({ parameters }) => parameters.length))
    expect(longest).toBeGreaterThanOrEqual(500)
    expect(longest).toBeLessThan(510)
    const { data } = (await acme.get('/v1/articles')).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual(beside)
    for (const id of inside) expect((await acme.get(`/v1/articles/${id}`)).body.error).toBe('gone')
    const events = (await acme.get('/v1/events?type=article.deleted')).body.data
    expect(events.map((event: any) => event.data.id).sort()).toEqual(inside.sort())
  })

  test('concurrently with creates, moves and renames inside leaves nothing behind', async () => {
    const { acme, base } = await createTenant()
    for (let round = 0; round < 3; round++) {
      const top = await createCategory(acme, base)
      const child = await createCategory(acme, base, { parent_id: top.id })
      const [moving] = await createArticles(acme, top, 1)
      const category = { name: 'Care', knowledge_base_id: base, parent_id: child.id }
      const article = { title: 'Oiling', knowledge_base_id: base, category_id: child.id }
      const [deleted, ...replies] = await Promise.all([
        acme.delete(`${PATH}/${top.id}?cascade=true`),
        acme.patch(`/v1/articles/${moving}`, { category_id: child.id }),
        ...Array.from({ length: 4 }, (_, n) => acme.post(PATH, { ...category, slug: `s-${round}-${n}` })),
        ...Array.from({ length: 4 }, () => acme.post('/v1/articles', article)),
        ...Array.from({ length: 4 }, (_, n) => acme.patch(`${PATH}/${child.id}`, { name: `Care ${n}` })),
      ])
      expect(deleted.status).toBe(204)
      for (const { status } of replies) expect([200, 201, 410, 422]).toContain(status)
      expect((await acme.get(PATH)).body.total).toBe(0)
      expect((await acme.get('/v1/articles')).body.total).toBe(0)
    }
  })
})

test.each<[string, (n: number) => number | undefined]>([
  ['one inside the other', (n) => (n === 0 ? undefined : n - 1)],
  ['all in one parent', (n) => (n === 0 ? undefined : 0)],
])(`${LARGE} categories, %s, can be moved, counted and deleted together`, async (_shape, parentOf) => {
  const { acme, base } = await createTenant()
  const ids = await insertCategories(acme, base, LARGE, parentOf)
  const [top, deepest] = [ids[0]!, ids.at(-1)!]
  expectUnprocessable(await move(acme, top, deepest), 'parent_id', deepest)
  const last = await createCategory(acme, base)
  expect((await move(acme, last.id, deepest)).status).toBe(200)
  expect((await acme.delete(`${PATH}/${top}`)).body.details).toEqual({ categories: LARGE, articles: 0 })
  const eventsBefore = await countRows('events', acme)
  expect((await acme.delete(`${PATH}/${top}?cascade=true`)).status).toBe(204)
  expect(await countRows('article_categories', acme)).toBe(0)
  expect(await countRows('tombstones', acme)).toBe(LARGE + 1)
  expect((await countRows('events', acme)) - eventsBefore).toBe(LARGE + 1)
  expect((await acme.get(PATH)).body.total).toBe(0)
})
