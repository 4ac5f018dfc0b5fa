import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ATTACKS } from '../../testing/data/attacks.ts'
import { useBrowser } from '../../testing/world/browser.ts'
import { usePageServer } from '../../testing/world/page-server.ts'
import { createRenderer } from './renderer.ts'
import { sanitise } from './sanitise.ts'

/** What the page itself consists of. Text that got out of its article would be seen beside them. */
const PLACES = ['MAIN', 'FOOTER', 'DIV', 'ARTICLE']

/** No policy protects these pages: what is put into them has to be harmless by itself. */
const pages = new Map<string, string>()
const site = usePageServer((request, response) => {
  const page = pages.get(request.url ?? '')
  if (page === undefined) return response.writeHead(404).end()
  return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
const browser = useBrowser()

test('no attack runs, loads from elsewhere, leaves its place or keeps a dangerous attribute', async () => {
  const { toHtml } = createRenderer()
  const shown = [...ATTACKS.map(toHtml), ...ATTACKS.map(sanitise)]
  const articles = shown.map((html) => `<div><article>${html}</article></div>`).join('')
  const { page, elsewhere } = await show(`<!doctype html><title>t</title><main>${articles}</main><footer></footer>`)

  for (const _ of ['as it was sent', 'as it is when written out and read once more']) {
    expect(await provoke(page)).toEqual({ attacked: false, found: [], articles: shown.length, around: PLACES })
    await page.evaluate(`document.querySelectorAll('article').forEach((each) => { each.innerHTML = each.innerHTML })`)
  }
  expect(elsewhere).toEqual([])
  await page.context().close()
})

test('the attacks are real: untouched, many of them run', async () => {
  const frames = ATTACKS.map((attack, n) => {
    pages.set(`/raw/${n}`, `<!doctype html><body>${attack}`)
    return `<iframe src="/raw/${n}"></iframe>`
  })
  const { page } = await show(`<!doctype html><body>${frames.join('')}`)
  const ran = await page.evaluate(`[...document.querySelectorAll("iframe")].filter(({ contentWindow: frame }) => {
    try { return frame.__attacked === true } catch { return true }
  }).length`)
  expect(ran).toBeGreaterThan(50)
  await page.context().close()
})

/** What would lead elsewhere is not let out, but remembered. */
async function show(html: string): Promise<{ page: Page; elsewhere: string[] }> {
  const page = await browser.newPage()
  const elsewhere: string[] = []
  await page.route(
    (url) => url.origin !== site.origin,
    (route) => {
      elsewhere.push(route.request().url())
      return route.abort()
    },
  )
  pages.set('/', html)
  await page.goto(`${site.origin}/`, { waitUntil: 'load' })
  return { page, elsewhere }
}

/** Does to every element what a reader might do to it, then looks at what is there. Runs in the page. */
const provoke = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    const EVENTS = ['mouseover', 'mouseenter', 'focus', 'blur', 'click', 'toggle', 'load', 'error', 'animationstart']
    const TAGS = /^(H[1-6]|P|SECTION|BLOCKQUOTE|PRE|HR|BR|FIGURE|FIGCAPTION|UL|OL|LI|DL|DT|DD|DETAILS|SUMMARY|TABLE|CAPTION|THEAD|TBODY|TFOOT|TR|TH|TD|A|IMG|SPAN|EM|STRONG|B|I|U|S|DEL|INS|SMALL|SUB|SUP|MARK|CODE|KBD|SAMP|VAR|ABBR|DFN|CITE|Q|BDI|RUBY|RT|RP)$/
    const ATTRIBUTES = /^(href|src|alt|title|width|height|align|colspan|rowspan|scope|start|rel|loading|open|dir|lang)$/
    const isHarmless = ({ name, value }) =>
      name === 'id' ? value.startsWith('h-') : name === 'class' ? /^language-\\S+$/.test(value) : ATTRIBUTES.test(name)
    const found = []
    for (const article of document.querySelectorAll('main > div > article:only-child')) {
      for (const element of article.querySelectorAll('*')) {
        if (!TAGS.test(element.tagName) || element.shadowRoot) found.push(element.outerHTML)
        if (![...element.attributes].every(isHarmless)) found.push(element.outerHTML)
        if (element.href && !/^(https?|mailto|tel):/.test(element.href)) found.push(element.outerHTML)
        if (element.getAttribute('src') && !/^https?:/.test(element.src)) found.push(element.outerHTML)
        for (const type of EVENTS) element.dispatchEvent(new Event(type, { cancelable: true }))
      }
    }
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    return {
      attacked: '__attacked' in window || '__attacked' in document,
      found,
      articles: document.querySelectorAll('main > div > article:only-child').length,
      around: [...new Set([...document.querySelectorAll('body, main, div')].flatMap(({ childNodes }) =>
        [...childNodes].map(({ nodeName }) => nodeName)))],
    }
  })()`)
