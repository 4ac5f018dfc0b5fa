import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '../platform/http/server.ts'
import { createLogger } from '../platform/telemetry/logging.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { useBrowser } from '../testing/world/browser.ts'
import { mountDocs } from './docs.ts'

const server = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics: createMetrics() })
const browser = useBrowser()
let origin: string

beforeAll(async () => {
  mountDocs(server)
  await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

/** A busy machine needs a while to load 4 MB of script. */
const LONG_TIMEOUT = { timeout: 60_000 }

const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'light' },
  desktop: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
} as const

for (const [name, screen] of Object.entries(SCREENS)) {
  test(
    `renders on a ${name} in ${screen.colorScheme} mode, without requests to other hosts`,
    LONG_TIMEOUT,
    async () => {
      const context = await browser.newContext(screen)
      const page = await context.newPage()
      const { problems, foreignRequests } = watch(page)

      await page.goto(`${origin}/docs#tag/article-tags/POST/article-tags`)
      await page.getByRole('heading', { name: 'Create an article tag' }).waitFor({ state: 'visible' })

      expect(await page.title()).toBe('Waymark API')
      expect(await page.locator('body').getAttribute('class')).toContain(`${screen.colorScheme}-mode`)
      expect(await widthOf(page), 'no horizontal overflow').toBeLessThanOrEqual(screen.viewport.width)
      expect(foreignRequests).toEqual([])
      expect(problems).toEqual([])
      await context.close()
    },
  )
}

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

const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth')
