import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { APPEARANCE, violationsOf } from './accessibility.ts'

/** A finger hits what is this high. */
export const TARGET_PX_MIN = 44

type Screen = typeof PHONE | typeof DESKTOP
export const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: 'light' } as const
/** The narrowest screen that anybody uses. */
export const NARROWEST = { width: 320, height: 600 }
export const DESKTOP = { viewport: { width: 1200, height: 800 }, colorScheme: 'dark' } as const

/** Finds targets that are shown and too low. It runs in the page, because each question to the browser is a round trip. */
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

/** Checks on a phone and on a desktop that a page is good. */
export const expectGoodOnBothScreens = (page: Page): Promise<void> =>
  onBothScreens(page, (_screen, rules) => expectGoodPage(page, rules))

/**
 * Checks a page on a phone and then, without loading it again, on a desktop. Both show the same elements, so that on the
 * desktop only the rules for sizes and colours have to be checked. Leaves the page on the phone.
 */
export async function onBothScreens(
  page: Page,
  check: (screen: Screen, rules?: axe.RunOptions) => Promise<void>,
): Promise<void> {
  await show(page, PHONE)
  await check(PHONE)
  await show(page, DESKTOP)
  await check(DESKTOP, APPEARANCE)
  await show(page, PHONE)
}

async function show(page: Page, { viewport, colorScheme }: Screen): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
}
