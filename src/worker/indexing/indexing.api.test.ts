import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createKnowledgeBase } from '../../testing/data/articles.ts'
import { eventually } from '../../testing/eventually.ts'
import { useHarness } from '../../testing/harness.ts'
import { killProcesses, settingsFor, startServiceProcess } from '../../testing/process.ts'

/** No worker runs in this process, so only the processes started below index. */
const harness = useHarness({ role: 'api' })
afterAll(killProcesses)

const ARTICLES = 200

test('indexes every article completely, although workers are killed meanwhile', { timeout: 120_000 }, async () => {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const ids: string[] = []
  for (let n = 0; n < ARTICLES; n++) {
    const content = `Number${n} ${'oil wax brush cloth table chair '.repeat(50)}`
    const { body } = await acme.post('/v1/articles', {
      knowledge_base_id,
      title: `Care ${n}`,
      content,
      status: 'published',
    })
    await acme.post(`/v1/articles/${body.id}/translations`, { language: 'de', title: `Pflege ${n}`, content: 'Öl' })
    ids.push(body.id)
  }

  const database = harness.service.database
  const statuses = async () => {
    const rows = await database.read
      .selectFrom('articles')
      .select(['id', 'indexing_status'])
      .where('org_id', '=', acme.orgId)
      .execute()
    return Map.groupBy(rows, ({ indexing_status }) => indexing_status)
  }
  const indexedOf = async () => (await statuses()).get('indexed')?.map(({ id }) => id) ?? []
  /** An article is either indexed in both languages or not at all. */
  const expectWhole = async () => {
    const { rows } = await sql<{ article_id: string; texts: number }>`
      select article_id, count(*) as texts from article_search_texts where org_id = ${acme.orgId} group by article_id
    `.execute(database.kysely)
    expect(rows.map(({ texts }) => Number(texts))).toEqual(rows.map(() => 2))
    expect(rows.map(({ article_id }) => article_id).sort()).toEqual((await indexedOf()).sort())
  }

  const settings = settingsFor(harness)
  for (const share of [0.1, 0.4, 0.7]) {
    const worker = await startServiceProcess(settings, ['--role', 'worker'])
    await eventually(async () => (await indexedOf()).length > ARTICLES * share)
    worker.send('SIGKILL')
    await worker.ended
    await expectWhole()
    // Expires the lease of the killed worker, which another process on PostgreSQL would have to wait for.
    await database.write((tx) =>
      tx
        .updateTable('articles')
        .set({ indexing_due_at: '2020-01-01T00:00:00.000+00:00' })
        .where('org_id', '=', acme.orgId)
        .where('indexing_status', '=', 'processing')
        .execute(),
    )
  }
  const worker = await startServiceProcess(settings, ['--role', 'worker'])
  await eventually(async () => (await indexedOf()).length === ARTICLES)
  worker.send('SIGTERM')
  await worker.ended
  await expectWhole()
  const { data } = (await acme.get('/v1/events?type=article.indexed&limit=100')).body
  expect(new Set(data.map((event: any) => event.data.id)).size).toBe(data.length)
  const found = (await acme.get('/v1/articles/search?q=number42')).body
  expect(found).toMatchObject({ total: 1, data: [{ article_id: ids[42] }] })
})
