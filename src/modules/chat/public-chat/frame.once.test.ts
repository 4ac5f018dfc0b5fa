/** The widget: its script, and its frame, which has no cookies. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { ChatPage, createArticles, TestStream } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { rememberToken } from '../../../testing/secrets-guard.ts'
import { CHAT_SCRIPT, SCRIPT_URL, WIDGET_SCRIPT } from './script/index.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })
const QUESTION = 'How often do I oil the oak table?'
const FRAME = { 'x-chat-frame': '1' }

let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
  await createArticles(harness, acme)
})

test('the scripts are small, valid, and leave no names behind', () => {
  expect(gzipSync(WIDGET_SCRIPT).length).toBeLessThanOrEqual(15 * 1024)
  expect(brotliCompressSync(CHAT_SCRIPT).length).toBeLessThanOrEqual(15 * 1024)
  for (const script of [WIDGET_SCRIPT, CHAT_SCRIPT]) {
    expect(() => new Function(script)).not.toThrow()
    expect(script).toMatch(/^\(\(\)=>\{'use strict'\n[\s\S]+\n\}\)\(\)$/)
    expect(script).not.toMatch(/\beval\b|document\.cookie/)
  }
  expect(WIDGET_SCRIPT).not.toMatch(/innerHTML|insertAdjacentHTML/)
})

test('the scripts are served to any site, compressed and cacheable', async () => {
  const page = new ChatPage(harness, await createBot(acme))
  const widget = await page.request('GET', '/widget.js', undefined, { 'accept-encoding': 'br' })
  expect(widget).toMatchObject({ status: 200, text: WIDGET_SCRIPT })
  expect(widget.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(widget.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(widget.headers.getSetCookie()).toEqual([])
  const script = await page.request('GET', SCRIPT_URL)
  expect(script).toMatchObject({ status: 200, text: CHAT_SCRIPT })
  expect(script.headers.get('cache-control')).toContain('immutable')
})

test('the frame may be shown anywhere, ignores cookies, and sets none', async () => {
  const bot = await createBot(acme)
  const page = new ChatPage(harness, bot)
  await page.open()
  await page.write(QUESTION)
  const frame = await page.request('GET', `${page.path}/frame`)
  expect(frame.headers.get('content-security-policy')).toContain('frame-ancestors *')
  expect(frame.text).not.toContain('twice a year')
  expect(frame.headers.getSetCookie()).toEqual([])
  const sent = await page.sendByScript('messages', { text: 'Hi', key: 'f'.repeat(22) }, FRAME)
  expect(sent.headers.getSetCookie()).toEqual([])
  expect(sent.json.token).not.toBe(page.cookies.get('wm_chat'))
  const { data } = (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body
  expect(data).toHaveLength(2)
})

test('the frame continues with its token, which it gets once', async () => {
  const page = new ChatPage(harness, await createBot(acme))
  const first = await page.ask({ text: QUESTION }, FRAME)
  await first.ended()
  const [token] = first.named('token')
  rememberToken(token)
  const headers = { ...FRAME, 'x-chat-token': token }
  const stream = TestStream.of(await page.listenRaw(headers))
  await stream.until(({ texts }) => texts.length === 2)
  await stream.close()
  const frame = await page.request('GET', `${page.path}/frame`, undefined, headers)
  expect(frame.text).toContain('twice a year')
  const next = await page.ask({ text: 'Thank you' }, headers)
  await next.ended()
  expect(next.named('token')).toEqual([])
  expect((await page.listenRaw(FRAME)).status).toBe(404)
  expect((await page.listenRaw({ ...FRAME, 'x-chat-token': 'x'.repeat(22) })).status).toBe(404)
})

test('the password of the frame is kept by its script', async () => {
  const page = new ChatPage(harness, await createBot(acme, { password: 'lamp river', welcome_message: 'Secret' }))
  expect((await page.request('GET', `${page.path}/frame`)).text).toContain('This chat is protected')
  const entered = await page.sendByScript('password', { password: 'lamp river' }, FRAME)
  expect(entered.headers.getSetCookie()).toEqual([])
  const headers = { ...FRAME, 'x-chat-pass': entered.json.pass }
  expect((await page.request('GET', `${page.path}/frame`, undefined, headers)).text).toContain('Secret')
  expect((await page.sendByScript('messages', { text: 'Hi' }, headers)).status).toBe(200)
  expect((await page.sendByScript('messages', { text: 'Hi' }, FRAME)).status).toBe(401)
})
