/** A fault is reported from a phone that goes offline in between, and followed by its receipt until somebody replies. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { createPage, FIELDS, submissionsOf } from '../../../../testing/page-visitor.ts'
import { violationsOf } from '../../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../../testing/world/browser.ts'

const harness = useHarness()
const browser = useBrowser()

async function scan(acme: Tenant, options: BrowserContextOptions, more: object = {}) {
  const created = await createPage(acme, FIELDS, more)
  const body = { type: 'machine', name: 'Acme One, kitchen', destination: { page: created.id } }
  const object = (await acme.post('/v1/objects', body)).body
  const context = await browser.newContext({ viewport: { width: 390, height: 780 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (line) => problems.push(line.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${harness.baseUrl}/o/${object.public_slug}`)
  harness.advance(5000)
  return { created, context, page, problems }
}

/** The page has no barriers, fits the screen, and its links can be hit by a finger. */
async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  for (const link of await page.locator('a').all()) {
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
}

test('a phone that was offline in between sends the fault, and its receipt shows the reply', async () => {
  const acme = await harness.createTenant()
  await acme.post('/v1/knowledge-bases', { name: 'Care', is_published: true })
  const { created, context, page, problems } = await scan(acme, { locale: 'en-GB' })
  await page.getByLabel('What happened?').fill('It leaks')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('offline').waitFor()
  await context.setOffline(false)
  await page.getByText('Report 1 for Acme One, kitchen').waitFor()
  const [submission, ...others] = await submissionsOf(harness, acme, created)
  expect(others).toEqual([])
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See the status and replies' }).click()
  await page.getByRole('heading', { name: 'Report 1 for Acme One, kitchen' }).waitFor()
  await page.getByText('Received', { exact: true }).waitFor()

  const path = `/v1/submissions/${submission?.id}`
  await acme.post(`${path}/replies`, { text: 'We have fitted a new seal.' })
  await acme.patch(path, { status: 'resolved' })
  await page.reload()
  await page.getByText('We have fitted a new seal.').waitFor()
  await page.getByText('Resolved', { exact: true }).waitFor()
  await expectAccessible(page)
  // The link does not tell the help centre where the visitor comes from.
  await page.getByRole('link', { name: 'Help centre' }).click()
  await page.getByRole('heading', { name: 'Care' }).waitFor()
  expect(await page.evaluate('document.referrer')).toBe('')
  expect(problems.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

test('without scripts, in a language that is written from right to left and in the dark, the receipt is the same', async () => {
  const acme = await harness.createTenant()
  const options = { locale: 'ar', javaScriptEnabled: false, colorScheme: 'dark' } as const
  const { page, problems } = await scan(acme, options, { default_language: 'ar' })
  await page.getByLabel('What happened?').fill('يتسرب الماء')
  await page.locator('form button').click()
  await page.locator('.receipt-link a').click()
  await page.getByText('تم الاستلام').waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  expect(problems).toEqual([])
})
