/** The chat in a real browser, on a phone and on a large screen, with and without its script. */
import type axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { ChatPage, createArticles } from '../../../testing/chat-page.ts'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { violationsOf } from '../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { DESKTOP, onBothScreens, PHONE, TARGET_PX_MIN } from '../../../testing/world/good-page.ts'

const harness = useHarness()
const browser = useBrowser()

const QUESTION = 'How often do I oil the oak table?'

const LOOK = {
  name: 'Acme care',
  welcome_message: 'Hello! What can we do for you?',
  welcome_subtitle: 'Ask about tables, chairs and lamps.',
  suggestions: [QUESTION, 'How do I clean a chair?', 'Where is my order?'],
  primary_color: '#b45309',
}

let acme: Tenant
let photo: { name: string; mimeType: string; buffer: Buffer }
beforeAll(async () => {
  acme = await harness.createTenant()
  await createArticles(harness, acme)
  const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer()
  photo = { name: 'leak.jpg', mimeType: 'image/jpeg', buffer }
})

/** Opens the chat of a new chatbot, and collects what the browser complains about. */
async function visit(options: BrowserContextOptions = {}, more: object = {}) {
  const bot = await createBot(acme, { ...LOOK, ...more })
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', ...options })
  const url = `${harness.baseUrl}/c/${bot.public_slug}`
  const problems: string[] = []
  const open = async (path = ''): Promise<Page> => {
    const page = await context.newPage()
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && problems.push(line.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(url + path)
    return page
  }
  const conversation = async () => (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data[0]
  const conversations = async () => (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data
  const messages = async () =>
    (await acme.get(`/v1/conversations/${(await conversation()).id}/messages?order=asc`)).body.data
  return { bot, context, open, problems, url, conversation, conversations, messages, page: await open() }
}

const field = (page: Page) => page.getByLabel('Your message')
const write = async (page: Page, text: string) => {
  await field(page).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}
const answered = (page: Page) => page.locator('[data-role=assistant]', { hasText: 'twice a year' }).first().waitFor()

async function expectGood(page: Page, options?: axe.RunOptions): Promise<void> {
  expect(await violationsOf(page, options)).toEqual([])
  const { width, small } = await page.evaluate<{ width: number; small: unknown[] }>(`({
    width: document.documentElement.scrollWidth,
    small: [...document.querySelectorAll('a[href], button, summary, textarea, input:not([type=hidden])')]
      .filter((element) => !element.closest('.prose') && element.checkVisibility())
      .map((element) => [element.outerHTML, element.getBoundingClientRect().height])
      .filter(([, height]) => height < ${TARGET_PX_MIN}),
  })`)
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  expect(small).toEqual([])
}

test('every view is accessible and fits, in light mode on a phone and in dark mode on a large screen', async () => {
  const { page, open, context, problems } = await visit()
  const expectGoodOnBothScreens = (view: Page) => onBothScreens(view, (_screen, rules) => expectGood(view, rules))
  await page.getByRole('heading', { name: LOOK.welcome_message }).waitFor()
  await expectGoodOnBothScreens(page)
  await page.locator('summary', { hasText: 'More' }).click()
  await expectGoodOnBothScreens(page)
  await page.locator('summary', { hasText: 'More' }).click()
  await page.getByRole('button', { name: QUESTION }).click()
  await answered(page)
  await expectGoodOnBothScreens(page)
  await write(page, 'Which bank account do refunds of parking tickets go to?')
  await page.locator('[data-person]').waitFor()
  await expectGoodOnBothScreens(page)
  await page.locator('[data-person]').click()
  await expectGoodOnBothScreens(page)
  await expectGoodOnBothScreens(await open('/frame'))
  await context.close()
  const gate = await visit({}, { password: 'lamp river seven' })
  await expectGoodOnBothScreens(gate.page)
  await gate.context.close()
  expect([...problems, ...gate.problems]).toEqual([])
})

test('while very many ask, the browser does some work, and the visitor gets an answer', async () => {
  const { page, bot, context, messages, problems } = await visit()
  const others = [new ChatPage(harness, bot), new ChatPage(harness, bot)]
  for (let n = 0; n < 30; n++) {
    const sent = await others[n % 2]?.sendByScript('messages', { text: 'Hello there' })
    expect(sent).toMatchObject({ status: 200 })
  }
  const asked = page.waitForResponse((response) => response.status() === 428)
  await page.getByRole('button', { name: QUESTION }).click()
  await asked
  await answered(page)
  expect((await messages()).map(({ role }: any) => role)).toEqual(['user', 'assistant'])
  // Chromium reports every status from 400.
  expect(problems.filter((text) => !text.includes('428'))).toEqual([])
  await context.close()
})

test('no view overflows on the narrowest screen, in the longest languages and with long words', async () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const { page, url, context } = await visit(
    { viewport: { width: 320, height: 560 } },
    { name: long, welcome_message: long, suggestions: [long] },
  )
  for (const language of ['de', 'fr', 'ja', 'nl']) {
    await page.goto(`${url}?lang=${language}`)
    expect(await page.evaluate('document.documentElement.scrollWidth'), language).toBe(320)
  }
  await page.goto(url)
  await write(page, `${long} 🏷 تنظيف`)
  await page.getByText('تنظيف').first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await context.close()
})

test('without scripts: question, answer, vote, person, reply and photo', async () => {
  const { page, url, conversation, context, problems } = await visit({ javaScriptEnabled: false })
  await page.getByRole('button', { name: QUESTION }).click()
  await answered(page)
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByText('Thank you for your feedback.').waitFor()
  await field(page).fill('Look at this')
  await page.getByLabel('Attach files').setInputFiles(photo)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByAltText('leak.jpg').waitFor()
  await page.locator('#person summary').click()
  await page.getByLabel('Your name (optional)').fill('Kim')
  await page.getByRole('button', { name: 'Talk to a person' }).click()
  await page.getByText('Your request is waiting for our team.').waitFor()
  await acme.post(`/v1/conversations/${(await conversation()).id}/messages`, { text: 'Hello Kim' })
  await page.getByRole('link', { name: 'Check for new messages' }).click()
  await page.goto(url)
  await page.getByText('Hello Kim').waitFor()
  expect(problems).toEqual([])
  await context.close()
})

describe('with the script', () => {
  test('question, answer, vote, person, reply on the open page, end, and a new conversation', async () => {
    const { page, conversation, conversations, context, problems } = await visit()
    await write(page, QUESTION)
    await answered(page)
    expect(await page.locator('[data-pending], [data-writing]').count()).toBe(0)
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await page.getByText('Thank you for your feedback.').waitFor()
    await page.locator('#person summary').click()
    await page.getByLabel('Your email address (optional)').fill('kim@acme.example')
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('Your request is waiting for our team.').waitFor()
    const { id, contact_email } = await conversation()
    expect(contact_email).toBe('kim@acme.example')
    await write(page, 'Are you there?')
    await acme.post(`/v1/conversations/${id}/typing`)
    await acme.post(`/v1/conversations/${id}/messages`, { text: 'Hello, I am Lee.' })
    await page.getByText('I am Lee').waitFor()
    await page.getByText('You are talking to our team.').first().waitFor()
    await eventually(async () => (await conversation()).visitor_read_at !== null)
    await acme.post(`/v1/conversations/${id}/read`)
    await page.getByText('Read', { exact: true }).waitFor()
    await expectGood(page)
    await acme.patch(`/v1/conversations/${id}`, { status: 'resolved' })
    await page.locator('[data-state]', { hasText: 'This conversation has ended.' }).waitFor()
    await write(page, QUESTION)
    await eventually(async () => (await conversations()).length === 2)
    await page.getByText('twice a year').filter({ visible: true }).nth(1).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('a message typed while offline is kept, and sent once when the connection is back', async () => {
    const { page, messages, context } = await visit()
    await write(page, QUESTION)
    await answered(page)
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await write(page, 'And in winter?')
    await page.getByText('Not sent yet').waitFor()
    await expectGood(page)
    await field(page).fill('a draft')
    await context.setOffline(false)
    await eventually(async () => (await messages()).length === 4)
    await page.getByText('Not sent yet').waitFor({ state: 'detached' })
    await page.getByText('You are offline.').waitFor({ state: 'hidden' })
    expect((await messages()).map(({ role }: any) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(await page.locator('[data-role=user]').count()).toBe(2)
    await page.reload()
    expect(await field(page).inputValue()).toBe('a draft')
    expect(await page.locator('[data-role=user]').count()).toBe(2)
    await context.close()
  })

  test('a message whose response was lost is stored once, also after a reload', async () => {
    const { page, conversations, messages, context } = await visit()
    let lost = 0
    await page.route('**/messages?*', async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await write(page, QUESTION)
    await page.getByText('Not sent yet').waitFor()
    await page.reload()
    await answered(page)
    expect(await conversations()).toHaveLength(1)
    await eventually(async () => (await messages()).length === 2)
    expect(await page.locator('[data-role=user]').count()).toBe(1)
    await context.close()
  })

  test('a photo is uploaded, shown and sent; a wrong file is refused', async () => {
    const { page, messages, context } = await visit()
    const input = page.getByLabel('Attach files')
    await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    await page.getByText('This type of file is not accepted here.').waitFor()
    await input.setInputFiles(photo)
    await page.getByRole('button', { name: 'Remove leak.jpg' }).waitFor()
    await expectGood(page)
    await write(page, 'It leaks')
    await page.getByAltText('leak.jpg').waitFor()
    await eventually(async () => (await messages())[0].parts.length === 2)
    await context.close()
  })

  test('two tabs show the same conversation', async () => {
    const { page, open, context } = await visit()
    await write(page, QUESTION)
    await answered(page)
    const other = await open()
    await answered(other)
    await write(page, 'From the first tab')
    await other.getByText('From the first tab').waitFor()
    await context.close()
  })

  test('a source is a chip with the name of the article, which opens the passage and a link to the article', async () => {
    const { page, context, problems } = await visit()
    await write(page, QUESTION)
    await answered(page)
    const chip = page.locator('summary', { hasText: 'Oiling the oak table' })
    const passage = page.locator('blockquote', { hasText: 'Let it dry overnight.' })
    expect(await passage.isVisible()).toBe(false)
    // Nothing repeats the answer.
    expect(await page.getByText('twice a year').filter({ visible: true }).count()).toBe(1)
    await chip.click()
    await passage.waitFor()
    expect(await page.getByRole('link', { name: 'Open the article' }).getAttribute('href')).toContain('/kb/')
    await onBothScreens(page, (_screen, rules) => expectGood(page, rules))
    await chip.press('Enter')
    await passage.waitFor({ state: 'hidden' })
    expect(problems).toEqual([])
    await context.close()
  })

  test('in a tab that was opened before, the way to a person is gone once it was taken, and the address is asked for', async () => {
    const { page, open, conversation, context, problems } = await visit()
    const other = await open()
    await write(page, 'Which bank account do refunds of parking tickets go to?')
    const offers = (view: Page) => view.getByText('Talk to a person', { exact: true }).filter({ visible: true })
    await page.locator('[data-person]').click()
    await eventually(async () => (await offers(other).count()) === 2)
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    for (const view of [page, other]) {
      await eventually(async () => (await offers(view).count()) === 0)
      await view.getByRole('button', { name: 'Save address' }).waitFor()
    }
    await other.locator('form.address').getByLabel('Your email address (optional)').fill('kim@acme.example')
    await other.getByRole('button', { name: 'Save address' }).click()
    for (const view of [page, other]) {
      await view.getByRole('button', { name: 'Save address' }).waitFor({ state: 'detached' })
    }
    expect((await conversation()).contact_email).toBe('kim@acme.example')
    await page.reload()
    await page.getByText('Your request is waiting for our team.').waitFor()
    expect(await offers(page).count()).toBe(0)
    expect(problems).toEqual([])
    await context.close()
  })

  test('the keyboard is enough: every control is reached, and shows where the focus is', async () => {
    const { page, context } = await visit(DESKTOP)
    const reached = new Set<string>()
    for (let n = 0; n < 12; n++) {
      await page.keyboard.press('Tab')
      const { name, isShown } = (await page.evaluate(`(() => {
        const element = document.activeElement
        const ring = [element, element.parentElement].some((one) => getComputedStyle(one).outlineStyle === 'solid')
        return { name: element.tagName, isShown: ring }
      })()`)) as { name: string; isShown: boolean }
      expect(isShown, name).toBe(true)
      reached.add(name)
      if (name === 'TEXTAREA') break
    }
    expect([...reached]).toEqual(expect.arrayContaining(['SUMMARY', 'BUTTON', 'TEXTAREA']))
    await page.keyboard.type('One')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await page.locator('[data-role=user]', { hasText: 'One\nTwo' }).waitFor()
    await context.close()
  })

  test('nothing that a visitor or an agent writes runs', async () => {
    const { page, conversation, context } = await visit()
    await page.locator('#person summary').click()
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('Your request is waiting for our team.').waitFor()
    const { id } = await conversation()
    const attacks = ATTACKS.filter((attack) => !attack.includes('\0') && attack.trim() !== '').join('\n\n')
    for (let at = 0; at < attacks.length; at += 3900) {
      const text = attacks.slice(at, at + 3900)
      await acme.post(`/v1/conversations/${id}/messages`, { text: `${text}\nend ${at}` })
      await page.getByText(`end ${at}`, { exact: false }).last().waitFor()
    }
    await write(page, attacks.slice(0, 3900))
    await page.locator('[data-role=user]').waitFor()
    await page.reload()
    await page.locator('[data-role=user]').waitFor()
    expect(await page.evaluate('window.__attacked')).toBeUndefined()
    await context.close()
  })
})
