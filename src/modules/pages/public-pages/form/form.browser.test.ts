import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { createPage, FIELDS, PHOTOS, submissionsOf, valuesOf } from '../../../../testing/page-visitor.ts'
import { violationsOf } from '../../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../../testing/world/browser.ts'

const harness = useHarness()
const browser = useBrowser()
let tenant: Tenant
let photo: { name: string; mimeType: string; buffer: Buffer }
beforeAll(async () => {
  tenant = await harness.createTenant()
  const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer()
  photo = { name: 'leak.jpg', mimeType: 'image/jpeg', buffer }
})

/** Opens a new page in a browser, and collects what the browser complains about. */
async function visit(options: BrowserContextOptions = {}, more: object = {}) {
  const created = await createPage(tenant, [...FIELDS, PHOTOS], more)
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 }, ...options })
  const url = `${harness.baseUrl}/p/${created.public_slug}`
  const problems: string[] = []
  const open = async (): Promise<Page> => {
    const page = await context.newPage()
    page.on('console', (line) => problems.push(line.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(url)
    harness.advance(5000)
    return page
  }
  const received = () => submissionsOf(harness, tenant, created)
  return { context, open, problems, received, url, page: await open() }
}

/** The page has no barriers, fits the screen, and its buttons can be hit by a finger. */
async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  for (const button of await page.locator('button').all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
}

const what = (page: Page) => page.getByLabel('What happened?')
const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
const waitForSent = (page: Page) => page.waitForURL('**/sent?lang=en*')

test('without scripts, a form is filled in, corrected and sent with its photo', async () => {
  const { page, received, problems } = await visit({ javaScriptEnabled: false })
  await page.getByLabel('Email').fill('kim@acme.example')
  await page.getByLabel('Photos').setInputFiles(photo)
  // Browsers without our checks, or with others, send it all the same.
  await what(page).fill(' ')
  await send(page)
  await page.getByText('Please check these fields').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('kim@acme.example')
  expect(await page.getByLabel('Keep leak.jpg').isChecked()).toBe(true)
  await what(page).fill('It leaks')
  await send(page)
  await waitForSent(page)
  const [submission] = await received()
  expect(submission).toMatchObject({ status: 'new' })
  expect(valuesOf(submission!)).toMatchObject({ 'What happened?': 'It leaks', Photos: [{ file_name: 'leak.jpg' }] })
  expect(problems.filter((text) => !text.includes('422'))).toEqual([])
})

describe('with the script', () => {
  test('problems are shown at their fields at once, and the page stays accessible', async () => {
    const { page, received, problems } = await visit()
    await page.getByLabel('Email').fill('kim')
    await page.getByLabel('Email').blur()
    await page.getByText('Please enter an email address').waitFor()
    await send(page)
    await page.getByText('Please fill in this field.').waitFor()
    expect(await what(page).evaluate((control) => control === control.ownerDocument.activeElement)).toBe(true)
    await expectAccessible(page)
    await what(page).fill('It leaks')
    await page.getByLabel('Email').fill('kim@acme.example')
    await send(page)
    await waitForSent(page)
    expect(valuesOf((await received())[0]!)).toMatchObject({ Email: 'kim@acme.example' })
    expect(problems).toEqual([])
  })

  test('problems are in the language of the interface, if there is none in that of the page', async () => {
    const { page, received, problems } = await visit({ locale: 'pl-PL' }, { default_language: 'he' })
    await what(page).fill('ab'.repeat(50))
    await page.getByLabel('Photos').setInputFiles(['1.jpg', '2.jpg', '3.jpg'].map((name) => ({ ...photo, name })))
    // In one step: the problem is shown only until the other files have arrived.
    await page.locator('[lang=pl]', { hasText: 'Wybierz najwyżej 2 pliki.' }).waitFor()
    await page.locator('[data-wm-name="2.jpg"]').waitFor({ state: 'attached' })
    await expectAccessible(page)
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await page.locator('button.btn').click()
    await page.waitForURL('**/sent?lang=he*')
    expect(await received()).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test('a photo is uploaded when it is chosen, shown, and can be removed', async () => {
    const { page, received, problems } = await visit()
    await page.getByLabel('Photos').setInputFiles([photo, { ...photo, name: 'other.jpg' }])
    await page.getByRole('button', { name: 'Remove other.jpg' }).waitFor()
    await page.locator('[data-wm-name="leak.jpg"]').waitFor({ state: 'attached' })
    await page.locator('[data-wm-received] img').first().waitFor()
    await page.locator('[data-wm-name="other.jpg"]').waitFor({ state: 'attached' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove other.jpg' }).click()
    const refused = { name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>alert(1)</script>') }
    await page.getByLabel('Photos').setInputFiles(refused)
    await page.getByText('This type of file is not accepted here.').waitFor()
    await page.getByRole('button', { name: 'Remove page.jpg' }).click()
    await what(page).fill('It leaks')
    await send(page)
    await waitForSent(page)
    expect(valuesOf((await received())[0]!).Photos).toMatchObject([{ file_name: 'leak.jpg' }])
    expect(problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  test('what was typed survives a closed tab, and is forgotten once it was sent', async () => {
    const { page, open, received } = await visit()
    await what(page).fill('It leaks\nagain')
    await page.getByLabel('B', { exact: true }).check()
    await page.getByLabel('Photos').setInputFiles(photo)
    await page.locator('[data-wm-name="leak.jpg"]').waitFor({ state: 'attached' })
    await page.close()
    const next = await open()
    await next.getByText('This is what you typed last time.').waitFor()
    expect(await what(next).inputValue()).toBe('It leaks\nagain')
    expect(await next.getByLabel('B', { exact: true }).isChecked()).toBe(true)
    await send(next)
    await waitForSent(next)
    const values = valuesOf((await received())[0]!)
    expect(values).toMatchObject({
      'What happened?': 'It leaks\nagain',
      'Where?': ['b'],
      Photos: [{ file_name: 'leak.jpg' }],
    })
    expect(await what(await open()).inputValue()).toBe('')
  })

  test('a form that cannot be sent is sent when the browser is online again, and once', async () => {
    const { page, context, received } = await visit()
    await what(page).fill('It leaks')
    await context.setOffline(true)
    await send(page)
    await page.getByText('You seem to be offline.').waitFor()
    expect(await what(page).inputValue()).toBe('It leaks')
    await context.setOffline(false)
    await waitForSent(page)
    expect(await received()).toHaveLength(1)
  })

  test('two clicks send once', async () => {
    const { page, received } = await visit()
    await what(page).fill('It leaks')
    await page.getByRole('button', { name: 'Send' }).dblclick()
    await waitForSent(page)
    await eventually(async () => expect(await received()).toHaveLength(1))
  })

  test('a page that asks for a proof of work gets one', async () => {
    const { page, received } = await visit({}, { proof_of_work: 'always' })
    await what(page).fill('It leaks')
    await send(page)
    await waitForSent(page)
    expect(await received()).toMatchObject([{ status: 'new', spam_reason: null }])
  })
})
