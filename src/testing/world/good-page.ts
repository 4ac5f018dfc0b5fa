import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { APPEARANCE, violationsOf } from './accessibility.ts'

const TARGET_PX_MIN = 44

export const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: 'light' } as const
const DESKTOP = { viewport: { width: 1200, height: 800 }, colorScheme: 'dark' } as const

/** Of those that are shown. Runs in the page, for all at once: each question to the browser costs a round trip. */
const LOW_TARGETS = `[...document.querySelectorAll('button, .button, input:not([type=hidden]), select')]
  .filter((each) => each.getClientRects().length > 0 && !(each.getBoundingClientRect().height >= ${TARGET_PX_MIN}))
  .map((each) => each.outerHTML)`

/** Checks that a page is accessible, fits the screen, and has targets that a finger can hit. */
export async function expectGoodPage(page: Page, options?: axe.RunOptions): Promise<void> {
  expect(await violationsOf(page, options)).toEqual([])
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width, `${page.url()} overflows`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  expect(await page.evaluate(LOW_TARGETS), `targets lower than ${TARGET_PX_MIN} px`).toEqual([])
}

/**
 * Checks a page of `PHONE` there, and then, without loading it again, on `DESKTOP`. For pages that show the same elements on
 * every screen: their document is checked once, what sizes and colours change on both.
 */
export async function expectGoodOnBothScreens(page: Page): Promise<void> {
  await expectGoodPage(page)
  await show(page, DESKTOP)
  await expectGoodPage(page, APPEARANCE)
  await show(page, PHONE)
}

/** Shows an open page on another screen. */
async function show(page: Page, { viewport, colorScheme }: typeof PHONE | typeof DESKTOP): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
}
