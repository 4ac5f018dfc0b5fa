import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/**
 * What axe finds wrong with a page. Scripts are not allowed on most pages; this one runs outside of the page's own world. It
 * collects only violations, which takes a quarter of the time.
 */
export const violationsOf = (page: Page | Frame, options: axe.RunOptions = {}): Promise<string[]> =>
  page.evaluate(`${axe.source}; axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
