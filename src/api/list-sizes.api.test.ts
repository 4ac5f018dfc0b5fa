/** Tests that long texts never make a page of a list larger than a few megabytes. */
import { expect, test } from 'vitest'
import { timestamp } from '../platform/clock/index.ts'
import { newId, randomBase62 } from '../platform/ids/index.ts'
import { createKnowledgeBase } from '../testing/data/articles.ts'
import { insertTestRows } from '../testing/engines/insert-test-rows.ts'
import { useHarness } from '../testing/harness.ts'

const harness = useHarness({ role: 'api' })

const MIB = 1024 * 1024
const LONGEST = 'x'.repeat(500 * 1024)
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl']
const TOO_LARGE = {
  status: 400,
  body: { error: 'invalid_query', details: { fieldErrors: { page_size: [expect.stringContaining('4 MiB')] } } },
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

async function openBase() {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const create = async (content: string) => {
    const reply = await acme.post('/v1/articles', { knowledge_base_id, title: 'Oiling', content })
    expect(reply.status).toBe(201)
    return reply.body.id
  }
  return { acme, create }
}

test('a page of articles has none of their text', async () => {
  const { acme, create } = await openBase()
  for (let n = 0; n < 3; n++) await create(LONGEST)
  for (const query of ['page_size=100', 'limit=100']) {
    const { body } = await acme.get(`/v1/articles?${query}`)
    expect(body.data).toHaveLength(3)
    expect(bytesOf(body)).toBeLessThan(3000)
  }
})

test('a page of large events ends early, and cursors still return every event once', async () => {
  const { acme, create } = await openBase()
  const created: string[] = []
  for (let n = 0; n < 8; n++) created.unshift(await create('x'.repeat(100 * 1024)))
  const seen: string[] = []
  const pages: number[] = []
  for (let cursor = ''; ; ) {
    const { body } = await acme.get(`/v1/events?type=article.created&limit=100${cursor}`)
    expect(bytesOf(body)).toBeLessThan(1.1 * MIB)
    expect(body.has_more).toBe(body.next_cursor !== null)
    seen.push(...body.data.map(({ data }: any) => data.id))
    pages.push(body.data.length)
    if (!body.has_more) break
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  expect(seen).toEqual(created)
  expect(pages).toEqual([5, 3])
})

test('a page of versions with more than 4 MiB of text is refused, a smaller one is not', async () => {
  const { acme, create } = await openBase()
  const path = `/v1/articles/${await create(LONGEST)}/versions`
  for (let n = 0; n < 9; n++) expect((await acme.post(path, {})).status).toBe(201)
  expect(await acme.get(path)).toMatchObject(TOO_LARGE)
  const { body } = await acme.get(`${path}?page_size=8`)
  expect(body).toMatchObject({ total: 9, data: { length: 8 } })
  expect(bytesOf(body)).toBeLessThan(4.1 * MIB)
  expect((await acme.get(`${path}?page_size=8&page=2`)).body.data).toMatchObject([{ version_number: 1 }])
})

test('a page of translations with more than 4 MiB of text is refused, a smaller one is not', async () => {
  const { acme, create } = await openBase()
  const path = `/v1/articles/${await create('Short')}/translations`
  for (const language of LANGUAGES) {
    expect((await acme.post(path, { language, title: 'Oiling', content: LONGEST })).status).toBe(201)
  }
  expect(await acme.get(path)).toMatchObject(TOO_LARGE)
  const { body } = await acme.get(`${path}?page_size=4`)
  expect(body).toMatchObject({ total: 5, page: 1, page_size: 4, data: { length: 4 } })
  expect(bytesOf(body)).toBeLessThan(4.1 * MIB)
  expect((await acme.get(`${path}?page_size=4&page=2`)).body.data).toMatchObject([{ language: LANGUAGES[0] }])
})

test('a page of chatbots with more than 4 MiB of text is refused, a smaller one is not', async () => {
  const acme = await harness.createTenant()
  const longest = {
    description: '長'.repeat(2000),
    system_prompt: '長'.repeat(10_000),
    away_message: '長'.repeat(1000),
  }
  const { id } = (await acme.post('/v1/chatbots', { name: 'Support', ...longest })).body
  await harness.service.database.write(async (tx) => {
    const row = await tx
      .selectFrom('chatbots')
      .selectAll()
      .where('org_id', '=', acme.orgId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    for (let n = 0; n < 110; n++) {
      const copy = { ...row, id: newId(), slug: newId(), public_slug: randomBase62(12) }
      await insertTestRows(tx, 'chatbots', [copy])
      const counters = { conversation_count: 0, last_active_at: null, load_noticed_at: null }
      await insertTestRows(tx, 'chatbot_counters', [{ ...counters, chatbot_id: copy.id, org_id: acme.orgId }])
    }
  })
  expect((await acme.get('/v1/chatbots?page_size=100')).body.data).toHaveLength(100)
  const ids = Array.from({ length: 200 }, () => newId())
  await harness.service.database.kysely
    .updateTable('chatbots')
    .set({ page_ids: ids, article_ids: ids })
    .where('org_id', '=', acme.orgId)
    .execute()
  for (const query of ['', '&sort=name', '&status=draft', '&search=support']) {
    expect(await acme.get(`/v1/chatbots?page_size=100${query}`)).toMatchObject(TOO_LARGE)
    const { body } = await acme.get(`/v1/chatbots?page_size=50${query}`)
    expect(body).toMatchObject({ total: 111, data: { length: 50 } })
    expect(bytesOf(body)).toBeLessThan(4.1 * MIB)
  }
})

test('a delivery that was replayed many times has its last 100 attempts', async () => {
  const acme = await harness.createTenant()
  const { id } = await harness.subscribe(acme, ['qr_code.created'])
  const delivery = (await acme.post(`/v1/webhooks/${id}/test`, {})).body
  const attempt = {
    ...{ org_id: acme.orgId, endpoint_id: id, delivery_id: delivery.id, started_at: timestamp(harness.nowMs()) },
    ...{ duration_ms: 1, response_status: 500, error: null, response_body: 'x'.repeat(2048) },
    ...{ status_after: 'failed' as const, next_attempt_at: null },
  }
  const attempts = Array.from({ length: 120 }, (_, n) => ({ ...attempt, number: n + 1 }))
  await harness.service.database.write((tx) => tx.insertInto('webhook_attempts').values(attempts).execute())
  const { body } = await acme.get(`/v1/webhooks/${id}/deliveries/${delivery.id}`)
  expect(body.attempts.map(({ number }: { number: number }) => number)).toEqual(
    attempts.slice(20).map(({ number }) => number),
  )
})
