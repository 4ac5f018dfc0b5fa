import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ATTACKS } from '../../testing/data/attacks.ts'
import { useBrowser } from '../../testing/world/browser.ts'
import { usePageServer } from '../../testing/world/page-server.ts'
import { createRenderer } from './renderer.ts'
import { sanitise } from './sanitise.ts'

/** The elements of the page itself. Content that escaped from its article would appear next to them. */
const PAGE_ELEMENTS = ['MAIN', 'FOOTER', 'DIV', 'ARTICLE']

/** These pages have no Content-Security-Policy, so the inserted HTML alone has to be harmless. */
const pages = new Map<string, string>()
const site = usePageServer((request, response) => {
  const page = pages.get(request.url ?? '')
  if (page === undefined) return response.writeHead(404).end()
  return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
const browser = useBrowser()

test('no attack runs, loads from another origin, escapes its article or keeps a dangerous attribute', async () => {
  const { toHtml } = createRenderer()
  const shown = [...ATTACKS.map(toHtml), ...ATTACKS.map(sanitise)]
  const articles = shown.map((html) => `<div><article>${html}</article></div>`).join('')
  const { page, blocked } = await show(`<!doctype html><title>t</title><main>${articles}</main><footer></footer>`)

  for (const _ of ['as rendered', 'after serialising and parsing it once more']) {
    expect(await provoke(page)).toEqual({ attacked: false, found: [], articles: shown.length, around: PAGE_ELEMENTS })
    await page.evaluate(`document.querySelectorAll('article').forEach((each) => { each.innerHTML = each.innerHTML })`)
  }
  expect(blocked).toEqual([])
  await page.context().close()
})

test('many of the attacks run when they are not sanitised', async () => {
  // Every second: the frames take longer than everything else here.
  const attacks = ATTACKS.filter((_, n) => n % 2 === 0)
  const { page } = await show('<!doctype html><body>')
  const ran = await page.evaluate(`(async () => {
    const frames = await Promise.all(${JSON.stringify(attacks)}.map((attack) => new Promise((shown) => {
      const frame = document.createElement('iframe')
      frame.onload = () => shown(frame)
      frame.srcdoc = '<!doctype html><body>' + attack
      document.body.append(frame)
    })))
    return frames.filter(({ contentWindow: frame }) => {
      try { return frame.__attacked === true } catch { return true }
    }).length
  })()`)
  expect(ran).toBeGreaterThan(25)
  await page.context().close()
})

/** Opens a page. Requests to other origins are blocked and recorded. */
async function show(html: string): Promise<{ page: Page; blocked: string[] }> {
  const page = await browser.newPage()
  const blocked: string[] = []
  await page.route(
    (url) => url.origin !== site.origin,
    (route) => {
      blocked.push(route.request().url())
      return route.abort()
    },
  )
  pages.set('/', html)
  await page.goto(`${site.origin}/`, { waitUntil: 'load' })
  return { page, blocked }
}

/** Fires the events of a reader on every element, then inspects the DOM. Runs in the page. */
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
