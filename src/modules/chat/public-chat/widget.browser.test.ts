/** The widget on a page of another site that allows nothing but our script and our frame. */
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { createArticles } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { APPEARANCE, violationsOf } from '../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { usePageServer } from '../../../testing/world/page-server.ts'

const harness = useHarness()
const browser = useBrowser()
const QUESTION = 'How often do I oil the oak table?'

/** Shows the widget of the chatbot that the path names. */
const host = usePageServer((request, response) => {
  const [, slug, color] = (request.url ?? '').split('/')
  const service = harness.baseUrl
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${service}; frame-src ${service}; style-src 'none'; require-trusted-types-for 'script'`,
  })
  response.end(`<!doctype html><html lang="en"><head><title>Shop</title><meta name="viewport" content="width=device-width"></head>
<body><main><h1>Shop</h1><p>Welcome</p></main><script src="${service}/widget.js" data-chatbot="${slug}"${color === undefined ? ' data-color="#ffd400"' : ''}></script></body></html>`)
})

let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
  await createArticles(harness, acme)
})

async function visit(options: BrowserContextOptions = {}, more: object = {}) {
  const bot = await createBot(acme, { name: 'Acme care', suggestions: [QUESTION], ...more })
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1200, height: 800 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (line) => ['error', 'warning'].includes(line.type()) && problems.push(line.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${host.origin}/${bot.public_slug}`)
  return { bot, context, page, problems }
}

/** The root is closed, so the button is reached as people reach it: by keyboard, or where it is on the screen. */
const openByKeyboard = async (page: Page): Promise<Frame> => {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  return frameOf(page)
}
const frameOf = (page: Page): Promise<Frame> =>
  eventually(() => page.frames().find((frame) => frame.url().includes('/frame')))
/** Counts the messages that a window gets. Its own listeners, which are older, have seen them by then. */
const LISTEN = "heard = 0; addEventListener('message', () => heard++)"
/** Adds an empty frame, which has the origin of the window. */
const addFrame = async (window: Frame): Promise<Frame> => {
  const before = new Set(window.childFrames())
  await window.evaluate("document.body.append(document.createElement('iframe'))")
  return eventually(() => window.childFrames().find((frame) => !before.has(frame)))
}

test('a visitor chats in the frame under a strict policy, without cookies, and continues after a reload', async () => {
  const { bot, context, page, problems } = await visit()
  const frame = await openByKeyboard(page)
  await frame.getByRole('button', { name: QUESTION }).click()
  await frame.getByText('twice a year').first().waitFor()
  expect(await context.cookies()).toEqual([])
  await page.reload()
  const again = await openByKeyboard(page)
  await again.getByText('twice a year').first().waitFor()
  await again.getByLabel('Your message').fill('Thank you')
  await again.getByRole('button', { name: 'Send' }).click()
  await eventually(async () => {
    const { data } = (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body
    return data.length === 1 && data[0].last_message_preview !== null
  })
  expect(await context.cookies()).toEqual([])
  expect(problems).toEqual([])
  await context.close()
})

test('Escape closes it, inside and outside of the frame, and the focus returns to the button', async () => {
  const { context, page } = await visit()
  const frame = await openByKeyboard(page)
  const isInChat = () => frame.evaluate<boolean>('document.hasFocus()')
  await eventually(async () => (await frame.evaluate('document.activeElement.tagName')) === 'TEXTAREA')
  expect(await isInChat()).toBe(true)
  const close = [
    () => page.keyboard.press('Escape'),
    () => frame.getByRole('button', { name: 'Close the chat' }).click(),
  ]
  for (const closeChat of close) {
    await closeChat()
    await eventually(async () => !(await isInChat()))
    // The focus is in the closed root, on the button: Enter opens it again.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('DIV')
    await page.keyboard.press('Enter')
    await eventually(isInChat)
  }
  await context.close()
})

test('the button has the colour of the chatbot, and is hidden while the chat is open', async () => {
  const bot = await createBot(acme, { primary_color: '#8800cc' })
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1200, height: 800 } })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (line) => ['error', 'warning'].includes(line.type()) && problems.push(line.text()))
  const clip = { x: 1128, y: 728, width: 56, height: 56 }
  /** Whether most of the button's place has a colour. */
  const isThere = async (...colour: number[]) => {
    const { data } = await sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const pixels = Array.from({ length: data.length / 3 }, (_, n) => data.subarray(3 * n, 3 * n + 3))
    return pixels.filter((pixel) => pixel.every((part, n) => part === colour[n])).length > pixels.length / 2
  }
  const own = () => isThere(0x88, 0, 0xcc)
  await page.goto(`${host.origin}/${bot.public_slug}/own-colour`)
  await eventually(own)
  await page.mouse.click(1156, 756)
  const frame = await frameOf(page)
  await frame.getByLabel('Your message').waitFor()
  const box = await frame.frameElement().then((element) => element.boundingBox())
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(784)
  await eventually(async () => !(await own()))
  await frame.getByRole('button', { name: 'Close the chat' }).click()
  await eventually(own)
  expect(problems).toEqual([])

  // The frame of a chatbot that is not there has no button to close it.
  await page.goto(`${host.origin}/never0issued/own-colour`)
  const standard = () => isThere(0x0f, 0x76, 0x6e)
  await eventually(standard)
  await page.mouse.click(1156, 756)
  await eventually(() => page.frames().length === 2)
  expect(await standard()).toBe(true)
  await context.close()
})

test('the page and the widget do not see each other', async () => {
  const { context, page } = await visit()
  const names = (await page.evaluate(`(() => {
    const clean = document.createElement('iframe')
    document.body.append(clean)
    const known = new Set(Object.getOwnPropertyNames(clean.contentWindow))
    clean.remove()
    return Object.getOwnPropertyNames(window).filter((name) => !known.has(name) && Number.isNaN(Number(name)))
  })()`)) as string[]
  expect(names).toEqual([])
  expect(await page.evaluate('document.body.lastElementChild.shadowRoot')).toBeNull()
  const frame = await openByKeyboard(page)
  await frame.getByLabel('Your message').waitFor()
  // Neither does what another window says count: the page itself, a frame of it, or one of the chat's own origin.
  const focused = () => frame.evaluate<string>('document.activeElement.tagName')
  await eventually(async () => (await focused()) === 'TEXTAREA')
  await frame.evaluate('document.activeElement.blur()')
  const windows = [page.mainFrame(), frame]
  for (const window of windows) await window.evaluate(LISTEN)
  const [ofPage, ofChat] = [await addFrame(page.mainFrame()), await addFrame(frame)]
  await page.evaluate("postMessage({ waymark: 'close' }, '*')")
  await ofPage.evaluate("parent.postMessage({ waymark: 'close' }, '*')")
  await ofChat.evaluate("top.postMessage({ waymark: 'close' }, '*'); parent.postMessage({ waymark: 'opened' }, '*')")
  await eventually(async () => String(await Promise.all(windows.map((window) => window.evaluate('heard')))) === '3,1')
  expect(await frame.getByLabel('Your message').isVisible()).toBe(true)
  expect(await focused()).toBe('BODY')
  await expect(frame.evaluate('parent.document.title')).rejects.toThrow()
  await context.close()
})

test('fills the screen of a phone, passes axe in both modes, and can be closed', async () => {
  const { context, page } = await visit({ viewport: { width: 390, height: 780 }, reducedMotion: 'reduce' })
  const frame = await openByKeyboard(page)
  await frame.getByRole('button', { name: QUESTION }).click()
  await frame.getByText('twice a year').first().waitFor()
  const box = await frame.frameElement().then((element) => element.boundingBox())
  expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 780 })
  expect(await violationsOf(frame)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(frame, APPEARANCE)).toEqual([])
  await frame.getByRole('button', { name: 'Close the chat' }).click()
  expect(await page.getByRole('heading', { name: 'Shop' }).isVisible()).toBe(true)
  await context.close()
})

test('a visitor asks for a person in the frame, reads what is true, and leaves an address later', async () => {
  const { bot, context, page, problems } = await visit()
  const frame = await openByKeyboard(page)
  const offer = frame.getByText('Talk to a person').filter({ visible: true })
  await offer.click()
  await offer.click()
  // There is nobody to tell, and no mail server.
  await frame.getByText('Your request is waiting for our team.').waitFor()
  expect(await offer.count()).toBe(0)
  await page.reload()
  const again = await openByKeyboard(page)
  await again.getByLabel('Your email address (optional)').fill('kim@acme.example')
  await again.getByRole('button', { name: 'Save address' }).click()
  await again.getByRole('button', { name: 'Save address' }).waitFor({ state: 'detached' })
  const { data } = (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body
  expect(data).toMatchObject([{ status: 'agent_requested', contact_email: 'kim@acme.example', language: 'en' }])
  expect(problems).toEqual([])
  await context.close()
})

test('photos are shown in the frame of a protected chat, although it has no cookies', async () => {
  const { context, page, problems } = await visit({}, { password: 'lamp river seven' })
  const frame = await openByKeyboard(page)
  await frame.getByLabel('Password').fill('lamp river seven')
  await frame.getByRole('button', { name: 'Continue' }).click()
  const buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer()
  await frame.locator('[data-attach]').setInputFiles({ name: 'leak.jpg', mimeType: 'image/jpeg', buffer })
  await frame.getByRole('button', { name: 'Send' }).click()
  const isShown = (within: Frame) =>
    within.locator('[data-message] img[alt="leak.jpg"]').evaluate((image: any) => image.naturalWidth === 60)
  await eventually(() => isShown(frame))
  await page.reload()
  const again = await openByKeyboard(page)
  await eventually(() => isShown(again))
  const download = page.waitForEvent('download')
  await again.locator('a.file').click()
  expect((await download).suggestedFilename()).toBe('leak.jpg')
  expect(problems).toEqual([])
  await context.close()
})

test('a protected chat asks for the password in the frame, and remembers it', async () => {
  const { context, page } = await visit({}, { password: 'lamp river seven' })
  const frame = await openByKeyboard(page)
  await frame.getByLabel('Password').fill('wrong')
  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByText('This password is not correct.').waitFor()
  await frame.getByLabel('Password').fill('lamp river seven')
  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByRole('button', { name: QUESTION }).waitFor()
  await page.reload()
  await (await openByKeyboard(page)).getByRole('button', { name: QUESTION }).waitFor()
  await context.close()
})
