import { afterAll, beforeEach, expect, test } from 'vitest'
import { LoopTurns } from '../../../platform/bounded/index.ts'
import { timestamp } from '../../../platform/clock/index.ts'
import { LlmClient } from '../../../platform/llm/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createMetrics } from '../../../platform/telemetry/metrics.ts'
import { publishArticle } from '../../../testing/data/published-article.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { rememberPassword } from '../../../testing/secrets-guard.ts'
import { API_KEY, TestModelServer } from '../../../testing/world/model-server.ts'
import { startEmbeddings } from './index.ts'

const server = await TestModelServer.start()
afterAll(() => server.close())
rememberPassword(API_KEY)
/** It indexes articles, but computes no vectors: the tests start that worker. */
const harness = useHarness()
const MODEL = 'acme-vectors'

beforeEach(() => {
  server.embed = (text) => [text.length, -1, 0.5]
  server.embedded.length = 0
})

function startWorker(model = MODEL) {
  const { database } = harness.service
  const metrics = createMetrics()
  const lines: string[] = []
  const stop = startEmbeddings({
    database,
    client: new LlmClient({ ...server.settings, embeddingsModel: model }),
    model,
    turns: new LoopTurns(metrics),
    clock: harness.nowMs,
    log: createLogger('info', { write: (line) => void lines.push(line) }),
    metrics,
  })
  return { lines, [Symbol.asyncDispose]: stop }
}

const vectorsOf = ({ orgId }: Tenant) =>
  harness.service.database.read
    .selectFrom('passage_vectors')
    .select(['passage_id', 'content_hash', 'model', 'vector'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()

const progressOf = ({ orgId }: Tenant) =>
  harness.service.database.read.selectFrom('vector_progress').selectAll().where('org_id', '=', orgId).executeTakeFirst()

const isDone = async (tenant: Tenant) => (await progressOf(tenant))?.due_at === null
const passagesOf = async ({ orgId }: Tenant) =>
  (
    await harness.service.database.read
      .selectFrom('article_passages')
      .select('id')
      .where('org_id', '=', orgId)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

/** Sections become passages of their own. */
const sections = (...texts: string[]) => texts.map((text, n) => `## Part ${n}\n\n${text}`).join('\n\n')

test('every passage gets a vector, and an unchanged one keeps it when its article changes', async () => {
  const acme = await harness.createTenant()
  const id = await publishArticle(acme, 'Care', sections('Oil the hinges.', 'Wipe the seat.', 'Wax the legs.'))
  await using _worker = startWorker()
  await eventually(() => isDone(acme))
  const vectors = await vectorsOf(acme)
  expect(vectors.map(({ passage_id }) => passage_id)).toEqual(await passagesOf(acme))
  expect(server.embedded.flat()).toEqual([
    'Care\nPart 0\nOil the hinges.',
    'Care\nPart 1\nWipe the seat.',
    'Care\nPart 2\nWax the legs.',
  ])
  expect([...Buffer.from(vectors[0]?.vector ?? '', 'base64')].map((byte) => (byte << 24) >> 24)).toEqual([127, -5, 2])

  server.embedded.length = 0
  await acme.patch(`/v1/articles/${id}`, { content: sections('Oil the hinges.', 'Wipe it all.', 'Wax the legs.') })
  await eventually(async () => (await isDone(acme)) && server.embedded.length > 0)
  expect(server.embedded).toEqual([['Care\nPart 1\nWipe it all.']])
  const changed = await vectorsOf(acme)
  expect(changed.map(({ passage_id }) => passage_id).sort()).toEqual((await passagesOf(acme)).sort())

  await acme.patch(`/v1/articles/${id}`, { status: 'draft' })
  await eventually(async () => (await isDone(acme)) && (await vectorsOf(acme)).length === 0)
})

test('another model computes all vectors again', async () => {
  const acme = await harness.createTenant()
  await publishArticle(acme, 'Care', sections('Oil the hinges.', 'Wipe the seat.'))
  {
    await using _worker = startWorker()
    await eventually(() => isDone(acme))
  }
  await using _worker = startWorker('acme-vectors-2')
  await eventually(async () => (await progressOf(acme))?.model === 'acme-vectors-2')
  const vectors = await vectorsOf(acme)
  expect(vectors.map(({ model }) => model)).toEqual(['acme-vectors-2', 'acme-vectors-2'])
  expect(vectors.map(({ passage_id }) => passage_id).sort()).toEqual((await passagesOf(acme)).sort())
})

test('an endpoint that fails is tried again later, and the log says so once without the key', async () => {
  const acme = await harness.createTenant()
  await publishArticle(acme, 'Care', 'Oil the hinges.')
  server.embed = 503
  await using worker = startWorker()
  const attempts = async (): Promise<number> => {
    // The worker waits for longer after each failure.
    harness.advance(20_000)
    return (await progressOf(acme))?.attempts ?? 0
  }
  await eventually(async () => (await attempts()) >= 2)
  expect(await vectorsOf(acme)).toEqual([])
  // That there is nothing to compute for an organisation does not show that the endpoint works again.
  const other = await harness.createTenant()
  const draft = await publishArticle(other, 'Care', 'Oil the hinges.')
  await other.patch(`/v1/articles/${draft}`, { status: 'draft' })
  await eventually(async () => (await attempts()) >= 2 && (await isDone(other)))
  const failed = await attempts()
  await eventually(async () => (await attempts()) > failed)
  server.embed = () => [1, 2]
  await eventually(async () => (await attempts()) === 0 && (await isDone(acme)))
  expect(await vectorsOf(acme)).toHaveLength(1)
  expect(worker.lines.filter((line) => line.includes('cannot be computed'))).toHaveLength(1)
  expect(worker.lines.join()).not.toContain(API_KEY)
})

test('a text that the endpoint refuses is left out, and does not hold up the others', async () => {
  const acme = await harness.createTenant()
  await publishArticle(acme, 'Care', sections('Oil the hinges.', 'Bad text.', 'Wax the legs.'))
  server.refuse = (texts) => texts.some((text) => text.includes('Bad'))
  await using _worker = startWorker()
  await eventually(() => isDone(acme))
  server.refuse = () => false
  const [first, , third] = await passagesOf(acme)
  expect((await vectorsOf(acme)).map(({ passage_id }) => passage_id)).toEqual([first, third])
})

test('a lease that ended without a result is taken over, and a late result of it changes nothing', async () => {
  const acme = await harness.createTenant()
  await publishArticle(acme, 'Care', 'Oil the hinges.')
  const { database } = harness.service
  const lease = timestamp(harness.nowMs() + 90_000)
  await database.write((tx) =>
    tx.updateTable('vector_progress').set({ due_at: lease }).where('org_id', '=', acme.orgId).execute(),
  )
  if (harness.engine === 'postgres') {
    await using _worker = startWorker()
    const other = await harness.createTenant()
    await publishArticle(other, 'Care', 'Oil the doors.')
    await eventually(() => isDone(other))
    expect(await vectorsOf(acme)).toEqual([])
    harness.advance(91_000)
    await eventually(() => isDone(acme))
  } else {
    // It is the only process, so any lease at its start belongs to a crashed run.
    await using _worker = startWorker()
    await eventually(() => isDone(acme))
  }
  expect(await vectorsOf(acme)).toHaveLength(1)
})

test('the vectors of one organisation do not wait for many of another', async () => {
  const [large, small] = [await harness.createTenant(), await harness.createTenant()]
  const many = Array.from({ length: 90 }, (_, n) => `Oil number ${n} of the hinges.`)
  await publishArticle(large, 'Care', sections(...many))
  await publishArticle(small, 'Care', 'Wipe the seat.')
  server.slowMs = 30
  await using _worker = startWorker()
  await eventually(() => isDone(small))
  const passages = await passagesOf(large)
  expect((await vectorsOf(large)).length).toBeLessThan(passages.length)
  server.slowMs = 0
  await eventually(() => isDone(large))
  expect(await vectorsOf(large)).toHaveLength(passages.length)
  for (const texts of server.embedded) expect(texts.length).toBeLessThanOrEqual(32)
})
