import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const TARGET_PX_MIN = 44

interface Inspected {
  violations: string[]
  width: number
  small: string[]
}

/** Runs in the page. All at once, because each question to the browser costs a round trip. */
const INSPECT = `(async () => {
  const { violations } = await axe.run({ resultTypes: ['violations'] })
  const targets = [...document.querySelectorAll('button, .button, input:not([type=hidden], [hidden]), select')]
  return {
    violations: violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
    width: document.documentElement.scrollWidth,
    small: targets.filter((each) => !(each.getBoundingClientRect().height >= ${TARGET_PX_MIN})).map((each) => each.outerHTML),
  }
})()`

/** Checks that a page is accessible, fits the screen, and has targets that a finger can hit. */
export async function expectGoodPage(page: Page): Promise<void> {
  // Scripts are not allowed on these pages. This one runs outside of the page's own world.
  const { violations, width, small } = (await page.evaluate(`${axe.source}; ${INSPECT}`)) as Inspected
  expect(violations).toEqual([])
  expect(width, `${page.url()} overflows`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  expect(small, `targets lower than ${TARGET_PX_MIN} px`).toEqual([])
}
