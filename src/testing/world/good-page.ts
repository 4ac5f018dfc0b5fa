import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsOf } from './accessibility.ts'

const TARGET_PX_MIN = 44

/** Runs in the page, for all targets at once: each question to the browser costs a round trip. */
const LOW_TARGETS = `[...document.querySelectorAll('button, .button, input:not([type=hidden]), select')]
  .filter((each) => each.closest('[hidden]') === null && !(each.getBoundingClientRect().height >= ${TARGET_PX_MIN}))
  .map((each) => each.outerHTML)`

/** Checks that a page is accessible, fits the screen, and has targets that a finger can hit. */
export async function expectGoodPage(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width, `${page.url()} overflows`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  expect(await page.evaluate(LOW_TARGETS), `targets lower than ${TARGET_PX_MIN} px`).toEqual([])
}
