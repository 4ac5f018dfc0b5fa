/** Very many questions of strangers: what they cost, and what is left for others. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, timestamp } from '../../../../platform/clock/index.ts'
import { ChatPage, createArticles } from '../../../../testing/chat-page.ts'
import { createBot } from '../../../../testing/data/conversations.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useMailingHarness } from '../../../../testing/harness.ts'
import { solve } from '../../../../testing/page-visitor.ts'
import { SMALL_MODEL, TestModelServer } from '../../../../testing/world/model-server.ts'
import { setBalance } from '../../../account/credits/index.ts'

const QUESTION = 'How often do I oil the oak table?'
const PER_DAY = 50
const PER_ADDRESS = 5
/** More in a minute are unusual. */
const USUAL = 30

const model = await TestModelServer.start()
afterAll(() => model.close())
const { harness, smtp } = await useMailingHarness({
  config: { trustProxy: '127.0.0.1', llm: model.settings, questions: { perDay: PER_DAY, perAddress: PER_ADDRESS } },
})

let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
  await createArticles(harness, acme)
})
beforeEach(() => {
  model.reply = 'Oil it twice a year with linseed oil [1].'
  model.requests.length = 0
})

const botOf = (tenant: Tenant, more: object = {}) => createBot(tenant, { model: SMALL_MODEL, ...more })

/** Somebody with another address asks by script. The last event of the stream is the answer. */
async function ask(bot: { public_slug: string }, { address = addressOf(), proof = '' } = {}): Promise<string> {
  const page = new ChatPage(harness, bot, address)
  const stream = await page.ask({ text: QUESTION, ...(proof !== '' && { _wm_proof: proof }) })
  await stream.ended()
  return stream.texts.at(-1) ?? ''
}

let visitors = 0
const addressOf = () => `10.${1 + (++visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}`
const challengeFor = (bot: { public_slug: string }) =>
  new ChatPage(harness, bot, addressOf()).sendByScript('messages', { text: QUESTION })
const balanceOf = async (tenant: Tenant): Promise<number> => (await tenant.get('/v1/credits')).body.balance
const setCredits = (tenant: Tenant, balance: number) =>
  harness.service.database.write((tx) => setBalance(tx, tenant.orgId, balance, timestamp(harness.nowMs())))

/** The most questions that are usual in one minute. */
async function askUsual(bot: { public_slug: string }, count = USUAL): Promise<string[]> {
  const texts: string[] = []
  for (let n = 0; n < count; n += 10) {
    texts.push(...(await Promise.all(Array.from({ length: Math.min(10, count - n) }, () => ask(bot)))))
  }
  return texts
}

test('unusually many questions need a proof of work, each its own; without scripts the answer costs nothing', async () => {
  const bot = await botOf(acme)
  const isPaid = (text: string) => text.includes('[1]')
  expect((await askUsual(bot)).every(isPaid)).toBe(true)
  const asked = await challengeFor(bot)
  expect(asked).toMatchObject({ status: 428, json: { challenge: expect.any(String), bits: 17 } })
  expect((await acme.get(`/v1/conversations?chatbot_id=${bot.id}&limit=100`)).body.data).toHaveLength(USUAL)
  const proof = await solve(asked.json)
  expect(isPaid(await ask(bot, { proof }))).toBe(true)
  const requests = model.requests.length
  for (const wrong of [proof, 'nonsense']) {
    const text = await ask(bot, { proof: wrong })
    expect(text).toContain('twice a year')
    expect(isPaid(text)).toBe(false)
  }
  const plain = new ChatPage(harness, bot, addressOf())
  await plain.open()
  await plain.write(QUESTION)
  expect(plain.text).toContain('Sources')
  expect(plain.text).toContain('twice a year')
  expect(model.requests).toHaveLength(requests)
  harness.advance(2 * MINUTE_MS)
  expect(isPaid(await ask(bot))).toBe(true)
})

test('beyond the limits of an address and of a day, no model is asked, and every question gets a response', async () => {
  const bot = await botOf(acme)
  const address = addressOf()
  for (let n = 0; n < PER_ADDRESS + 2; n++) expect(await ask(bot, { address })).toContain('twice a year')
  expect(model.requests).toHaveLength(PER_ADDRESS)
  await askUsual(bot, 20)
  harness.advance(2 * MINUTE_MS)
  await askUsual(bot, 27)
  expect(model.requests).toHaveLength(PER_DAY)
  expect(await ask(bot)).toContain('twice a year')
  expect(model.requests).toHaveLength(PER_DAY)
  // Another chatbot has limits of its own.
  await ask(await botOf(acme))
  expect(model.requests).toHaveLength(PER_DAY + 1)
  harness.advance(DAY_MS + 20 * MINUTE_MS)
  await ask(bot, { address })
  expect(model.requests).toHaveLength(PER_DAY + 2)
})

describe('where answers are charged', () => {
  test('visitors leave the reserve, are referred elsewhere then, and people who are signed in are answered', async () => {
    const metered = await harness.createTenant()
    await createArticles(harness, metered)
    await setCredits(metered, 30)
    const bot = await botOf(metered)
    const texts = await askUsual(bot, 24)
    expect(await balanceOf(metered)).toBe(3)
    const referred = texts.filter((text) => text.includes('answer questions right now'))
    expect(referred.length).toBeGreaterThan(0)
    expect(texts.filter((text) => text.includes('twice a year'))).toHaveLength(24 - referred.length)
    expect(await ask(bot)).toContain('answer questions right now')
    const { status, body } = await metered.post(`/v1/chatbots/${bot.id}/ask`, { question: QUESTION })
    expect([status, body.credits_used]).toEqual([200, 2])
    const entries = (await metered.get('/v1/credits/entries?limit=100')).body.data
    for (const { balance } of entries) expect(balance).toBeGreaterThanOrEqual(0)
  })

  test('a model that is too expensive leaves the answer to the embedded answerer', async () => {
    const metered = await harness.createTenant()
    await createArticles(harness, metered)
    await setCredits(metered, 1)
    expect(await ask(await botOf(metered))).toContain('twice a year')
    expect(await balanceOf(metered)).toBe(0)
    expect(model.requests).toEqual([])
  })

  test('beyond the limit of an address nothing is charged', async () => {
    const metered = await harness.createTenant()
    await createArticles(harness, metered)
    await setCredits(metered, 1000)
    const bot = await botOf(metered)
    const address = addressOf()
    for (let n = 0; n < PER_ADDRESS; n++) await ask(bot, { address })
    expect(await ask(bot, { address })).toContain('Oiling the oak table')
    expect(await balanceOf(metered)).toBe(1000 - 2 * PER_ADDRESS)
  })
})

test('owners get one mail a day about unusual load, in their language, and the audit log has it', async () => {
  const flooded = await harness.createTenant()
  await createArticles(harness, flooded)
  const { email } = await harness.createPerson(flooded, 'owner')
  const mails = () => smtp.received.filter(({ to }) => to.includes(email))
  const bot = await botOf(flooded, { name: 'Acme care' })
  await askUsual(bot)
  expect(mails()).toEqual([])
  await Promise.all(Array.from({ length: 5 }, () => challengeFor(bot)))
  await eventually(async () => mails().length === 1)
  expect(mails()[0]?.subject).toBe('Unusually many questions for Acme care')
  expect(mails()[0]?.text).toContain(`at most ${PER_DAY} answers`)
  const actions = () =>
    harness.service.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'actor_kind', 'resource_id'])
      .where('org_id', '=', flooded.orgId)
      .where('action', 'like', 'chatbot.load%')
      .execute()
  // The limit of the day is reached later on the same day.
  harness.advance(2 * MINUTE_MS)
  await askUsual(bot)
  const noted = { action: 'chatbot.load_unusual', actor_kind: 'system', resource_id: bot.id }
  expect(await actions()).toEqual([noted])
  // Another process does not know that it was noticed; the database does.
  await harness.restart()
  await Promise.all(Array.from({ length: 35 }, () => challengeFor(bot)))
  expect(await actions()).toHaveLength(1)
  harness.advance(DAY_MS + 20 * MINUTE_MS)
  await Promise.all(Array.from({ length: 35 }, () => challengeFor(bot)))
  await eventually(async () => mails().length === 2)
  expect(await actions()).toHaveLength(2)
})
