import { afterAll, beforeEach, expect, test } from 'vitest'
import { eraseOrganisation } from '../../../../erasure/index.ts'
import { openAssetStore } from '../../../../main/asset-settings.ts'
import { publishArticle } from '../../../../testing/data/published-article.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { rememberPassword } from '../../../../testing/secrets-guard.ts'
import { API_KEY, TestModelServer } from '../../../../testing/world/model-server.ts'

const server = await TestModelServer.start()
afterAll(() => server.close())
rememberPassword(API_KEY)
const harness = useHarness({ config: { llm: { ...server.settings, embeddingsModel: 'acme-vectors' } } })

/** A model that knows that care is about linseed, not about legs. */
const meaningOf = (text: string): number[] => (/linseed|How do I care/i.test(text) ? [1, 0] : [0, 1])
const QUESTION = { question: 'How do I care for the wooden chair?', language: 'en' }

beforeEach(() => {
  server.embed = meaningOf
  server.embedded.length = 0
})

/** By its words, the first article is about the question; by its meaning, the second one is. */
async function publishBoth(tenant: Tenant): Promise<string[]> {
  return [
    await publishArticle(tenant, 'Wooden chair', 'Care of a wooden chair: the wooden chair has legs.'),
    await publishArticle(tenant, 'Linseed', 'Rub linseed into a chair.'),
  ]
}

const hasVectors = async ({ orgId }: Tenant, count: number) => {
  await eventually(async () => {
    const rows = await harness.service.database.read
      .selectFrom('passage_vectors')
      .select('id')
      .where('org_id', '=', orgId)
      .execute()
    return rows.length === count
  })
  // Vectors are read once a minute.
  harness.advance(61_000)
}

async function createBot(tenant: Tenant, more: object = {}): Promise<string> {
  const reply = await tenant.post('/v1/chatbots', { name: 'Support', model: 'embedded', ...more })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body.id
}

const cited = async (tenant: Tenant, bot: string): Promise<string[]> => {
  const { status, body } = await tenant.post(`/v1/chatbots/${bot}/ask`, QUESTION)
  expect(status).toBe(200)
  return body.citations.map(({ article_id }: any) => article_id)
}

test('a passage with the same meaning comes before one with the same words', async () => {
  const acme = await harness.createTenant()
  const [byWords, byMeaning] = await publishBoth(acme)
  await hasVectors(acme, 2)
  const bot = await createBot(acme)
  expect((await cited(acme, bot))[0]).toBe(byMeaning)
  expect(server.embedded).toContainEqual([QUESTION.question])
  server.embed = 500
  expect((await cited(acme, bot))[0], 'by words').toBe(byWords)
})

test('only what the bot may use is found by its meaning', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [byWords = '', byMeaning] = await publishBoth(acme)
  const theirs = await publishBoth(other)
  await hasVectors(acme, 2)
  await hasVectors(other, 2)
  expect(await cited(acme, await createBot(acme, { article_ids: [byWords] }))).toEqual([byWords])
  const all = await cited(acme, await createBot(acme))
  expect(all).toContain(byMeaning)
  expect(all.filter((id) => theirs.includes(id))).toEqual([])
  await acme.patch(`/v1/articles/${byMeaning}`, { visibility: 'internal' })
  expect(await cited(acme, await createBot(acme))).toEqual([byWords])
})

test('an organisation without vectors is answered without a request', async () => {
  const acme = await harness.createTenant()
  server.embed = 503
  const [byWords] = await publishBoth(acme)
  // The worker may have tried.
  const ofQuestions = () => server.embedded.filter(([text]) => text === QUESTION.question)
  expect((await cited(acme, await createBot(acme)))[0]).toBe(byWords)
  expect(ofQuestions()).toEqual([])
})

test('vectors of another length are ignored', async () => {
  const acme = await harness.createTenant()
  const [byWords] = await publishBoth(acme)
  server.embed = meaningOf
  harness.advance(3_600_000)
  await hasVectors(acme, 2)
  const bot = await createBot(acme)
  server.embed = () => [1, 2, 3]
  expect((await cited(acme, bot))[0]).toBe(byWords)
})

test('deleting the organisation deletes its vectors', async () => {
  const acme = await harness.createTenant()
  await publishBoth(acme)
  await hasVectors(acme, 2)
  const store = await openAssetStore({ dataDir: harness.folder, s3: undefined })
  await eraseOrganisation(harness.service.database, acme.orgId, store)
  for (const table of ['passage_vectors', 'vector_progress'] as const) {
    const rows = await harness.service.database.read
      .selectFrom(table)
      .select('org_id')
      .where('org_id', '=', acme.orgId)
      .execute()
    expect(rows).toEqual([])
  }
})
