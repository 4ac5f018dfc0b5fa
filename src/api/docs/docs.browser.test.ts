import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '../../platform/http/server/server.ts'
import { createLogger } from '../../platform/telemetry/logging.ts'
import { createMetrics } from '../../platform/telemetry/metrics.ts'
import { violationsOf } from '../../testing/world/accessibility.ts'
import { useBrowser } from '../../testing/world/browser.ts'
import { DESKTOP, expectGoodOnBothScreens, PHONE } from '../../testing/world/good-page.ts'
import { mountDocs } from './index.ts'

const server = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics: createMetrics() })
const browser = useBrowser()
let origin: string

beforeAll(async () => {
  mountDocs(server, { appUrl: 'https://id.acme.example' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

test('guides are accessible and fit the screen, in both modes', async () => {
  const context = await browser.newContext({ ...PHONE, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await page.goto(`${origin}/docs`)
  await expectGoodOnBothScreens(page)
  await page.getByRole('searchbox').fill('paging')
  await page.getByRole('button', { name: 'Search' }).click()
  const found = page.getByRole('heading', { name: 'Pagination' }).getByRole('link')
  await found.waitFor()
  await expectGoodOnBothScreens(page)
  await found.click()
  await page.getByRole('heading', { name: 'Pagination', level: 1 }).waitFor()
  await expectGoodOnBothScreens(page)
  await context.close()
})

/** A page that loads more takes too long on a slow line. */
const BYTES_MAX = 300 * 1024

test('the reference is readable before anything large is loaded, and the viewer is loaded on demand', async () => {
  const context = await browser.newContext({ ...PHONE, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  const loaded: { path: string; bytes: Promise<number> }[] = []
  page.on('requestfinished', (request) => {
    const bytes = request
      .sizes()
      .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize)
    loaded.push({ path: new URL(request.url()).pathname, bytes })
  })
  await page.goto(`${origin}/docs/reference`)
  await expectGoodOnBothScreens(page)
  await page.getByRole('link', { name: 'Create an article tag' }).click()
  await page.getByRole('heading', { name: 'Create an article tag' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#createArticleTag')
  await expectGoodOnBothScreens(page)
  const sizes = await Promise.all(loaded.map(({ bytes }) => bytes))
  expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThan(BYTES_MAX)
  expect(loaded.map(({ path }) => path)).not.toContain('/docs/viewer.js')
  await page.getByRole('link', { name: 'Try it: Create an article tag' }).click()
  await page.waitForURL('**/docs/reference/try#tag/article-tags/POST/article-tags')
  await page.getByRole('heading', { name: 'Create an article tag' }).waitFor()
  expect(loaded.map(({ path }) => path)).toContain('/docs/viewer.js')
  await context.close()
})

test('the viewer renders in both modes and sizes, accessible, without requests to other hosts', async () => {
  const context = await browser.newContext(DESKTOP)
  const page = await context.newPage()
  const { problems, foreignRequests } = watch(page)
  await page.goto(`${origin}/docs/reference/try#tag/article-tags/POST/article-tags`)
  await page.getByRole('heading', { name: 'Create an article tag' }).waitFor()
  expect(await page.title()).toBe('Try the Waymark API')
  expect(await page.locator('body').getAttribute('class')).toContain('dark-mode')
  expect(await page.getByText('Every operation of the Waymark API').count(), 'the guides are in the introduction').toBe(
    1,
  )
  expect(await violationsOf(page)).toEqual([])

  // The viewer chooses its mode when it starts.
  await page.evaluate("document.body.classList.replace('dark-mode', 'light-mode')")
  await page.setViewportSize(PHONE.viewport)
  const runOnly = ['color-contrast', 'landmark-unique', 'landmark-no-duplicate-banner', 'region']
  expect(await violationsOf(page, { runOnly })).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.viewport.width)
  expect(foreignRequests).toEqual([])
  expect(problems).toEqual([])
  await context.close()
})

/** Collects requests to other hosts, and errors and warnings, including violations of the content security policy. */
function watch(page: Page) {
  const problems: string[] = []
  const foreignRequests: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) problems.push(line.text())
  })
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && hostname !== '127.0.0.1') foreignRequests.push(request.url())
  })
  return { problems, foreignRequests }
}
