import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../../testing/data/help-centre.ts'
import { useHarness } from '../../../../testing/harness.ts'
import { violationsOf } from '../../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../../testing/world/browser.ts'
import { TEXTS } from '../texts.ts'

const harness = useHarness()
const browser = useBrowser()
const TARGET_PX_MIN = 44
const { question, thanks } = TEXTS.en.feedback

let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness, { primary_color: '#ffd400' })
})

const groupOf = async (id: string): Promise<any> =>
  (await centre.tenant.get('/v1/unanswered')).body.data.find((group: any) => group.article_id === id)

async function expectAccessible(page: Page, width: number): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
}

const SIZES = [
  { name: 'phone', width: 375, height: 740 },
  { name: 'desktop', width: 1280, height: 800 },
]

describe.each(SIZES)('on a $name', ({ width, height }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`a reader without scripts says that an article did not help, in ${colorScheme} mode`, async () => {
      const slug = `oak-${width}-${colorScheme}`
      const { id } = await centre.article({ slug, title: 'Oak table', content: 'Wipe it with a soft cloth.' })
      const options = { viewport: { width, height }, colorScheme, locale: 'en-GB' }
      const context = await browser.newContext({ ...options, javaScriptEnabled: false })
      // Only axe needs scripts.
      const checked = await (await browser.newContext(options)).newPage()
      const problems: string[] = []
      const page = await context.newPage()
      page.on('console', (line) => problems.push(line.text()))
      const address = `${harness.baseUrl}${centre.path}/articles/${slug}`
      await page.goto(address)
      await checked.goto(address)
      await expectAccessible(checked, width)
      const form = page.getByRole('group', { name: question })
      for (const button of await form.getByRole('button').all()) {
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(TARGET_PX_MIN)
      }
      expect(await page.getByText(thanks).isVisible()).toBe(false)
      await form.getByRole('button', { name: 'No' }).click()
      await page.waitForURL(`${address}#feedback-thanks`)
      expect(await page.getByText(thanks).isVisible()).toBe(true)
      expect(await form.isVisible()).toBe(false)
      expect(await groupOf(id)).toMatchObject({ not_helpful_count: 1 })
      await checked.goto(page.url())
      await expectAccessible(checked, width)
      expect(problems).toEqual([])
      await context.close()
      await checked.context().close()
    })
  }
})

test('the thanks have the focus, so that a screen reader begins with them', async () => {
  await centre.article({ slug: 'focus', title: 'Oak table' })
  const page = await browser.newPage({ locale: 'de-DE' })
  await page.goto(`${harness.baseUrl}${centre.path}/de/articles/focus`)
  await page.getByRole('button', { name: TEXTS.de.feedback.yes, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/de/articles/focus#feedback-thanks')
  expect(await page.evaluate('document.activeElement.textContent')).toBe(TEXTS.de.feedback.thanks)
  await page.context().close()
})
