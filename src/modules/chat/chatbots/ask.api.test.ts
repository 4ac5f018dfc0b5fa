import { describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { checkResponse } from '../../../testing/check-response.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { setBalance, setUnlimited } from '../../account/credits/index.ts'
import { Answered } from './contract.ts'

const METERED = { isMetered: true, starting: 1000, low: 100 }
const harness = useHarness({ config: { credits: METERED } })
const QUESTION = { question: 'How do I descale the machine?' }
const INSUFFICIENT = { status: 422, body: { error: 'insufficient_credits' } }

async function createChatbot(tenant: Tenant, body: object = {}): Promise<string> {
  const reply = await tenant.post('/v1/chatbots', { name: 'Support', ...body })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body.id
}

const setCredits = ({ orgId }: Tenant, balance: number) =>
  harness.service.database.write((tx) => setBalance(tx, orgId, balance, timestamp(harness.nowMs())))
const balanceOf = async (tenant: Tenant): Promise<number> => (await tenant.get('/v1/credits')).body.balance
const answersOf = async (tenant: Tenant): Promise<any[]> => {
  const { data } = (await tenant.get('/v1/credits/entries?limit=100')).body
  return data.filter(({ reason }: any) => reason === 'answer')
}

test('an answer costs a credit, is an entry of the ledger, and makes the chatbot active', async () => {
  const acme = await harness.createTenant()
  const id = await createChatbot(acme)
  harness.advance(1000)
  const { status, body } = await acme.post(`/v1/chatbots/${id}/ask`, { ...QUESTION, language: 'de' })
  expect(status).toBe(200)
  checkResponse(Answered, body)
  expect(body).toMatchObject({ object: 'answer', model: 'embedded', credits_used: 1 })
  expect(await balanceOf(acme)).toBe(999)
  expect(await answersOf(acme)).toEqual([
    {
      ...{ object: 'credit_entry', id: expect.any(String), amount: -1, balance: 999, reason: 'answer' },
      ...{ message_id: null, created_at: expect.any(String) },
    },
  ])
  const { last_active_at, updated_at, created_at } = (await acme.get(`/v1/chatbots/${id}`)).body
  expect(last_active_at > created_at).toBe(true)
  expect(updated_at).toBe(created_at)
  await acme.post(`/v1/chatbots/${id}/ask`, QUESTION)
  expect((await acme.get(`/v1/chatbots/${id}`)).body.last_active_at).toBe(last_active_at)
  harness.advance(60_000)
  await acme.post(`/v1/chatbots/${id}/ask`, QUESTION)
  expect((await acme.get(`/v1/chatbots/${id}`)).body.last_active_at > last_active_at).toBe(true)
})

test('an answer cites the articles that the chatbot may use, in the language of the question', async () => {
  const acme = await harness.createTenant()
  const { id: base } = (await acme.post('/v1/knowledge-bases', { name: 'Care', is_published: true })).body
  const publish = async (title: string, content: string) => {
    const article = { knowledge_base_id: base, title, content, status: 'published', visibility: 'public' }
    return (await acme.post('/v1/articles', article)).body.id as string
  }
  const descaling = await publish('Descaling', 'Descale the machine every three months with citric acid.')
  const filter = await publish('Water filter', 'Replace the water filter every two months.')
  const german = { title: 'Entkalken', content: 'Entkalken Sie die Maschine alle drei Monate mit Zitronensäure.' }
  await acme.post(`/v1/articles/${descaling}/translations`, { language: 'de', ...german })
  const [all, limited] = [await createChatbot(acme), await createChatbot(acme, { article_ids: [filter] })]
  const ask = async (id: string, question: string) => (await acme.post(`/v1/chatbots/${id}/ask`, { question })).body
  await eventually(async () => (await ask(all, 'Wie entkalke ich die Maschine?')).citations[0]?.title === 'Entkalken')

  const answer = await ask(all, 'Wie entkalke ich die Maschine?')
  checkResponse(Answered, answer)
  expect(answer.citations[0]).toMatchObject({ article_id: descaling, version_number: 1 })
  expect(answer.citations[0].snippet).toContain('Zitronensäure')
  expect(answer.text).toContain('Zitronensäure')
  const citedBy = async (id: string, question: string) =>
    (await ask(id, question)).citations.map(({ article_id }: any) => article_id)
  expect(await citedBy(limited, 'When do I replace the water filter?')).toEqual([filter])
  expect(await citedBy(limited, 'How do I descale the machine?')).not.toContain(descaling)
})

test('a question that it cannot answer is listed, and counted again when somebody asks the same', async () => {
  const acme = await harness.createTenant()
  const id = await createChatbot(acme)
  const ask = (question: string) => acme.post(`/v1/chatbots/${id}/ask`, { question, language: 'en' })
  await ask('How do I descale the machine?')
  await ask('Please, how can I descale the machine?')
  await ask('Where is the serial number?')
  const { data } = (await acme.get(`/v1/chatbots/${id}/unanswered?sort=count`)).body
  expect(data.map(({ question, count }: any) => [question, count])).toEqual([
    ['How do I descale the machine?', 2],
    ['Where is the serial number?', 1],
  ])
  expect(data[0].examples[0]).toMatchObject({ conversation_id: null, message_id: null })
})

test('where answers cost nothing, none is charged, also without a balance', async () => {
  const acme = await harness.createTenant()
  const id = await createChatbot(acme)
  await setCredits(acme, 0)
  await harness.service.database.write((tx) => setUnlimited(tx, acme.orgId, timestamp(harness.nowMs())))
  const { status, body } = await acme.post(`/v1/chatbots/${id}/ask`, QUESTION)
  expect([status, body.credits_used]).toEqual([200, 0])
  expect((await acme.get('/v1/credits')).body).toMatchObject({ balance: null, unlimited: true })
  expect(await answersOf(acme)).toEqual([])
})

test('a chatbot of any status answers its organisation', async () => {
  const acme = await harness.createTenant()
  for (const status of ['draft', 'active', 'paused', 'archived']) {
    const id = await createChatbot(acme, { status })
    expect(await acme.post(`/v1/chatbots/${id}/ask`, QUESTION)).toMatchObject({ status: 200 })
  }
})

test('questions are refused that are empty, too long or in an unknown language', async () => {
  const acme = await harness.createTenant()
  const id = await createChatbot(acme)
  for (const body of [{}, { question: ' ' }, { question: 'a'.repeat(2001) }, { ...QUESTION, language: 'xx' }]) {
    expect(await acme.post(`/v1/chatbots/${id}/ask`, body)).toMatchObject({ status: 400 })
  }
  expect(await balanceOf(acme)).toBe(1000)
})

describe('without enough credits', () => {
  test('nothing is asked, and nothing changes', async () => {
    const acme = await harness.createTenant()
    const id = await createChatbot(acme)
    await setCredits(acme, 0)
    const before = (await acme.get(`/v1/chatbots/${id}`)).body
    const statements = await harness.statementsOf(async () => {
      expect(await acme.post(`/v1/chatbots/${id}/ask`, QUESTION)).toMatchObject(INSUFFICIENT)
    })
    // The worker looks for articles of all organisations meanwhile.
    const own = statements.filter(({ parameters }) => parameters.includes(acme.orgId))
    expect(own.filter(({ sql }) => /from "?(article|passage)/.test(sql))).toEqual([])
    expect(await balanceOf(acme)).toBe(0)
    expect(await answersOf(acme)).toEqual([])
    expect((await acme.get(`/v1/chatbots/${id}`)).body).toEqual(before)
  })

  test('an organisation whose balance was never set has none', async () => {
    const acme = await harness.createTenant()
    const id = await createChatbot(acme)
    const { kysely } = harness.service.database
    await kysely.deleteFrom('credit_balances').where('org_id', '=', acme.orgId).execute()
    expect(await acme.post(`/v1/chatbots/${id}/ask`, QUESTION)).toMatchObject(INSUFFICIENT)
  })

  test('a chatbot that does not exist is still not found', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    await setCredits(acme, 0)
    const id = await createChatbot(other)
    expect(await acme.post(`/v1/chatbots/${id}/ask`, QUESTION)).toMatchObject({ status: 404 })
  })
})

test('a repeated Idempotency-Key returns the same answer and costs nothing more', async () => {
  const acme = await harness.createTenant()
  const id = await createChatbot(acme)
  const key = { 'idempotency-key': newId() }
  const ask = () => acme.post(`/v1/chatbots/${id}/ask`, QUESTION, key)
  const replies = await Promise.all([ask(), ask(), ask()])
  await setCredits(acme, 0)
  replies.push(await ask())
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  for (const { status } of replies) expect(status).toBe(200)
  expect(await answersOf(acme)).toHaveLength(1)
})

test('of many questions at once, exactly those are answered that the balance pays for', async () => {
  const acme = await harness.createTenant()
  const ids = [await createChatbot(acme), await createChatbot(acme)]
  await setCredits(acme, 10)
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) => acme.post(`/v1/chatbots/${ids[n % 2]}/ask`, QUESTION)),
  )
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  expect({ answered: count(200), refused: count(422) }).toEqual({ answered: 10, refused: 30 })
  expect(await balanceOf(acme)).toBe(0)
  // Newest first: the list shows the balances in the order in which they were reached.
  expect((await answersOf(acme)).map(({ balance }) => balance)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
