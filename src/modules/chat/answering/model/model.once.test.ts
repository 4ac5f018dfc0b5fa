import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { publishArticle } from '../../../../testing/data/published-article.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { rememberPassword } from '../../../../testing/secrets-guard.ts'
import {
  API_KEY,
  FINISH,
  MODEL,
  SMALL_MODEL,
  startStream,
  TestModelServer,
  toEvent,
} from '../../../../testing/world/model-server.ts'

const server = await TestModelServer.start()
afterAll(() => server.close())
// The harness looks for it in everything that is stored and logged.
rememberPassword(API_KEY)
const llm = { ...server.settings, answerMsMax: 2000, silenceMsMax: 500 }
const harness = useHarness({ config: { llm, credits: { isMetered: true, starting: 1000, low: 100 } } })

const QUESTION = { question: 'How often do I oil the hinges?', language: 'en' }
const GOOD = 'Oil the hinges once a year [1].'

beforeEach(() => {
  // After failures, the model is left alone for half a minute.
  harness.advance(31_000)
  server.reply = GOOD
  server.requests.length = 0
})

async function createBot(tenant: Tenant, more: object = {}): Promise<string> {
  await publishArticle(tenant, 'Hinges', 'Oil the hinges once a year. Use 5 ml of oil.')
  const reply = await tenant.post('/v1/chatbots', { name: 'Support', ...more })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body.id
}

const ask = (tenant: Tenant, bot: string, question: object = QUESTION) =>
  tenant.post(`/v1/chatbots/${bot}/ask`, question)
const balanceOf = async (tenant: Tenant): Promise<number> => (await tenant.get('/v1/credits')).body.balance

test('an answer of a model is cited and costs what the model costs', async () => {
  const acme = await harness.createTenant()
  const bot = await createBot(acme, { tone: 'formal', system_prompt: 'You work for Acme.' })
  const { status, body } = await ask(acme, bot)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    text: GOOD,
    citations: [{ title: 'Hinges', version_number: 1, snippet: 'Oil the hinges once a year. Use 5 ml of oil.' }],
    model: MODEL,
    credits_used: 7,
  })
  expect(await balanceOf(acme)).toBe(993)
  const { system, user } = server.lastRequest
  expect(system).toContain('You work for Acme.')
  expect(system).toContain('formal')
  expect(user).toContain('How often do I oil the hinges?')
})

test('a bot may name one of the models or the embedded answerer, and no other', async () => {
  const acme = await harness.createTenant()
  const bot = await createBot(acme, { model: SMALL_MODEL })
  expect((await ask(acme, bot)).body).toMatchObject({ model: SMALL_MODEL, credits_used: 2 })
  await acme.patch(`/v1/chatbots/${bot}`, { model: 'embedded' })
  expect((await ask(acme, bot)).body).toMatchObject({ model: 'embedded', credits_used: 1 })
  expect(await acme.patch(`/v1/chatbots/${bot}`, { model: 'gpt-99' })).toMatchObject({ status: 422 })
  expect(await acme.post('/v1/chatbots', { name: 'X', model: 'gpt-99' })).toMatchObject({ status: 422 })
})

test('the model is not asked what no article is about', async () => {
  const acme = await harness.createTenant()
  const bot = await createBot(acme)
  const { body } = await ask(acme, bot, { question: 'Who won the football match in Lisbon?', language: 'en' })
  expect(body).toMatchObject({ model: 'embedded', credits_used: 1, citations: [] })
  expect(server.requests).toEqual([])
})

const stream = (...pieces: (string | Uint8Array)[]) => {
  return (response: ServerResponse) => {
    startStream(response)
    for (const piece of pieces) response.write(piece)
    response.end()
  }
}

test.each<[string, typeof server.reply]>([
  ['sends nothing', () => {}],
  ['stops in the middle', (response) => startStream(response) ?? void response.write(toEvent('Oil the hinges [1]. '))],
  ['sends something malformed', stream(toEvent('Oil the hinges [1].'), 'data: {"choices\n\n')],
  ['sends invalid UTF-8', stream(toEvent('Oil the hinges [1].'), Uint8Array.of(0xc3, 0x28), FINISH)],
  ['writes far too much', stream(...Array(200).fill(toEvent('Oil the hinges once a year [1]. '.repeat(10))), FINISH)],
  ['writes nothing', stream(FINISH)],
  ['closes the connection', (response) => void response.destroy()],
  ['is busy', 429],
  ['fails', 500],
  ['does not know the model', 404],
  ['repeats its instructions', (response, { system }) => stream(toEvent(system), FINISH)(response)],
])('when the model %s, the embedded answerer answers for one credit', async (_name, reply) => {
  const acme = await harness.createTenant()
  const bot = await createBot(acme)
  server.reply = reply
  const { status, body } = await ask(acme, bot)
  expect(status).toBe(200)
  expect(body).toMatchObject({ model: 'embedded', credits_used: 1, citations: [{ title: 'Hinges' }] })
  expect(body.text).toContain('Oil the hinges once a year.')
  expect(server.requests).toHaveLength(1)
  expect(await balanceOf(acme)).toBe(999)
  expect(JSON.stringify(body)).not.toContain(API_KEY)
})

test('when the visitor leaves, the request to the model is cancelled and nothing is charged', async () => {
  const acme = await harness.createTenant()
  const bot = await createBot(acme)
  server.reply = (response) => {
    startStream(response)
    const timer = setInterval(() => response.write(toEvent('Oil ')), 50)
    response.on('close', () => clearInterval(timer))
  }
  const controller = new AbortController()
  const left = fetch(`${harness.baseUrl}/v1/chatbots/${bot}/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(QUESTION),
    signal: controller.signal,
  }).catch(() => 'left')
  await eventually(() => server.requests.length === 1)
  controller.abort()
  expect(await left).toBe('left')
  expect(await server.lastRequest.closed).toBe('aborted')
  expect(await balanceOf(acme)).toBe(1000)
})
