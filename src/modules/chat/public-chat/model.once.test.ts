/** Answers that take long, because a model writes them. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ChatPage, createArticles } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { FINISH, MODEL, startStream, TestModelServer, toEvent } from '../../../testing/world/model-server.ts'

const model = await TestModelServer.start()
const llm = { ...model.settings, answerMsMax: 120_000, silenceMsMax: 60_000 }
const harness = useHarness({ config: { trustProxy: '127.0.0.1', llm } })
afterAll(() => model.close())

const QUESTION = 'How often do I oil the oak table?'
/** A sentence is shown when enough of the next one is known. */
const BEGINNING = 'Oil it twice a year with linseed oil [1]. Then let it dry for the whole night before '
let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
  await createArticles(harness, acme)
})

/** The model writes a beginning, and the rest when the test wants it. */
let writing: ServerResponse[] = []
beforeEach(() => {
  writing = []
  model.reply = (response) => {
    startStream(response)
    response.write(toEvent(BEGINNING))
    writing.push(response)
  }
})
const finish = () => {
  for (const response of writing) response.end(`${toEvent('you use it [1].')}${FINISH}`)
}

async function visit() {
  const bot = await createBot(acme, { model: MODEL })
  return { bot, page: new ChatPage(harness, bot) }
}

const conversationOf = async (bot: { id: string }) =>
  (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data[0]
const rolesOf = async (bot: { id: string }) => {
  const { data } = (await acme.get(`/v1/conversations/${(await conversationOf(bot)).id}/messages?order=asc`)).body
  return data.map(({ role }: any) => role)
}

test('the text arrives as it is written, and a page that is opened meanwhile gets all of it', async () => {
  const { bot, page } = await visit()
  const stream = await page.ask({ text: QUESTION })
  await stream.until((one) =>
    one
      .named('delta')
      .map(({ text }) => text)
      .join('')
      .includes('Oil it'),
  )
  expect(await rolesOf(bot)).toEqual(['user'])
  expect(await page.open()).toContain('The answer is being written…')
  const second = await page.listen()
  await second.until((one) => one.named('delta')[0]?.from === 0)
  expect(second.named('delta')[0].text).toContain('Oil it')
  finish()
  await stream.ended()
  await second.until(({ texts }) => texts.some((text) => text.includes('twice a year')))
  const deltas = stream.named('delta')
  let written = ''
  for (const { from, text } of deltas) written = written.slice(0, from) + text
  expect(written).toContain('Oil it twice a year')
  expect(written).toContain('before you use it')
  expect(await rolesOf(bot)).toEqual(['user', 'assistant'])
  await second.close()
})

test('a visitor who leaves ends the answer, and asks again when they are back', async () => {
  const { bot, page } = await visit()
  const stream = await page.ask({ text: QUESTION })
  await stream.until((one) => one.named('delta').length > 0)
  const { closed } = model.lastRequest
  await stream.close()
  expect(await closed).toBe('aborted')
  expect(await rolesOf(bot)).toEqual(['user'])
  expect(await page.open()).toContain('This question has no answer yet.')
  const [, question = ''] = /name="question" value="([^"]+)"/.exec(page.text) ?? []
  const asked = page.ask({ question })
  await eventually(() => writing.length === 2)
  finish()
  await (await asked).ended()
  expect(await rolesOf(bot)).toEqual(['user', 'assistant'])
})

test('a visitor who reloads the page gets the answer that is being written', async () => {
  const { bot, page } = await visit()
  const stream = await page.ask({ text: QUESTION })
  await stream.until((one) => one.named('delta').length > 0)
  await stream.close()
  const again = await page.listen()
  await again.until((one) => one.named('delta').length > 0)
  finish()
  await again.until(({ texts }) => texts.some((text) => text.includes('twice a year')))
  expect(model.requests.filter(({ user }) => user.includes(QUESTION)).length).toBeGreaterThan(0)
  expect(await rolesOf(bot)).toEqual(['user', 'assistant'])
  await again.close()
})

test('a person who is asked for ends the answer at once', async () => {
  const { bot, page } = await visit()
  const stream = await page.ask({ text: QUESTION })
  await stream.until((one) => one.named('delta').length > 0)
  const { closed } = model.lastRequest
  const { id } = await conversationOf(bot)
  await acme.patch(`/v1/conversations/${id}`, { status: 'agent_requested' })
  expect(await closed).toBe('aborted')
  await stream.ended()
  expect(stream.named('end')).toMatchObject([{ outcome: 'cancelled' }])
  expect(await rolesOf(bot)).toEqual(['user'])
})

test('a second question is answered after the first', async () => {
  const { bot, page } = await visit()
  const first = await page.ask({ text: QUESTION })
  await first.until((one) => one.named('delta').length > 0)
  const second = await page.ask({ text: 'And which oil?' })
  await second.until((one) => one.named('message').length === 2)
  expect(writing).toHaveLength(1)
  finish()
  await first.ended()
  await eventually(() => writing.length === 2)
  finish()
  await second.ended()
  expect(await rolesOf(bot)).toEqual(['user', 'user', 'assistant', 'assistant'])
})

test('a model that fails in the middle is replaced, and what it wrote disappears', async () => {
  const { page } = await visit()
  const stream = await page.ask({ text: QUESTION })
  await stream.until((one) => one.named('delta').length > 0)
  for (const response of writing) response.destroy()
  await stream.ended()
  let written = ''
  for (const { from, text } of stream.named('delta')) written = written.slice(0, from) + text
  expect(written).not.toContain('Then let it dry')
  expect(stream.texts.at(-1)).toContain('twice a year')
  expect(stream.named('end')).toMatchObject([{ outcome: 'stored' }])
})

test('a service that stops does not wait for a model, and the page asks again', async () => {
  const { page } = await visit()
  const stream = await page.ask({ text: QUESTION })
  await stream.until((one) => one.named('delta').length > 0)
  const { closed } = model.lastRequest
  await Promise.all([harness.restart(), stream.ended(), closed])
  expect(await page.open()).toContain('This question has no answer yet.')
})
