import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../testing/client.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const PATH = '/v1/articles'

async function openBase() {
  const acme = await harness.createTenant()
  const base = (await acme.post('/v1/knowledge-bases', { name: 'Care', is_published: true })).body.id
  const create = async (body: object = {}) =>
    (await acme.post(PATH, { knowledge_base_id: base, title: 'Oiling', content: 'Once a year', ...body })).body
  return { acme, base, create }
}

const get = async (tenant: Client, id: string) => (await tenant.get(`${PATH}/${id}`)).body

const indexed = (tenant: Client, id: string, status = 'indexed') =>
  eventually(async () => {
    const article = await get(tenant, id)
    return article.indexing_status === status && article
  })

const typesOf = async (tenant: Tenant): Promise<string[]> =>
  (await tenant.get('/v1/events?limit=100')).body.data.map(({ type }: { type: string }) => type).reverse()

const found = async (tenant: Tenant, q: string): Promise<string[]> =>
  (await tenant.get(`${PATH}/search?q=${encodeURIComponent(q)}`)).body.data.map(
    ({ article_id }: { article_id: string }) => article_id,
  )

describe('publishing', () => {
  test('adds the article to the index and emits published and indexed events', async () => {
    const { acme, create } = await openBase()
    const { id } = await create()
    expect(await found(acme, 'oiling')).toEqual([])
    const published = (await acme.patch(`${PATH}/${id}`, { status: 'published' })).body
    expect(published).toMatchObject({ indexing_status: 'pending', indexed_at: null, published_at: expect.any(String) })
    expect(await indexed(acme, id)).toEqual({
      ...published,
      indexing_status: 'indexed',
      indexed_at: expect.any(String),
    })
    expect(await found(acme, 'oiling')).toEqual([id])
    expect(await typesOf(acme)).toEqual(['article.created', 'article.updated', 'article.published', 'article.indexed'])
    const last = await acme.lastEvent()
    expect(last.data).toEqual(await get(acme, id))
  })

  test('is possible on create', async () => {
    const { acme, create } = await openBase()
    const article = await create({ status: 'published' })
    expect(article).toMatchObject({ indexing_status: 'pending', published_at: article.created_at })
    await indexed(acme, article.id)
    expect(await typesOf(acme)).toEqual(['article.created', 'article.published', 'article.indexed'])
  })

  test.each(['draft', 'unpublished', 'archived'])(
    'ends with status %s: search immediately stops finding the article',
    async (status) => {
      const { acme, create } = await openBase()
      const { id, published_at } = await create({ status: 'published' })
      await indexed(acme, id)
      const after = (await acme.patch(`${PATH}/${id}`, { status })).body
      expect(after).toMatchObject({ status, indexing_status: 'not_started', indexed_at: null, published_at })
      expect(await found(acme, 'oiling')).toEqual([])
      expect((await typesOf(acme)).slice(3)).toEqual(['article.updated', 'article.unpublished'])
      harness.advance(5000)
      const again = (await acme.patch(`${PATH}/${id}`, { status: 'published' })).body
      expect(again).toMatchObject({ indexing_status: 'pending', published_at })
      await indexed(acme, id)
      expect(await found(acme, 'oiling')).toEqual([id])
    },
  )

  test('ends with a delete, and search no longer finds the article', async () => {
    const { acme, create } = await openBase()
    const { id } = await create({ status: 'published' })
    await indexed(acme, id)
    await acme.delete(`${PATH}/${id}`)
    expect(await found(acme, 'oiling')).toEqual([])
    expect((await typesOf(acme)).at(-1)).toBe('article.deleted')
  })
})

describe('a published article', () => {
  test('is indexed again only if its text changes', async () => {
    const { acme, create } = await openBase()
    const { id } = await create({ status: 'published' })
    await indexed(acme, id)
    expect((await acme.patch(`${PATH}/${id}`, { slug: 'other' })).body.indexing_status).toBe('indexed')
    const changed = (await acme.patch(`${PATH}/${id}`, { title: 'Waxing' })).body
    expect(changed).toMatchObject({ indexing_status: 'pending', indexed_at: expect.any(String) })
    await indexed(acme, id)
    expect([await found(acme, 'oiling'), await found(acme, 'waxing')]).toEqual([[], [id]])
  })

  test('is found by the text of its translations until they are deleted', async () => {
    const { acme, create } = await openBase()
    const { id } = await create({ status: 'published' })
    await indexed(acme, id)
    const german = { language: 'de', title: 'Ölen', content: 'Einmal jährlich' }
    await acme.post(`${PATH}/${id}/translations`, german)
    await indexed(acme, id)
    expect(await found(acme, 'jährlich')).toEqual([id])
    await acme.delete(`${PATH}/${id}/translations/de`)
    await indexed(acme, id)
    expect(await found(acme, 'jährlich')).toEqual([])
  })

  test('is removed from the index in the transaction that restricts its visibility, then indexed again', async () => {
    const { acme, create } = await openBase()
    const { id } = await create({ status: 'published' })
    await indexed(acme, id)
    const statements = await harness.statementsOf(async () => {
      await acme.patch(`${PATH}/${id}`, { visibility: 'internal' })
    })
    // The worker deletes single texts, by their language.
    expect(
      statements.some(({ sql }) => /delete from "article_search_texts" .* and "article_id" (in|=)/.test(sql)),
    ).toBe(true)
    await indexed(acme, id)
    expect(await found(acme, 'oiling')).toEqual([id])
  })
})

describe('indexing', () => {
  /** Adds a trigger that rejects a text with this word, as a faulty index would. Returns a function that removes it. */
  async function refuse(word: string): Promise<() => Promise<void>> {
    const { kysely, engine } = harness.service.database
    if (engine === 'sqlite') {
      await sql
        .raw(`create trigger refuse before insert on article_search_texts when new.title_words like '%${word}%'
        begin select raise(abort, 'refused'); end`)
        .execute(kysely)
      return async () => void (await sql.raw('drop trigger refuse').execute(kysely))
    }
    await sql
      .raw(`create function refuse() returns trigger language plpgsql as
      $$ begin if new.title_words like '%${word}%' then raise exception 'refused'; end if; return new; end $$`)
      .execute(kysely)
    await sql
      .raw(`create trigger refuse before insert on article_search_texts
      for each row execute function refuse()`)
      .execute(kysely)
    return async () => void (await sql.raw('drop function refuse cascade').execute(kysely))
  }

  test('retries a failing article, then emits article.indexing_failed, and does not delay the others', async () => {
    const accept = await refuse('poison')
    const { acme, create } = await openBase()
    const poison = await create({ title: 'Poison', status: 'published' })
    const others = []
    for (let n = 0; n < 3; n++) others.push(await create({ title: `Good ${n}`, status: 'published' }))
    for (const { id } of others) await indexed(acme, id)
    await eventually(async () => {
      harness.advance(30_000)
      return (await get(acme, poison.id)).indexing_status === 'failed'
    })
    const types = await typesOf(acme)
    expect(types.filter((type) => type === 'article.indexing_failed')).toHaveLength(1)
    expect(types.filter((type) => type === 'article.indexed')).toHaveLength(3)
    await accept()
    await acme.patch(`${PATH}/${poison.id}`, { content: 'Better' })
    await indexed(acme, poison.id)
  })

  test('indexes an article whose worker was killed', async () => {
    const { acme, create } = await openBase()
    const { id } = await create({ status: 'published' })
    await indexed(acme, id)
    const leased = { indexing_status: 'processing' as const, indexing_due_at: '9999-01-01T00:00:00.000+00:00' }
    await harness.service.database.write((tx) =>
      tx.updateTable('articles').set(leased).where('org_id', '=', acme.orgId).where('id', '=', id).execute(),
    )
    if (harness.engine === 'sqlite') await harness.restart()
    else {
      // On PostgreSQL another process may hold the lease, so it has to expire first.
      const expired = { indexing_due_at: '2020-01-01T00:00:00.000+00:00' }
      await harness.service.database.write((tx) =>
        tx.updateTable('articles').set(expired).where('org_id', '=', acme.orgId).where('id', '=', id).execute(),
      )
    }
    await indexed(harness.client(acme.apiKey), id)
  })
})
