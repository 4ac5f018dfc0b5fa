/** The public chat through HTTP, without a browser and without a model. */
import { beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { ChatPage, createArticles, waitForIndex } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import type { TestCentre } from '../../../testing/data/help-centre.ts'
import { scan } from '../../../testing/data/scans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { rememberPassword, rememberToken } from '../../../testing/secrets-guard.ts'
import { addToken } from '../conversations/tokens.ts'
import { TEXTS } from './texts.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

const QUESTION = 'How often do I oil the oak table?'
const KEY = 'k'.repeat(22)

let acme: Tenant
let centre: TestCentre
beforeAll(async () => {
  acme = await harness.createTenant()
  centre = await createArticles(harness, acme)
})

const conversationsOf = async (bot: { id: string }, tenant = acme) =>
  (await tenant.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data
const messagesOf = async (id: string, tenant = acme) =>
  (await tenant.get(`/v1/conversations/${id}/messages?order=asc`)).body.data
const textsOf = async (id: string) =>
  (await messagesOf(id)).map(
    (message: any) => `${message.role}: ${message.parts[0].text ?? message.parts[0].file_filename}`,
  )

/** A chatbot and a visitor of it. */
async function visit(more: object = {}) {
  const bot = await createBot(acme, more)
  return { bot, page: new ChatPage(harness, bot) }
}

describe('the page', () => {
  test('shows what the chatbot says about itself, and opening it stores nothing', async () => {
    const { bot, page } = await visit({
      name: 'Acme <Help>',
      welcome_message: 'Hello & welcome',
      welcome_subtitle: 'Ask about tables',
      suggestions: ['How do I "oil" it?'],
      primary_color: '#ffd400',
      logo_url: 'https://acme.com/logo.svg',
    })
    const { status, headers, text } = await page.request('GET', page.path)
    expect(status).toBe(200)
    for (const shown of [
      'Acme &lt;Help&gt;',
      'Hello &amp; welcome',
      'Ask about tables',
      'How do I &quot;oil&quot; it?',
    ]) {
      expect(text).toContain(shown)
    }
    expect(text).toContain('--fill:#ffd400;--ink:#000000')
    expect(text).toContain('https://acme.com/logo.svg')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src [^;]+; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.getSetCookie()).toEqual([])
    expect(await conversationsOf(bot)).toEqual([])
  })

  test.each(['draft', 'paused', 'archived'])('of a chatbot that is %s is a 404 page', async (status) => {
    const { page } = await visit({ status })
    const shown = await page.request('GET', page.path)
    expect(shown).toMatchObject({ status: 404 })
    expect(shown.text).toContain('We could not find this chat')
    expect(await page.request('GET', `${page.path}/frame`)).toMatchObject({ status: 404 })
    expect(await page.sendByScript('messages', { text: 'Hi' })).toMatchObject({ status: 404 })
  })

  test('follows the status of the chatbot at once; a deleted one is gone', async () => {
    const { bot, page } = await visit()
    expect(await page.request('GET', page.path)).toMatchObject({ status: 200 })
    await acme.patch(`/v1/chatbots/${bot.id}`, { status: 'paused' })
    expect(await page.request('GET', page.path)).toMatchObject({ status: 404 })
    await acme.patch(`/v1/chatbots/${bot.id}`, { status: 'active' })
    expect(await page.request('GET', page.path)).toMatchObject({ status: 200 })
    await acme.delete(`/v1/chatbots/${bot.id}`)
    const gone = await page.request('GET', page.path)
    expect(gone).toMatchObject({ status: 410 })
    expect(gone.text).toContain('no longer available')
    for (const path of ['/c/000000000000', '/c/x', '/c/..%2f']) {
      expect((await page.request('GET', path)).status, path).toBe(404)
    }
  })

  test.each(LANGUAGES)('is in %s for visitors who read it', async (language) => {
    const { page } = await visit()
    const { text, headers } = await page.request('GET', page.path, undefined, { 'accept-language': language })
    expect(text).toContain(`<html lang="${language}"${language === 'ar' ? ' dir="rtl"' : ''}>`)
    expect(text).toContain(TEXTS[language].welcome.title)
    expect(headers.get('content-language')).toBe(language)
    expect(await page.open(`${page.path}?lang=ja`, { 'accept-language': language })).toContain('<html lang="ja">')
  })
})

describe('without scripts', () => {
  test('a question is answered from an article, with its source', async () => {
    const { bot, page } = await visit()
    await page.open()
    const sent = await page.write(QUESTION)
    expect(sent).toMatchObject({ status: 303 })
    const [cookie = ''] = sent.headers.getSetCookie()
    expect(cookie).toMatch(
      new RegExp(`^wm_chat=[\\w-]{22,43}; Path=${page.path}; Max-Age=2592000; HttpOnly; SameSite=Lax$`),
    )
    expect(page.text).toContain(QUESTION)
    expect(page.text).toContain('twice a year')
    expect(page.text).toContain(`${centre.path}/en/`)
    expect(page.text).toContain('Did this help?')
    const [conversation] = await conversationsOf(bot)
    expect(conversation).toMatchObject({ status: 'bot_active', language: 'en', qr_code_id: null })
    const [, answer] = await messagesOf(conversation.id)
    expect(answer).toMatchObject({ role: 'assistant', metadata: { is_answered: true, model: 'embedded' } })
    expect(answer.metadata.citations[0]).toMatchObject({ title: 'Oiling the oak table' })
  })

  test('links to other articles are shown as texts, because they lead somewhere only in a help centre', async () => {
    const { page } = await visit()
    const { id } = await centre.article({
      title: 'Cleaning the glass lamp',
      content:
        'Clean the glass lamp with [soap](soap.md#brands) from [Acme](https://acme.example/soap). See [above](#top).',
    })
    await waitForIndex(acme, id)
    await page.open()
    await page.write('How do I clean the glass lamp?')
    expect(page.text).toContain('with soap from <a href="https://acme.example/soap"')
    expect(page.text).toContain('See above.')
  })

  test('a German question gets the German translation, also on an English page', async () => {
    const { bot, page } = await visit()
    await page.open()
    await page.write('Wie oft muss ich den Eichentisch ölen?')
    expect(page.text).toContain('zweimal im Jahr')
    const [conversation] = await conversationsOf(bot)
    const [, answer] = await messagesOf(conversation.id)
    expect(answer.metadata).toMatchObject({ language: 'de', is_answered: true })
  })

  test('a question without an answer offers a person, and is listed for the editors', async () => {
    const { bot, page } = await visit()
    await page.open()
    await page.write('Which bank account do refunds of parking tickets go to?')
    expect(page.text).toContain('data-person>')
    expect(page.text).not.toContain('Did this help?')
    const { body } = await acme.get(`/v1/chatbots/${bot.id}/unanswered`)
    expect(body.data[0]).toMatchObject({ count: 1 })
  })

  test('an empty and a long message are refused, and what was typed is shown again', async () => {
    const { bot, page } = await visit()
    await page.open()
    expect(await page.write(' \n ')).toMatchObject({ status: 422 })
    expect(page.text).toContain('Please write a message first.')
    const long = '🏷'.repeat(4001)
    expect(await page.write(long)).toMatchObject({ status: 422 })
    expect(page.text).toContain('at most 4000 characters')
    expect(page.text).toContain(long)
    expect(await page.write('🏷'.repeat(4000))).toMatchObject({ status: 303 })
    expect(await conversationsOf(bot)).toHaveLength(1)
  })

  test('a new conversation can be begun; the old one stays with the organisation', async () => {
    const { bot, page } = await visit()
    await page.open()
    await page.write(QUESTION)
    await page.send('new', {})
    expect(page.text).not.toContain('twice a year')
    await page.write('And again: how often do I oil the oak table?')
    expect(await conversationsOf(bot)).toHaveLength(2)
  })

  test('a vote is stored, and the visitor is thanked', async () => {
    const { bot, page } = await visit()
    await page.open()
    await page.write(QUESTION)
    const [conversation] = await conversationsOf(bot)
    const [, answer] = await messagesOf(conversation.id)
    await page.send('feedback', { message: answer.id, helpful: 'no' })
    expect(page.text).toContain('Thank you for your feedback.')
    const { body } = await acme.get(`/v1/chatbots/${bot.id}/unanswered`)
    expect(body.data[0]).toMatchObject({ question: QUESTION, not_helpful_count: 1 })
    // Another visitor cannot vote about it.
    const other = new ChatPage(harness, bot)
    await other.open()
    await other.write('Hello')
    expect(await other.sendByScript('feedback', { message: answer.id, helpful: 'no' })).toMatchObject({ status: 404 })
  })
})

describe('a message is stored once', () => {
  test('if it is sent again with the same key, also by a browser that got no response', async () => {
    const { bot, page } = await visit()
    const again = new ChatPage(harness, bot)
    for (const one of [page, page, again]) {
      expect(await one.sendByScript('messages', { text: QUESTION, key: KEY })).toMatchObject({ status: 200 })
    }
    expect(again.cookies).toEqual(page.cookies)
    const [conversation, ...others] = await conversationsOf(bot)
    expect(others).toEqual([])
    await eventually(async () => (await textsOf(conversation.id)).length === 2)
  })

  test('if ten copies arrive at the same time', async () => {
    const { bot, page } = await visit()
    const copies = Array.from({ length: 10 }, () => new ChatPage(harness, bot, page.address))
    const sent = await Promise.all(copies.map((copy) => copy.sendByScript('messages', { text: QUESTION, key: KEY })))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(sent.map(({ json }) => json.message.id)).size).toBe(1)
    const [conversation, ...others] = await conversationsOf(bot)
    expect(others).toEqual([])
    await eventually(async () => (await textsOf(conversation.id)).length === 2)
  })

  test('after the conversation ended: a repeated message begins one conversation', async () => {
    const { bot, page } = await visit()
    await page.sendByScript('agent', {})
    const [first] = await conversationsOf(bot)
    await acme.post(`/v1/conversations/${first.id}/messages`, { text: 'Hello' })
    await acme.patch(`/v1/conversations/${first.id}`, { status: 'resolved' })
    await page.open()
    expect(page.text).toContain('This conversation has ended.')
    const before = new Map(page.cookies)
    await page.sendByScript('messages', { text: 'One more thing', key: KEY })
    // The response was lost, so the browser has its old cookie.
    for (const [name, value] of before) page.cookies.set(name, value)
    await page.sendByScript('messages', { text: 'One more thing', key: KEY })
    const all = await conversationsOf(bot)
    expect(all.map(({ status }: any) => status)).toEqual(['bot_active', 'resolved'])
  })
})

describe('limits', () => {
  test('20 messages a minute per visitor; the next one is kept in the form', async () => {
    const { page } = await visit()
    await page.sendByScript('agent', {})
    for (let n = 0; n < 19; n++) {
      expect(await page.sendByScript('messages', { text: `${n}` }), `${n}`).toMatchObject({ status: 200 })
    }
    await page.open()
    const refused = await page.write('too much')
    expect(refused).toMatchObject({ status: 429 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(page.text).toContain('>too much</textarea>')
    harness.advance(61_000)
    expect(await page.write('now it is fine')).toMatchObject({ status: 303 })
  })

  test('somebody who begins one conversation after another is held up, others are not', async () => {
    const { bot, page } = await visit()
    const statuses = new Set<number>()
    for (let n = 0; n < 25; n++) {
      const fresh = new ChatPage(harness, bot, page.address)
      statuses.add((await fresh.sendByScript('messages', { text: 'Hi' })).status)
    }
    expect(statuses).toEqual(new Set([200, 429]))
    expect(await new ChatPage(harness, bot).sendByScript('messages', { text: 'Hi' })).toMatchObject({ status: 200 })
  })
})

describe('a password', () => {
  const PASSWORD = 'lamp river seven'
  rememberPassword(PASSWORD)
  const secret = { password: PASSWORD, welcome_message: 'Secret welcome', suggestions: ['Secret question'] }

  test('is asked for first, and nothing else is shown or possible', async () => {
    const { page } = await visit(secret)
    const text = await page.open()
    expect(text).toContain('This chat is protected')
    expect(text).not.toContain('Secret')
    expect(await page.sendByScript('messages', { text: 'Hi' })).toMatchObject({ status: 401 })
    expect(await page.send('messages', { text: 'Hi' })).toMatchObject({ status: 303 })
    expect((await page.listenRaw()).status).toBe(401)
    expect(await page.send('password', { password: 'wrong' })).toMatchObject({ status: 403 })
    expect(page.text).toContain('This password is not correct.')
    const entered = await page.send('password', { password: PASSWORD })
    expect(entered.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax$/)
    expect(page.text).toContain('Secret welcome')
    expect(await page.write('Hi')).toMatchObject({ status: 303 })
  })

  test('can be guessed a few times a minute', async () => {
    const { page } = await visit(secret)
    await page.open()
    for (let n = 0; n < 5; n++) expect(await page.send('password', { password: `${n}` })).toMatchObject({ status: 403 })
    const refused = await page.send('password', { password: PASSWORD })
    expect(refused).toMatchObject({ status: 429 })
    expect(page.text).toContain('Too many attempts.')
    harness.advance(61_000)
    await page.send('password', { password: PASSWORD })
    expect(page.text).toContain('Secret welcome')
  })

  test('that was changed must be entered again, and one of another chatbot does not help', async () => {
    const { bot, page } = await visit(secret)
    await page.open()
    await page.send('password', { password: PASSWORD })
    const { page: other } = await visit(secret)
    for (const [name, value] of page.cookies) other.cookies.set(name, value)
    expect(await other.open()).toContain('This chat is protected')
    await acme.patch(`/v1/chatbots/${bot.id}`, { password: 'another password' })
    expect(await page.open()).toContain('This chat is protected')
    harness.advance(13 * 60 * 60 * 1000)
    await acme.patch(`/v1/chatbots/${bot.id}`, { password: null })
    expect(await page.open()).toContain('Secret welcome')
  })
})

describe('a link from a mail', () => {
  test('continues the conversation in another browser, once, and only after a click', async () => {
    const { bot, page } = await visit()
    await page.open()
    await page.write(QUESTION)
    const [{ id }] = await conversationsOf(bot)
    const token = 'r'.repeat(43)
    rememberToken(token)
    const now = timestamp(harness.nowMs())
    await harness.service.database.write((tx) => addToken(tx, acme.orgId, id, 'resume', token, now))
    const elsewhere = new ChatPage(harness, bot)
    // A program that checks the links of mails opens it first.
    for (const one of [new ChatPage(harness, bot), elsewhere]) {
      expect(await one.open(`${one.path}?resume=${token}`)).toContain('Continue the conversation')
    }
    await elsewhere.send('resume', { token })
    expect(elsewhere.text).toContain('twice a year')
    const late = new ChatPage(harness, bot)
    expect(await late.send('resume', { token })).toMatchObject({ status: 410 })
    expect(late.text).toContain('This link has expired or was used before.')
    expect(late.text).not.toContain('twice a year')
  })
})

describe('what was scanned', () => {
  const scanOf = async (bot: { id: string }, name: string) => {
    const { body } = await acme.post('/v1/objects', { type: 'chair', name, destination: { chatbot: bot.id } })
    const location = new URL((await scan(harness, `/o/${body.public_slug}`)).headers.get('location') ?? '')
    return { object: body, path: location.pathname + location.search }
  }

  test('is shown, dropped from the address, and known in the conversation', async () => {
    const { bot, page } = await visit()
    const { object, path } = await scanOf(bot, 'Chair 42 <b>')
    const first = await page.request('GET', path)
    expect(first).toMatchObject({ status: 303 })
    expect(first.headers.get('location')).toBe(page.path)
    expect(await page.open()).toContain('You scanned: Chair 42 &lt;b&gt;')
    await page.write(QUESTION)
    const [conversation] = await conversationsOf(bot)
    expect(conversation).toMatchObject({ object_id: object.id, qr_code_id: null, product_id: null })
  })

  test('begins a new conversation if it is another thing, but not while a person takes care', async () => {
    const { bot, page } = await visit()
    const [one, two] = [await scanOf(bot, 'Chair 1'), await scanOf(bot, 'Chair 2')]
    await page.open(one.path)
    await page.write(QUESTION)
    await page.open(two.path)
    expect(page.text).toContain('You scanned: Chair 2')
    expect(page.text).not.toContain('twice a year')
    await page.write(QUESTION)
    expect((await conversationsOf(bot)).map(({ object_id }: any) => object_id)).toEqual([two.object.id, one.object.id])
    await page.send('agent', {})
    await page.open(one.path)
    expect(page.text).toContain('You scanned: Chair 2')
    expect(await conversationsOf(bot)).toHaveLength(2)
  })

  test('cannot be made up, used for another chatbot, or used later', async () => {
    const { bot, page } = await visit()
    const { path } = await scanOf(bot, 'Chair 7')
    const other = await visit()
    const signed = path.split('?')[1]
    const forged = path.replace(/[0-9a-f]{4}\./, 'ffff.')
    harness.advance(1000)
    for (const address of [forged, `${other.page.path}?${signed}`, `${page.path}?s=`, `${page.path}?s=%00`]) {
      const visitor = new ChatPage(harness, bot)
      const text = await visitor.open(address)
      expect(text, address).not.toContain('You scanned')
      expect(visitor.cookies.size, address).toBe(0)
    }
    harness.advance(11 * 60_000)
    expect(await new ChatPage(harness, bot).open(path)).not.toContain('You scanned')
  })
})
