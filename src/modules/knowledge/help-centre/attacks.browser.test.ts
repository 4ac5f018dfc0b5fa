import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { useHarness } from '../../../testing/harness.ts'
import { useBrowser } from '../../../testing/world/browser.ts'

const harness = useHarness()

/** The test opens several hundred pages, possibly on a busy machine. */
const PATIENT = { timeout: 240_000 }

const TABS = 4

/** The attacks that are valid names: not empty, no U+0000, not too long. */
const NAMES = ATTACKS.map((attack) => attack.replaceAll('\0', '').slice(0, 190).trim()).filter((name) => name !== '')

let centre: TestCentre
const browser = useBrowser()
const slugs: string[] = []
beforeAll(async () => {
  centre = await createCentre(harness, { name: NAMES[0], description: NAMES.slice(0, 8).join('\n') })
  for (const [n, name] of NAMES.entries()) {
    const { id } = await centre.category({ name, description: name, sort_order: n })
    const { slug } = await centre.article({ title: name, slug: `a-${n}`, content: name, category_id: id })
    slugs.push(slug)
  }
}, 120_000)

test('no attack runs in any name or text, even without a Content-Security-Policy', PATIENT, async () => {
  const context = await browser.newContext({ bypassCSP: true })
  const externalRequests: string[] = []
  // Images may come from any origin. Nothing is fetched from outside in the test.
  await context.route('**', (route) => {
    const request = route.request()
    if (request.url().startsWith(harness.baseUrl)) return route.continue()
    if (request.resourceType() !== 'image') externalRequests.push(request.url())
    return route.abort()
  })
  const paths = [
    '',
    '/articles',
    '/articles?after=a-100',
    '/articles?after=a-50',
    '/categories?before=category-60',
    '/categories?after=category-60',
    '/categories?after=category-120',
    ...slugs.map((slug) => `/articles/${slug}`),
    ...ATTACKS.map((attack) => `/search?q=${encodeURIComponent(attack.toWellFormed())}`),
  ]
  await Promise.all(
    Array.from({ length: TABS }, async () => {
      const page = await context.newPage()
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        await page.goto(`${harness.baseUrl}${centre.path}${path}`)
        expect(await inspect(page), path).toEqual({
          attacked: false,
          found: [],
          headings: 1,
          votes: path.startsWith('/articles/') ? 1 : 0,
          bodyElements: BODY_ELEMENTS,
        })
      }
    }),
  )
  expect(externalRequests).toEqual([])
  await context.close()
})

/** The children of `<body>` on every page, regardless of its content. */
const BODY_ELEMENTS = ['A', 'HEADER', 'MAIN', 'FOOTER']

const inspect = (page: Page) =>
  page.evaluate(`(() => {
    const SAFE = ['http:', 'https:', 'mailto:', 'tel:']
    const forbidden = 'script:not([type="application/ld+json"]), iframe, object, embed, base, meta[http-equiv], form:not([role=search], main > .vote > form), body style, textarea, body link'
    const found = [...document.querySelectorAll(forbidden)].map((element) => element.outerHTML)
    // The icon of every page is an empty data URL.
    for (const element of document.querySelectorAll('*:not(link[rel=icon])')) {
      for (const { name, value } of element.attributes) {
        const isAddress = ['href', 'src', 'action', 'formaction'].includes(name)
        const protocol = isAddress ? new URL(value, location).protocol : 'https:'
        if (/^on|^style$|^srcdoc$|^srcset$/.test(name) || !SAFE.includes(protocol)) found.push(element.outerHTML)
      }
    }
    return {
      attacked: window.__attacked === true,
      found,
      headings: document.querySelectorAll('h1').length,
      votes: document.querySelectorAll('.vote, .vote form').length / 2,
      bodyElements: [...document.body.children].map(({ nodeName }) => nodeName),
    }
  })()`)
