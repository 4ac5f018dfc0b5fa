import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const TARGET_PX_MIN = 44

/** Checks that a page is accessible, fits the screen, and has targets that a finger can hit. */
export async function expectGoodPage(page: Page): Promise<void> {
  // Scripts are not allowed on these pages. This one runs outside of the page's own world.
  const { violations } = (await page.evaluate(`${axe.source}; axe.run()`)) as axe.AxeResults
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width, `${page.url()} overflows`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  for (const target of await page.locator('button, .button, input:not([type=hidden]), select').all()) {
    const box = await target.boundingBox()
    expect(box?.height, await target.innerText()).toBeGreaterThanOrEqual(TARGET_PX_MIN)
  }
}
