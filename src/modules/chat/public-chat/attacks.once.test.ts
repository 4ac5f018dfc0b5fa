/** What visitors, agents and articles write never becomes markup, and other sites cannot write for a visitor. */
import { beforeAll, expect, test } from 'vitest'
import { ChatPage, waitForIndex } from '../../../testing/chat-page.ts'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })
const MARK = '"><img src=x onerror=alert(1)>\'--></script><script>alert(2)</script>{{7*7}}'

let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
})

const actions = ['messages', 'agent', 'feedback', 'files', 'signals', 'new', 'password', 'resume']

test.each(actions)('a form of another site cannot be sent to %s', async (action) => {
  const bot = await createBot(acme)
  const page = new ChatPage(harness, bot)
  const fields = { text: 'Hi', password: 'x', token: 'x' }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
    { 'sec-fetch-site': '' },
  ]) {
    expect(await page.send(action, fields, headers), JSON.stringify(headers)).toMatchObject({ status: 403 })
    expect(await page.sendByScript(action, fields, headers)).toMatchObject({ status: 403 })
  }
  expect((await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data).toEqual([])
})

test('names, welcome texts, suggestions, questions, replies and file names are shown as they are', async () => {
  const bot = await createBot(acme, {
    name: MARK,
    welcome_message: MARK,
    welcome_subtitle: MARK,
    suggestions: [MARK],
    away_message: MARK,
    office_hours: { time_zone: 'UTC', days: {} },
  })
  const page = new ChatPage(harness, bot)
  const check = (text: string) => {
    const own = text.replaceAll(/<script src="\/c\/chat\.js\?v=[\w-]+" defer><\/script>/g, '')
    expect(own.replaceAll(/&lt;|&gt;|&quot;|&#39;/g, '')).not.toMatch(/<script>|<img src=x/)
    expect(own).toContain('&lt;script&gt;')
  }
  check(await page.open())
  await page.write(MARK)
  check(page.text)
  await page.send('agent', { contact_name: MARK })
  check(page.text)
  const { id } = (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data[0]
  await acme.post(`/v1/conversations/${id}/messages`, { text: `${MARK} javascript:alert(1)` })
  check(await page.open())
  const stream = await page.listen()
  await stream.until(({ texts }) => texts.length >= 4)
  for (const { html } of stream.named('message')) expect(html).not.toMatch(/<script>|<img src=x/)
  await stream.close()
  await page.send('messages', { text: ' ' })
  for (const path of [
    `?lang=${encodeURIComponent(MARK)}`,
    `?voted=${encodeURIComponent(MARK)}`,
    `?resume=${encodeURIComponent(MARK)}`,
  ]) {
    const text = await page.open(page.path + path)
    expect(text, path).not.toMatch(/<script>alert|<img src=x/)
  }
})

test('what articles say is sanitised in answers', async () => {
  const centre = await createCentre(harness, {}, acme)
  const bot = await createBot(acme, { knowledge_base_ids: [centre.base.id] })
  const attacks = ATTACKS.filter((attack) => !attack.includes('\0'))
  // Every sixth: all of them are tested with the renderer itself.
  for (let n = 0; n < 60; n += 6) {
    const word = `zebrafinch${n}`
    const markdown = attacks[n] as string
    const content = `The ${word} lamp needs a new bulb. ${markdown}`
    const { id } = await centre.article({ title: `The ${word} lamp`, content, slug: `lamp-${n}` })
    await waitForIndex(acme, id)
    const page = new ChatPage(harness, bot)
    await page.open()
    await page.write(`What does the ${word} lamp need?`)
    const shown = page.text.replaceAll(/<script src="\/c\/chat\.js\?v=[\w-]+" defer><\/script>/g, '')
    expect(shown, markdown).not.toMatch(/<script|<iframe|<object|<[^>]+\son\w+=|href="javascript:/i)
  }
})

test('a conversation is not readable without its token, nor with one of another', async () => {
  const bot = await createBot(acme)
  const [one, other] = [new ChatPage(harness, bot), new ChatPage(harness, bot)]
  await one.open()
  await one.write('My secret is blue')
  await other.open()
  await other.write('Hello')
  for (const token of ['', 'x', '%00', `${one.cookies.get('wm_chat')}x`, other.cookies.get('wm_chat') ?? '']) {
    const thief = new ChatPage(harness, bot)
    thief.cookies.set('wm_chat', token)
    expect(await thief.open()).not.toContain('My secret')
  }
  const { id } = (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data[0]
  expect(await other.sendByScript('messages', { question: id })).toMatchObject({ status: 404 })
})

test('odd requests are refused without an error of the server', async () => {
  const page = new ChatPage(harness, await createBot(acme))
  const post = (body: string, type: string) =>
    page.request('POST', `${page.path}/messages`, body, { 'content-type': type, accept: 'application/json' })
  expect(await post('{"text":"Hi"}', 'application/json')).toMatchObject({ status: 415 })
  expect(await post('x', 'multipart/form-data')).toMatchObject({ status: 400 })
  expect(await post(`text=${'x'.repeat(300_000)}`, 'application/x-www-form-urlencoded')).toMatchObject({ status: 413 })
  expect(await post('text=%00%ff&key=%00', 'application/x-www-form-urlencoded')).toMatchObject({ status: 200 })
  expect(await page.sendByScript('nothing', {})).toMatchObject({ status: 404 })
  expect((await page.request('PUT', page.path)).status).toBe(405)
})
