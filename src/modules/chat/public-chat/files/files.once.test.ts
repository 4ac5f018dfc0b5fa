/** Files in chats. */
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { ChatPage } from '../../../../testing/chat-page.ts'
import { createBot } from '../../../../testing/data/conversations.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { rememberToken } from '../../../../testing/secrets-guard.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

let acme: Tenant
let photo: Buffer
beforeAll(async () => {
  acme = await harness.createTenant()
  photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0f766e' } })
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer()
})

const conversationOf = async (bot: { id: string }) =>
  (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data[0]

test('an uploaded photo is sent, shown to its visitor, and has no location', async () => {
  const bot = await createBot(acme)
  const page = new ChatPage(harness, bot)
  await page.sendByScript('agent', {})
  const { json } = await page.upload('lëak 🏷.jpg', photo)
  expect(json).toMatchObject({ name: 'lëak 🏷.jpg' })
  const sent = await page.sendByScript('messages', { text: 'Look', '_wm_file:files': json.token })
  expect(sent).toMatchObject({ status: 200 })
  const [, path = ''] = /<img src="([^"]+)"/.exec(sent.json.message.html) ?? []
  const file = await fetch(harness.baseUrl + path.replaceAll('&amp;', '&'))
  expect(file.status).toBe(200)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent('lëak 🏷.jpg')}`,
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(file.headers.get('content-security-policy')).toContain('sandbox')
  const { exif } = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
  expect(exif).toBeUndefined()
  const [message] = (await acme.get(`/v1/conversations/${(await conversationOf(bot)).id}/messages`)).body.data
  expect(message.parts.map(({ type }: any) => type)).toEqual(['text', 'file'])
  for (const wrong of [
    path.split('?')[0],
    path.replace(/k=\d/, 'k=9'),
    path.replace(bot.public_slug, '0'.repeat(12)),
  ]) {
    expect((await fetch(harness.baseUrl + wrong)).status, wrong).toBe(404)
  }
  harness.advance(3 * 24 * 60 * 60 * 1000)
  expect((await fetch(harness.baseUrl + path)).status).toBe(404)
})

test('a link works only for those who may chat now, and while the chatbot is active', async () => {
  const bot = await createBot(acme)
  const page = new ChatPage(harness, bot)
  await page.sendByScript('agent', {})
  const { json } = await page.upload('leak.jpg', photo)
  const sent = await page.sendByScript('messages', { text: 'Look', '_wm_file:files': json.token })
  const [, path = ''] = /<img src="([^"]+)"/.exec(sent.json.message.html) ?? []
  const get = async (headers: Record<string, string> = {}) => {
    const { status, headers: got } = await page.request('GET', path, undefined, headers)
    return [status, got.get('cache-control')]
  }
  const set = async (changes: object) =>
    expect(await acme.patch(`/v1/chatbots/${bot.id}`, changes)).toMatchObject({ status: 200 })
  expect(await get()).toEqual([200, 'private, max-age=86400, immutable'])
  await set({ password: 'lamp river' })
  expect((await get())[0]).toBe(404)
  const FRAME = { 'x-chat-frame': '1' }
  const { pass } = (await page.sendByScript('password', { password: 'lamp river' }, FRAME)).json
  rememberToken(pass)
  expect((await get())[0]).toBe(404)
  expect((await get(FRAME))[0]).toBe(404)
  expect((await get({ ...FRAME, 'x-chat-pass': pass }))[0]).toBe(200)
  await page.sendByScript('password', { password: 'lamp river' })
  expect(await get()).toEqual([200, 'private, no-store'])
  await set({ password: 'another lamp' })
  expect((await get())[0]).toBe(404)
  expect((await get({ ...FRAME, 'x-chat-pass': pass }))[0]).toBe(404)
  await set({ password: null })
  expect((await get())[0]).toBe(200)
  await set({ status: 'paused' })
  expect((await get())[0]).toBe(404)
})

test('without scripts, files come with the form', async () => {
  const bot = await createBot(acme)
  const page = new ChatPage(harness, bot)
  await page.sendByScript('agent', {})
  const body = new FormData()
  body.append('text', '')
  body.append('files', new Blob([new Uint8Array(photo)]), 'a.jpg')
  body.append('files', new Blob(['%PDF-1.4 test']), 'b.pdf')
  const sent = await page.request('POST', `${page.path}/messages?lang=en`, body)
  expect(sent).toMatchObject({ status: 303 })
  const text = await page.open()
  expect(text).toContain('alt="a.jpg"')
  expect(text).toContain('b.pdf')
})

test('other kinds, too large ones, too many, and tokens of others are refused', async () => {
  const bot = await createBot(acme)
  const page = new ChatPage(harness, bot)
  expect(await page.upload('a.html', Buffer.from('<script>alert(1)</script>'))).toMatchObject({ status: 422 })
  expect(await page.upload('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({
    status: 422,
  })
  expect(await page.upload('a.bin', Buffer.alloc(10 * 1024 * 1024 + 1))).toMatchObject({ status: 413 })
  const tokens: string[] = []
  for (let n = 0; n < 6; n++) tokens.push((await page.upload(`${n}.pdf`, Buffer.from(`%PDF-1.4 ${n}`))).json.token)
  const refused = await page.sendByScript('messages', { text: 'Look', '_wm_file:files': tokens })
  expect(refused).toMatchObject({ status: 422, json: { message: 'Please choose at most 5 files.' } })
  const other = new ChatPage(harness, await createBot(acme))
  for (const token of [tokens[0] as string, 'nonsense', `${tokens[0]}x`]) {
    const sent = await other.sendByScript('messages', { text: 'Look', '_wm_file:files': token })
    expect(sent, token).toMatchObject({
      status: 422,
      json: { message: 'A file did not arrive. Please choose it again.' },
    })
  }
})
