import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { insertProductImage } from '../../../testing/data/product-images.ts'
import { scan } from '../../../testing/data/scans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { violationsOf } from '../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { DESKTOP, NARROWEST, onBothScreens, PHONE, TARGET_PX_MIN } from '../../../testing/world/good-page.ts'

const harness = useHarness()

/** A screen of 1280 px at twice the size. */
const ZOOMED = { width: 640, height: 400 }

const PICTURE = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

const CONTENT = `A soft cloth, see [our shop](https://acme.com/oil) and [below](#h-table).

## Table

| Surface | Clean with | Never, however dirty it may look | How often |
|---|---|---|---|
| Oiled and waxed surfaces | soap-flakes-and-lukewarm-water | microfibre | monthly |

\`\`\`
acme-care --surface oak --oil linseed --coats 2 --wait 20min --temperature 20C --humidity 45
\`\`\`

Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft

<details><summary>More</summary>Much more.</details>
`

let centre: TestCentre
const browser = useBrowser()
beforeAll(async () => {
  centre = await createCentre(harness, {
    description: 'All about furniture',
    primary_color: '#ffd400',
    contact_email: 'help@acme.example',
    contact_phone: '+49 30 1234567',
  })
  const care = await centre.category({ slug: 'care', name: 'Care', icon: 'star', description: 'Wood and leather' })
  const wood = await centre.category({ slug: 'wood', name: 'Wood', parent_id: care.id })
  const oak = await centre.article({ title: 'Oak table', slug: 'oak', content: CONTENT, category_id: wood.id })
  await centre.translate(oak.id, 'de', 'Eichentisch', CONTENT)
  for (let n = 0; n < 4; n++) await centre.article({ title: `Leather ${n}`, category_id: care.id })
  const hide = await centre.article({ title: 'Hide', category_id: care.id })
  await centre.multiplyArticle(hide.id, 50)
  const arabic = await centre.article({
    title: 'تنظيف الطاولة',
    slug: 'arabic',
    content: '## كيف؟\n\nاستخدم قطعة قماش ناعمة.\n\n- قماش\n\n> لا تترك الماء.',
  })
  const related = { related_article_ids: [arabic.id] }
  expect((await centre.tenant.put(`/v1/articles/${oak.id}/relations`, related)).status).toBe(200)
  await eventually(async () => (await centre.read(PAGES.search)).text.includes('/articles/leather'))
})

const PAGES = {
  home: '',
  category: '/categories/care',
  article: '/articles/oak',
  'an article in another language': '/fr/articles/oak',
  'a right-to-left article': '/articles/arabic',
  search: '/search?q=leather',
  'a search without results': '/search?q=nonsense',
  'all articles': '/articles',
  'all categories': '/categories',
  'a missing page': '/nothing',
  'an unknown help centre': 'unknown',
}

const addressOf = (path: string) =>
  path === 'unknown' ? `${harness.baseUrl}/kb/unknown` : `${harness.baseUrl}${centre.path}${path}`

async function open(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const consoleErrors: string[] = []
  const externalRequests: string[] = []
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  page.on('console', (line) => {
    // The browser logs the 404 of the page itself.
    if (['error', 'warning'].includes(line.type()) && !line.text().includes('status of 404'))
      consoleErrors.push(line.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(harness.baseUrl) && !request.url().startsWith('data:'))
      externalRequests.push(request.url())
  })
  await work(page)
  expect(consoleErrors).toEqual([])
  expect(externalRequests).toEqual([])
  await context.close()
}

/** The list of all categories has no heading between that of the page and those of its categories. */
const RULES = { rules: { 'heading-order': { enabled: false } } }

test('every page passes axe, fits every screen and can be used by keyboard and by touch, in both modes', async () => {
  // A page is loaded once. Loading it takes longer than to show it on another screen.
  await open({ viewport: PHONE.viewport, hasTouch: true, deviceScaleFactor: 2 }, async (page) => {
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(addressOf(path))
      await expectAccessible(page, name)
      await expectToFit(page, name)
      await expectUsable(page, name)
    }
  })
})

const expectAccessible = (page: Page, name: string): Promise<void> =>
  onBothScreens(page, async ({ colorScheme }, rules = RULES) => {
    expect(await violationsOf(page, rules), `${name} in ${colorScheme} mode`).toEqual([])
  })

/** No screen scrolls sideways, not even the narrowest. */
async function expectToFit(page: Page, name: string): Promise<void> {
  for (const viewport of [DESKTOP.viewport, ZOOMED, NARROWEST, PHONE.viewport]) {
    await page.setViewportSize(viewport)
    const { width, headers } = await page.evaluate<{ width: number; headers: number[] }>(`({
      width: document.documentElement.scrollWidth,
      headers: [...document.querySelectorAll('.top')].map((header) => header.getBoundingClientRect().height),
    })`)
    expect(width, `${name}: no horizontal overflow`).toBe(viewport.width)
    // One line: the name, the search and the languages.
    if (viewport !== DESKTOP.viewport)
      for (const height of headers) expect(height, `${name} at ${width} px`).toBeLessThan(60)
  }
}

/** Every control is reached by keyboard, shows its focus, and is high enough for a finger. */
async function expectUsable(page: Page, name: string): Promise<void> {
  await openAll(page)
  const small = await page.evaluate(`[...document.querySelectorAll('a[href], button, input, summary')]
    .filter((element) => element.closest('p, .skip') === null)
    .map((element) => element.closest('.card') ?? element)
    .filter((element) => element.getBoundingClientRect().height < ${TARGET_PX_MIN})
    .map((element) => element.outerHTML)`)
  expect(small, name).toEqual([])

  await recordFocus(page)
  const controls = await page.locator('a[href], button, input, summary, [tabindex="0"]').count()
  for (let n = 0; n < controls; n++) await page.keyboard.press('Tab')
  const focused = await page.evaluate<{ place: string; outlines: string[] }[]>('window.focused')
  for (const { place, outlines } of focused) expect(outlines, `${name}: ${place}`).toContain('solid')
  expect(new Set(focused.map(({ place }) => place)).size, name).toBe(controls)
}

/** Shows the languages, and what else is folded. */
const openAll = (page: Page): Promise<void> =>
  page.evaluate(`document.querySelectorAll('details').forEach((details) => { details.open = true })`)

/** Identifies each element that gets the focus by its position in the document, with its outline or that of its card. */
const recordFocus = (page: Page): Promise<void> =>
  page.evaluate(`(() => {
    const all = [...document.querySelectorAll('*')]
    window.focused = []
    addEventListener('focusin', ({ target: element }) => {
      const outlines = [getComputedStyle(element), getComputedStyle(element, '::after')].map((style) => style.outlineStyle)
      window.focused.push({ place: all.indexOf(element) + ' ' + element.outerHTML.slice(0, 80), outlines })
    })
  })()`)

test('the skip link moves the focus to the content', async () => {
  await open({}, async (page) => {
    await page.goto(addressOf('/articles/oak'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Home')
  })
})

test('a right-to-left article keeps its direction in a left-to-right interface', async () => {
  await open({ viewport: PHONE.viewport }, async (page) => {
    await page.goto(addressOf('/articles/arabic'))
    const sides = await page.evaluate(`(() => {
      const right = (selector) => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector(selector))
        return Math.round(document.documentElement.clientWidth - range.getBoundingClientRect().right)
      }
      return {
        article: getComputedStyle(document.querySelector('article')).direction,
        page: getComputedStyle(document.body).direction,
        title: right('h1'),
        quote: getComputedStyle(document.querySelector('blockquote')).borderRightWidth,
      }
    })()`)
    expect(sides).toEqual({ article: 'rtl', page: 'ltr', title: 20, quote: '4px' })
  })
})

test('print shows only the content, with the URLs of links', async () => {
  await open({ colorScheme: 'dark' }, async (page) => {
    await page.goto(addressOf('/articles/oak'))
    await page.emulateMedia({ media: 'print' })
    for (const selector of ['.top', 'footer', '.trail', '.related']) {
      expect(await page.locator(selector).isVisible(), selector).toBe(false)
    }
    expect(await page.locator('h1').isVisible()).toBe(true)
    const after = await page.evaluate(`getComputedStyle(document.querySelector('.prose p a'), '::after').content`)
    expect(after).toContain('https://acme.com/oil')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.prose p a')).color`)).toBe('rgb(0, 0, 0)')
  })
})

test('what was scanned is in the header, and nothing moves when its picture arrives', async () => {
  const { tenant, base } = await createCentre(harness, { translations: { ar: { name: 'مساعدة أكمي' } } })
  const picture = await tenant.post('/v1/assets', PICTURE)
  const name = 'Acme One, the coffee machine for offices with more than two hundred people'
  const given = { name, gtin: '9506000134352', destination: { knowledge_base: base.id } }
  const product = await tenant.post('/v1/products', given)
  expect([picture.status, product.status]).toEqual([201, 201])
  const { pathname } = new URL(picture.body.url)
  await insertProductImage(harness, tenant, product.body.id, pathname.replace('/assets/', ''))
  const { headers } = await scan(harness, new URL(product.body.url).pathname)
  const address = new URL(headers.get('location') ?? '')
  for (const locale of ['en', 'ar']) {
    for (const viewport of [NARROWEST, { width: 1280, height: 800 }]) {
      const shownAs = `in ${locale} at ${viewport.width} px`
      await open({ viewport, locale }, async (page) => {
        let sendPicture = () => {}
        const isMeasured = new Promise<void>((resolve) => {
          sendPicture = resolve
        })
        await page.route(`**${pathname}`, (route) => isMeasured.then(() => route.continue()))
        await page.goto(harness.baseUrl + address.pathname + address.search, { waitUntil: 'commit' })
        await page.locator('footer').waitFor()
        const before = await measureChip(page)
        expect(before, shownAs).toMatchObject({ text: name, isInside: true, width: viewport.width, hasPicture: false })
        expect(await page.locator('html').getAttribute('dir'), shownAs).toBe(locale === 'ar' ? 'rtl' : null)
        sendPicture()
        await page.waitForLoadState()
        expect(await measureChip(page), shownAs).toEqual({ ...before, hasPicture: true })
        expect(await violationsOf(page, RULES), shownAs).toEqual([])
      })
    }
  }
})

/** What is scanned, whether it is inside the header and the screen, and where everything is. */
const measureChip = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(`(() => {
    const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON()
    const chip = boxOf('header .scanned')
    const header = boxOf('header')
    const { scrollWidth } = document.documentElement
    return {
      text: document.querySelector('header .scanned').innerText,
      isInside: chip.left >= 0 && chip.right <= innerWidth && chip.bottom <= header.bottom && chip.bottom <= innerHeight,
      width: scrollWidth,
      hasPicture: document.querySelector('.scanned img').naturalWidth > 0,
      boxes: ['header', '.brand', '.languages', '.scanned', '.scanned img', 'main', 'footer'].map(boxOf),
    }
  })()`)

describe('without scripts', () => {
  test('a visitor can search, read and change the language', async () => {
    await open({ javaScriptEnabled: false, locale: 'de-DE' }, async (page) => {
      await page.goto(addressOf(''))
      await page.getByRole('searchbox').fill('<b>Leder & "mehr"')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search?**')
      expect(new URL(page.url()).searchParams.get('q')).toBe('<b>Leder & "mehr"')
      expect(await page.getByRole('searchbox').inputValue()).toBe('<b>Leder & "mehr"')
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('<b>Leder & "mehr"')
      await page.getByRole('banner').getByRole('link', { name: 'Acme help' }).click()
      await page.getByRole('link', { name: 'Care' }).click()
      await page.getByRole('link', { name: 'Wood' }).click()
      await page.getByRole('link', { name: 'Eichentisch' }).click()
      expect(await page.locator('h1').textContent()).toBe('Eichentisch')
      await page.locator('.languages summary').click()
      await page.getByRole('link', { name: 'English' }).click()
      expect(await page.locator('h1').textContent()).toBe('Oak table')
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
    })
  })
})

test('a browser parses the sitemap and the feed as XML', async () => {
  await open({}, async (page) => {
    for (const [path, root, items] of [
      ['/sitemap.xml', 'urlset', 'url'],
      ['/feed.atom', 'feed', 'entry'],
    ] as const) {
      const { text } = await centre.read(path)
      const read = `(() => {
        const parsed = new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml')
        return [parsed.documentElement.nodeName, parsed.getElementsByTagName('${items}').length]
      })()`
      expect(await page.evaluate(read)).toEqual([root, items === 'url' ? 2 + 55 + 1 + 2 : 30])
    }
  })
})
