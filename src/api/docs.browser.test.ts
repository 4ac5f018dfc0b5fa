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

/** Four megabytes of script take a busy machine a while to read. */
const PATIENT = { timeout: 60_000 }

const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'light' },
  desktop: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
} as const

for (const [name, screen] of Object.entries(SCREENS)) {
  test(
    `the documentation shows on a ${name} in ${screen.colorScheme} colours, and asks nobody else for anything`,
    PATIENT,
    async () => {
      const context = await browser.newContext(screen)
      const page = await context.newPage()
      const { complaints, strangers } = watch(page)

      await page.goto(`${origin}/docs#tag/article-tags/POST/article-tags`)
      await page.getByRole('heading', { name: 'Create an article tag' }).waitFor({ state: 'visible' })

      expect(await page.title()).toBe('Waymark API')
      expect(await page.locator('body').getAttribute('class')).toContain(`${screen.colorScheme}-mode`)
      expect(await widthOf(page), 'nothing sticks out sideways').toBeLessThanOrEqual(screen.viewport.width)
      expect(strangers).toEqual([])
      expect(complaints).toEqual([])
      await context.close()
    },
  )
}

/** What the page complains of (the policy's refusals are among it), and whom else it tries to reach. */
function watch(page: Page) {
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) complaints.push(line.text())
  })
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && hostname !== '127.0.0.1') strangers.push(request.url())
  })
  return { complaints, strangers }
}

const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth')
