import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** The rules that sizes and colours decide, for a page whose document was checked already, on another screen. */
export const APPEARANCE: axe.RunOptions = {
  runOnly: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'],
}

/**
 * What axe finds wrong with a page. Scripts are not allowed on most pages; this one runs outside of the page's own world. It
 * collects only violations, which takes a quarter of the time, and is loaded once per document, which takes as long as a check.
 */
export async function violationsOf(page: Page | Frame, options: axe.RunOptions = {}): Promise<string[]> {
  const source = (await page.evaluate(`'axe' in window`)) ? '' : axe.source
  return page.evaluate(`${source}; axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}
