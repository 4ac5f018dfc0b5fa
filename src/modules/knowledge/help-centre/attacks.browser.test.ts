import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { useHarness } from '../../../testing/harness.ts'
import { useBrowser } from '../../../testing/world/browser.ts'

const harness = useHarness()

/** The pages that are inspected at a time. */
const FRAMES = 40

/** In characters. Of names, and of a search. */
const NAME_LENGTH_MAX = 190
const CONTENT_LENGTH_MAX = 400

/**
 * Joins attacks, as many as fit into each text. A page for each would take four times as long and prove no more:
 * `attacks.once.test.ts` and `search.once.test.ts` check each alone, and the tests of Markdown each as a content.
 */
function joined(attacks: readonly string[], separator: string, lengthMax: number): string[] {
  const texts: string[] = []
  for (const attack of attacks) {
    const longer = `${texts.at(-1)}${separator}${attack}`
    if (texts.length > 0 && longer.length <= lengthMax) texts.splice(-1, 1, longer)
    else texts.push(attack)
  }
  return texts
}

/** The attacks that are valid texts: not empty, no U+0000. */
const VALID = ATTACKS.map((attack) => attack.replaceAll('\0', '').trim()).filter((text) => text !== '')
const CONTENTS = joined(VALID, '\n\n', CONTENT_LENGTH_MAX)
const NAMES = joined(
  VALID.map((attack) => attack.slice(0, NAME_LENGTH_MAX).trim()),
  ' ',
  NAME_LENGTH_MAX,
)
/** Each is shown in the same places, so some of them will do. */
const QUERIES = NAMES.filter((_, n) => n % 4 === 0)

let centre: TestCentre
const browser = useBrowser()
const slugs: string[] = []
beforeAll(async () => {
  centre = await createCentre(harness, { name: NAMES[0], description: NAMES.slice(0, 8).join('\n') })
  for (const [n, name] of NAMES.entries()) {
    const { id } = await centre.category({ name, description: name, sort_order: n })
    const content = CONTENTS[n]
    if (content === undefined) continue
    // The name of its category is on its page as well.
    const { slug } = await centre.article({ title: NAMES.at(-1 - n), slug: `a-${n}`, content, category_id: id })
    slugs.push(slug)
  }
})

test('no attack runs in any name or text, even without a Content-Security-Policy', async () => {
  const context = await browser.newContext({ bypassCSP: true })
  const externalRequests: string[] = []
  // Images may come from any origin. Nothing is fetched from outside in the test.
  await context.route('**', (route) => {
    const request = route.request()
    if (request.url().startsWith(harness.baseUrl)) return route.continue()
    if (request.resourceType() !== 'image') externalRequests.push(request.url())
    return route.abort()
  })
  const page = await context.newPage()
  await page.goto(`${harness.baseUrl}${centre.path}`)
  expect(await inspect(page, ['<!doctype html><h1>t</h1><script>window.__attacked = true</script>'])).toMatchObject([
    { attacked: true, found: [expect.any(String)] },
  ])

  const paths = [
    '',
    '/articles',
    `/articles?after=${slugs.at(-40)}`,
    '/categories',
    '/categories?after=category-40',
    `/categories?after=category-${NAMES.length - 40}`,
    ...slugs.map((slug) => `/articles/${slug}`),
    ...QUERIES.map((query) => `/search?q=${encodeURIComponent(query.toWellFormed())}`),
  ]
  while (paths.length > 0) {
    const some = paths.splice(0, FRAMES)
    const texts: string[] = []
    for (const path of some) texts.push((await centre.read(path)).text)
    const inspected = await inspect(page, texts)
    for (const [n, path] of some.entries()) {
      expect(inspected[n], path).toEqual({
        attacked: false,
        found: [],
        headings: 1,
        votes: path.startsWith('/articles/') ? 1 : 0,
        bodyElements: path === '' ? HOME_ELEMENTS : BODY_ELEMENTS,
      })
    }
  }
  expect(externalRequests).toEqual([])
  await context.close()
})

/** The children of `<body>` on every page, regardless of its content, and on the home page. */
const BODY_ELEMENTS = ['A', 'HEADER', 'MAIN', 'FOOTER']
const HOME_ELEMENTS = ['A', 'HEADER', 'SECTION', 'MAIN', 'FOOTER']

/** Shows each text as a page of its own, in a frame, and inspects it once it has loaded. Opening each takes much longer. */
const inspect = (page: Page, texts: string[]): Promise<unknown[]> =>
  page.evaluate(`(async () => {
    const SAFE = ['http:', 'https:', 'mailto:', 'tel:']
    const forbidden = 'script:not([type="application/ld+json"]), iframe, object, embed, base, meta[http-equiv], form:not([role=search], main > .vote > form), body style, textarea, body link'
    const inspect = ({ contentWindow, contentDocument }) => {
      const found = [...contentDocument.querySelectorAll(forbidden)].map((element) => element.outerHTML)
      // The icon of every page is an empty data URL.
      for (const element of contentDocument.querySelectorAll('*:not(link[rel=icon])')) {
        for (const { name, value } of element.attributes) {
          const isAddress = ['href', 'src', 'action', 'formaction'].includes(name)
          const protocol = isAddress ? new URL(value, location).protocol : 'https:'
          if (/^on|^style$|^srcdoc$|^srcset$/.test(name) || !SAFE.includes(protocol)) found.push(element.outerHTML)
        }
      }
      return {
        attacked: contentWindow.__attacked === true || window.__attacked === true,
        found,
        headings: contentDocument.querySelectorAll('h1').length,
        votes: contentDocument.querySelectorAll('.vote, .vote form').length / 2,
        bodyElements: [...contentDocument.body.children].map(({ nodeName }) => nodeName),
      }
    }
    const show = (text) => new Promise((shown) => {
      const frame = document.createElement('iframe')
      frame.onload = () => shown(frame)
      frame.srcdoc = text
      document.body.append(frame)
    })
    const frames = await Promise.all(${JSON.stringify(texts)}.map(show))
    const inspected = frames.map(inspect)
    for (const frame of frames) frame.remove()
    return inspected
  })()`)
