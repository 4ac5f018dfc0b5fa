/** What happens while a page is open, with raw clients of its stream. */
import { beforeAll, describe, expect, test } from 'vitest'
import { startService } from '../../../../main/service.ts'
import { timestamp } from '../../../../platform/clock/index.ts'
import { createLogger } from '../../../../platform/telemetry/logging.ts'
import { ChatPage, createArticles, type TestStream } from '../../../../testing/chat-page.ts'
import { conversationsOf, createBot } from '../../../../testing/data/conversations.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, testConfig, useHarness } from '../../../../testing/harness.ts'

const credits = { isMetered: true, starting: 1000, low: 100 }
const harness = useHarness({ config: { trustProxy: '127.0.0.1', credits } })

const QUESTION = 'How often do I oil the oak table?'

let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
  await createArticles(harness, acme)
})

const conversationOf = async (bot: { id: string }) =>
  (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data[0]

async function visit(more: object = {}) {
  const bot = await createBot(acme, more)
  return { bot, page: new ChatPage(harness, bot) }
}

/** A visitor who waits for a person, with an open page. */
async function visitWithPerson() {
  const { bot, page } = await visit()
  await page.sendByScript('agent', { contact_name: 'Kim', contact_email: 'kim@acme.example' })
  const conversation = await conversationOf(bot)
  const stream = await page.listen()
  return { bot, page, conversation, stream }
}

const lastStatus = (stream: TestStream) => stream.named('state').findLast(({ status }) => status)?.status

describe('an answer', () => {
  test('is streamed in the response to the question, and then the stream ends', async () => {
    const { page } = await visit()
    const stream = await page.ask({ text: QUESTION, key: 'a'.repeat(22) })
    await stream.ended()
    const [question, answer] = stream.named('message')
    expect(question).toMatchObject({ role: 'user' })
    expect(answer).toMatchObject({ role: 'assistant' })
    expect(answer.html).toContain('twice a year')
    const deltas = stream.named('delta')
    expect(deltas.map(({ question: of }) => of)).toEqual(deltas.map(() => question.id))
    expect(deltas.map(({ text }) => text).join('')).toContain('twice a year')
    expect(stream.named('end')).toEqual([{ outcome: 'stored', question: question.id }])
    expect(stream.events.filter(({ event }) => event === 'message').map(({ id }) => id)).toEqual([
      question.id,
      answer.id,
    ])
  })

  test('appears on all open pages of the visitor, and on no others', async () => {
    const { bot, page } = await visit()
    await (await page.ask({ text: 'Hello there' })).ended()
    const other = new ChatPage(harness, bot)
    await (await other.ask({ text: 'I am somebody else' })).ended()
    const streams = [await page.listen(), await page.listen(), await other.listen()] as const
    await page.sendByScript('messages', { text: QUESTION })
    for (const stream of streams.slice(0, 2))
      await stream.until(({ texts }) => texts.some((text) => text.includes('twice a year')))
    expect(streams[2].texts.join()).not.toContain('oak table')
    for (const stream of streams) await stream.close()
  })

  test('is continued after a lost connection: nothing is missing, and nothing comes twice', async () => {
    const { page } = await visit()
    const first = await page.ask({ text: QUESTION })
    await first.ended()
    const ids = first.events.flatMap(({ event, id }) => (event === 'message' ? [id as string] : []))
    const resumed = await page.listen({ 'last-event-id': ids[0] as string })
    await resumed.until((stream) => lastStatus(stream))
    expect(resumed.named('message').map(({ id }) => id)).toEqual(ids.slice(1))
    const all = await page.listen({ 'last-event-id': 'nonsense' })
    await all.until((stream) => lastStatus(stream))
    expect(all.named('message').map(({ id }) => id)).toEqual(ids)
    await page.sendByScript('messages', { text: 'Thank you' })
    await resumed.until(({ texts }) => texts.length >= 3)
    expect(new Set(resumed.named('message').map(({ id }) => id)).size).toBe(resumed.named('message').length)
    await Promise.all([resumed.close(), all.close()])
  })

  test('that was interrupted is written when the page asks again, once', async () => {
    const { bot, page } = await visit()
    await (await page.ask({ text: 'Hello there' })).ended()
    const question = await storeUnanswered(bot, page)
    expect(await page.open()).toContain('This question has no answer yet.')
    const streams = await Promise.all([page.ask({ question }), page.ask({ question })])
    for (const stream of streams) {
      await stream.ended()
      expect(stream.texts.at(-1)).toContain('twice a year')
    }
    await (await page.ask({ question })).ended()
    expect(await page.open()).not.toContain('This question has no answer yet.')
    const { data } = (await acme.get(`/v1/conversations/${(await conversationOf(bot)).id}/messages`)).body
    expect(data.map(({ role }: any) => role)).toEqual(['assistant', 'user', 'assistant', 'user'])
    const entries = (await acme.get('/v1/credits/entries')).body.data
    expect(entries.filter(({ message_id }: any) => message_id === data[0].id)).toHaveLength(1)
  })

  /** Leaves the state after a crash: the question is stored, and nobody answers it. Returns its id. */
  async function storeUnanswered(bot: { id: string }, page: ChatPage): Promise<string> {
    const conversations = conversationsOf(harness)
    const { database } = harness.service
    const now = timestamp(harness.nowMs())
    const token = page.cookies.get('wm_chat') ?? ''
    const found = await conversations.findByToken(database.read, { id: bot.id, orgId: acme.orgId }, token, now)
    const message = { text: QUESTION, files: [], messageKey: null }
    return (await database.write((tx) => conversations.addVisitorMessage(tx, found!, message, now))).id
  }

  test('without credits, refers to the articles and to a person, and nothing is spent', async () => {
    const poor = await harness.createTenant()
    await createArticles(harness, poor)
    const { database } = harness.service
    await database.kysely.updateTable('credit_balances').set({ balance: 0 }).where('org_id', '=', poor.orgId).execute()
    const bot = await createBot(poor)
    const page = new ChatPage(harness, bot)
    const stream = await page.ask({ text: QUESTION })
    await stream.ended()
    expect(stream.named('end')).toMatchObject([{ outcome: 'stored' }])
    expect((await poor.get('/v1/credits')).body.balance).toBe(0)
    const text = await page.open()
    for (const shown of ['answer questions right now', 'Oiling the oak table', 'You can also talk to a person'])
      expect(text).toContain(shown)
    expect(text).not.toContain('twice a year')
    const conversations = (await poor.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data
    const [answer] = (await poor.get(`/v1/conversations/${conversations[0].id}/messages`)).body.data
    expect(answer.metadata).toMatchObject({ credits_used: 0, is_answered: false, is_limited: true })
    // The articles are not the reason, so this is no gap in them.
    expect((await poor.get(`/v1/chatbots/${bot.id}/unanswered`)).body.data).toEqual([])
  })
})

describe('a person', () => {
  test('is asked for, replies on the open page, and the chatbot is silent meanwhile', async () => {
    const { page, conversation, stream } = await visitWithPerson()
    expect(conversation).toMatchObject({
      status: 'agent_requested',
      contact_name: 'Kim',
      contact_email: 'kim@acme.example',
    })
    await page.sendByScript('messages', { text: QUESTION })
    const reply = { text: 'Hello, I am Lee. See https://acme.example/oil <b>' }
    await acme.post(`/v1/conversations/${conversation.id}/messages`, reply)
    await stream.until(({ texts }) => texts.some((text) => text.includes('I am Lee')))
    const html = stream.named('message').at(-1).html
    expect(html).toContain('<a href="https://acme.example/oil" target="_blank" rel="noopener noreferrer nofollow">')
    expect(html).toContain('&lt;b&gt;')
    expect(stream.texts.join()).not.toContain('twice a year')
    await stream.until((one) => lastStatus(one) === 'open')
    await acme.post(`/v1/conversations/${conversation.id}/typing`)
    await stream.until((one) => one.named('state').some(({ typing }) => typing))
    await acme.post(`/v1/conversations/${conversation.id}/read`)
    await stream.until((one) => one.named('state').some(({ read_at }) => read_at))
    await acme.patch(`/v1/conversations/${conversation.id}`, { status: 'resolved' })
    await stream.until((one) => lastStatus(one) === 'resolved')
    // Back to the chatbot.
    const next = await page.ask({ text: QUESTION })
    await next.ended()
    expect(next.texts.at(-1)).toContain('twice a year')
    await stream.close()
  })

  test('outside the office hours, the visitor reads the away message', async () => {
    const office_hours = { time_zone: 'Europe/Berlin', days: {} }
    const { page } = await visit({ office_hours, away_message: 'Back on Monday' })
    expect(await page.open()).toContain('Back on Monday')
    await page.send('agent', {})
    expect(page.text).toMatch(/class="message notice"[\s\S]+Back on Monday/)
    const { page: other } = await visit({ office_hours })
    expect(await other.open()).toContain('Our team is not available right now.')
  })

  test('cannot be asked for if the chatbot has no people, or with a malformed address', async () => {
    const { page } = await visit({ human_support_enabled: false })
    expect(await page.open()).not.toContain('Talk to a person')
    expect(await page.sendByScript('agent', {})).toMatchObject({ status: 404 })
    const { bot, page: other } = await visit()
    await other.open()
    for (const contact_email of ['kim', 'kim@acme', 'a b@acme.com', '<b>@acme.com', `${'a'.repeat(300)}@acme.com`]) {
      expect(await other.send('agent', { contact_email }), contact_email).toMatchObject({ status: 422 })
    }
    expect(other.text).toContain('Please enter an email address')
    expect(await conversationOf(bot)).toBeUndefined()
  })

  test("sees what the visitor does: typing is announced, and read marks are the visitor's", async () => {
    const { page, conversation, stream } = await visitWithPerson()
    const heard: string[] = []
    const stop = harness.service.database.listen({
      changed: (topic, key) => void heard.push(`${topic} ${key}`),
      interrupted: () => {},
      resumed: () => {},
    })
    expect(await page.sendByScript('signals', { signal: 'typing' })).toMatchObject({ status: 200 })
    await eventually(() => heard.includes(`conversation-signals ${conversation.id} visitor_typing`))
    await page.sendByScript('signals', { signal: 'read' })
    await eventually(async () => (await acme.get(`/v1/conversations/${conversation.id}`)).body.visitor_read_at !== null)
    stop()
    await stream.close()
  })
})

describe('streams', () => {
  test('of one visitor are limited to five, and one that is closed makes room', async () => {
    const { page, stream } = await visitWithPerson()
    const more = await Promise.all([1, 2, 3, 4].map(() => page.listen()))
    const refused = await page.listenRaw()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    await more[0]?.close()
    await eventually(async () => {
      const response = await page.listenRaw()
      await response.body?.cancel()
      return response.status === 200
    })
    for (const one of [stream, ...more]) await one.close()
  })

  test('need the token of the conversation, of the same chatbot and organisation', async () => {
    const { bot, page, stream } = await visitWithPerson()
    const strangers = [
      new ChatPage(harness, bot),
      new ChatPage(harness, await createBot(acme)),
      new ChatPage(harness, await createBot(await harness.createTenant())),
    ]
    for (const [n, stranger] of strangers.entries()) {
      if (n > 0) for (const [name, value] of page.cookies) stranger.cookies.set(name, value)
      expect((await stranger.listenRaw()).status, `${n}`).toBe(404)
      expect(await stranger.open()).not.toContain('data-message=')
    }
    expect((await page.listenRaw({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    await stream.close()
  })

  test('end when the chatbot changes, so that a new password and a pause apply at once', async () => {
    const { bot, page, stream } = await visitWithPerson()
    await acme.patch(`/v1/chatbots/${bot.id}`, { password: 'lamp river seven' })
    await stream.ended()
    expect((await page.listenRaw()).status).toBe(401)
    await acme.patch(`/v1/chatbots/${bot.id}`, { password: null, status: 'paused' })
    expect((await page.listenRaw()).status).toBe(404)
  })

  test('on another instance get the reply of an agent, and end when it stops', async (context) => {
    // On SQLite, one process has the database.
    if (harness.engine === 'sqlite') return context.skip()
    const config = { ...testConfig({ location: harness.location, folder: harness.folder }), trustProxy: '127.0.0.1' }
    const second = await startService(config, 'scan', createLogger('silent'))
    const { bot, page, conversation, stream } = await visitWithPerson()
    const elsewhere = new ChatPage({ baseUrl: `http://127.0.0.1:${second.port}` }, bot)
    for (const [name, value] of page.cookies) elsewhere.cookies.set(name, value)
    const there = await elsewhere.listen()
    await acme.post(`/v1/conversations/${conversation.id}/messages`, { text: 'Over here' })
    for (const one of [stream, there]) await one.until(({ texts }) => texts.some((text) => text.includes('Over here')))
    await Promise.all([second.close(), there.ended()])
    await stream.close()
  })
})

test('a stopping service ends its streams at once', async () => {
  const { page } = await visitWithPerson()
  const stream = await page.listen()
  const restarted = harness.restart()
  await stream.ended()
  await restarted
  expect((await page.listenRaw()).status).toBe(200)
})
