import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll } from 'vitest'
import { type Tenant, useHarness } from '../../../../../../testing/harness.ts'
import { createPage, FIELDS, PHOTOS, submissionsOf } from '../../../../../../testing/page-visitor.ts'
import { useBrowser } from '../../../../../../testing/world/browser.ts'

interface Options extends BrowserContextOptions {
  blocks?: readonly object[]
}

/** Pages with a form, each in a browser of its own. */
export function useForms() {
  const harness = useHarness()
  const browser: Pick<Browser, 'newContext'> = useBrowser()
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await harness.createTenant()
  })

  /** Opens a new page, and collects what the browser complains about. */
  return async ({ blocks = [...FIELDS, PHOTOS], ...options }: Options = {}, more: object = {}) => {
    const created = await createPage(tenant, blocks, more)
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 }, ...options })
    const url = `${harness.baseUrl}/p/${created.public_slug}`
    const problems: string[] = []
    const open = async (waitMs = 5000): Promise<Page> => {
      const page = await context.newPage()
      page.on('console', (line) => problems.push(line.text()))
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(url)
      harness.advance(waitMs)
      return page
    }
    const received = () => submissionsOf(harness, tenant, created)
    return { context, open, problems, received, url, page: await open() }
  }
}

export async function photo(name = 'leak.jpg') {
  const image = sharp({ create: { width: 600, height: 400, channels: 3, background: '#0f766e' } })
  return { name, mimeType: 'image/jpeg', buffer: await image.jpeg().toBuffer() }
}

/** Our script refuses it only after the upload: its name and type look right. */
export const NO_PHOTO = { name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>alert(1)</script>') }

/** What is said at a field. Its other texts are there, but not shown. */
export const said = (page: Page, text: string) => page.locator('[data-wm-says] > .on', { hasText: text })
export const what = (page: Page) => page.getByLabel('What happened?')
export const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
export const waitForSent = (page: Page) => page.waitForURL('**/sent?lang=en*')
