import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { OrgId } from '../../../platform/ids/index.ts'
import { createKnowledgeBase } from '../../../testing/data/articles.ts'
import { distinctWords } from '../../../testing/data/distinct-words.ts'
import { expectExactVocabulary, isVocabularySettled } from '../../../testing/data/vocabulary.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { killProcesses, settingsFor, startServiceProcess } from '../../../testing/process.ts'

/** No worker runs in this process, so only the processes started below index. */
const harness = useHarness({ role: 'api' })
afterAll(killProcesses)

/** Enough that the worker is killed in the middle of its work. */
const ARTICLES = 40

/** Expires the lease of a killed worker, which another process on PostgreSQL would have to wait for. */
const expireLeases = (orgId: OrgId) =>
  harness.service.database.write((tx) =>
    tx
      .updateTable('articles')
      .set({ indexing_due_at: '2020-01-01T00:00:00.000+00:00' })
      .where('org_id', '=', orgId)
      .where('indexing_status', '=', 'processing')
      .execute(),
  )

test('indexes every article completely, although a worker is killed meanwhile', async () => {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const ids: string[] = []
  for (let n = 0; n < ARTICLES; n++) {
    const content = `Number${n} ${'oil wax brush cloth table chair '.repeat(50)}`
    const article = { knowledge_base_id, title: `Care ${n}`, content, status: 'published' }
    const { status, body } = await acme.post('/v1/articles', article)
    expect(status).toBe(201)
    const german = { language: 'de', title: `Pflege ${n}`, content: 'Öl' }
    expect((await acme.post(`/v1/articles/${body.id}/translations`, german)).status).toBe(201)
    ids.push(body.id)
  }

  const database = harness.service.database
  const indexedOf = async () => {
    const rows = await database.read
      .selectFrom('articles')
      .select('id')
      .where('org_id', '=', acme.orgId)
      .where('indexing_status', '=', 'indexed')
      .execute()
    return rows.map(({ id }) => id)
  }
  /** An article that is called indexed is in the index in both languages. */
  const expectWhole = async () => {
    const indexed = await indexedOf()
    const { rows } = await sql<{ article_id: string; texts: number }>`
      select article_id, count(*) as texts from article_search_texts where org_id = ${acme.orgId} group by article_id
    `.execute(database.kysely)
    const whole = new Set(rows.filter(({ texts }) => Number(texts) === 2).map(({ article_id }) => article_id))
    expect(indexed.filter((id) => !whole.has(id))).toEqual([])
  }

  const settings = settingsFor(harness)
  const killed = await startServiceProcess(settings, ['--role', 'worker'])
  await eventually(async () => (await indexedOf()).length > 0)
  killed.send('SIGKILL')
  await killed.ended
  await expectWhole()
  await expireLeases(acme.orgId)
  const worker = await startServiceProcess(settings, ['--role', 'worker'])
  await eventually(async () => (await indexedOf()).length === ARTICLES)
  await eventually(() => isVocabularySettled(database, acme.orgId))
  worker.send('SIGTERM')
  await worker.ended
  await expectWhole()
  const counts = await expectExactVocabulary(database, acme.orgId)
  expect([counts.get('en brush'), counts.get('de pflege'), counts.get('en number21')]).toEqual([ARTICLES, ARTICLES, 1])
  const { data } = (await acme.get('/v1/events?type=article.indexed&limit=100')).body
  expect(new Set(data.map((event: any) => event.data.id)).size).toBe(data.length)
  const found = (await acme.get('/v1/articles/search?q=number21')).body
  expect(found).toMatchObject({ total: 1, data: [{ article_id: ids[21] }] })
})

test('continues an article after a kill, without indexing its finished texts again', async () => {
  const acme = await harness.createTenant()
  const { database } = harness.service
  const knowledge_base_id = await createKnowledgeBase(acme)
  const languages = ['en', 'de', 'fr', 'nl']
  // Large enough that each text is a piece of its own.
  const content = (n: number) => distinctWords(10_000, n)
  const { body: article } = await acme.post('/v1/articles', { knowledge_base_id, title: 'Care', content: content(0) })
  for (const [n, language] of languages.entries()) {
    if (n > 0) await acme.post(`/v1/articles/${article.id}/translations`, { language, title: 'X', content: content(n) })
  }
  await acme.patch(`/v1/articles/${article.id}`, { status: 'published' })

  const rowIds = async () => {
    const texts = await database.kysely
      .selectFrom('article_search_texts')
      .select('id')
      .where('org_id', '=', acme.orgId)
      .execute()
    return texts.map(({ id }) => id)
  }
  const status = async () => {
    const row = await database.read
      .selectFrom('articles')
      .select('indexing_status')
      .where('org_id', '=', acme.orgId)
      .where('id', '=', article.id)
      .executeTakeFirst()
    return row?.indexing_status
  }
  const killed = await startServiceProcess(settingsFor(harness), ['--role', 'worker'])
  await eventually(async () => (await rowIds()).length > 0)
  killed.send('SIGKILL')
  await killed.ended
  expect(await status()).not.toBe('indexed')
  const finished = await rowIds()
  expect(finished.length).toBeLessThan(languages.length)
  await expireLeases(acme.orgId)
  const worker = await startServiceProcess(settingsFor(harness), ['--role', 'worker'])
  await eventually(async () => (await status()) === 'indexed')
  await eventually(() => isVocabularySettled(database, acme.orgId))
  worker.send('SIGTERM')
  await worker.ended
  const all = await rowIds()
  expect(all).toHaveLength(languages.length)
  expect(finished.filter((id) => !all.includes(id))).toEqual([])
  await expectExactVocabulary(database, acme.orgId)
  expect((await acme.get('/v1/events?type=article.indexed')).body.data).toHaveLength(1)
})
