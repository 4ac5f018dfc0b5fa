/** Awkward brands are accessible, and the language switch works everywhere, in a real browser. */
import { beforeAll, expect, test } from 'vitest'
import { FAULT_REPORT } from '../../../testing/data/pages.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { violationsOf } from '../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { onBothScreens, PHONE } from '../../../testing/world/good-page.ts'

const harness = useHarness()
const browser = useBrowser()

let acme: Tenant
let paths: Record<'page' | 'centre' | 'chat' | 'notice', string>

const createOf = async (path: string, body: object) => (await acme.post(`/v1/${path}`, body)).body

beforeAll(async () => {
  acme = await harness.createTenant()
  const page = await createOf('pages', {
    ...{ title: 'Report a fault', status: 'active', blocks: FAULT_REPORT },
    translations: { de: { title: 'Störung melden' }, ar: { title: 'الإبلاغ عن عطل' } },
  })
  const base = await createOf('knowledge-bases', {
    ...{ name: 'Care', is_published: true, description: 'How to look after it' },
    translations: { de: { name: 'Pflege' }, ar: { name: 'العناية' } },
  })
  await createOf('article-categories', { name: 'Wood', slug: 'wood', knowledge_base_id: base.id })
  const bot = await createOf('chatbots', { name: 'Assistant', status: 'active', suggestions: ['How often?'] })
  const product = await createOf('products', { name: 'Oak chair', gtin: '9506000134352', status: 'inactive' })
  paths = {
    page: `/p/${page.public_slug}`,
    centre: `/kb/${base.public_slug}`,
    chat: `/c/${bot.public_slug}`,
    notice: new URL(product.url).pathname,
  }
})

test.each([
  ['a pale yellow', { primary_color: '#fff9c4', corner_radius: 0, light_background: null, dark_background: null }],
  ['a near-black', { primary_color: '#0b0b0b', corner_radius: 48, light_background: null, dark_background: null }],
  [
    'a middle grey on its like',
    { primary_color: '#8a8a8a', corner_radius: 8, light_background: '#808080', dark_background: '#777777' },
  ],
  [
    'light and dark exchanged',
    { primary_color: '#fff9c4', corner_radius: null, light_background: '#101418', dark_background: '#fdf6e3' },
  ],
])('%s is readable on every page, in light and dark', async (_name, brand) => {
  expect((await acme.patch('/v1/organisation', { brand })).status).toBe(200)
  const page = await browser.newPage(PHONE)
  for (const path of Object.values(paths)) {
    await page.goto(harness.baseUrl + path)
    await page.locator('.languages summary:visible').click()
    await onBothScreens(page, async ({ viewport, colorScheme }, rules) => {
      expect(await violationsOf(page, rules), `${path} in ${colorScheme} mode`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(viewport.width)
    })
  }
  await page.close()
})

/** In a notice, texts in other languages have a link to the one switch. */
const SWITCH = '.languages > a:visible, .languages summary:visible'

test('the language switch is at the top end, works by keyboard and without scripts, and in both directions', async () => {
  const page = await browser.newPage({ ...PHONE, javaScriptEnabled: false, locale: 'en' })
  const startOf = async () => {
    const box = await page.locator(SWITCH).boundingBox()
    expect(box?.y).toBeLessThan(60)
    return box?.x ?? 0
  }
  for (const path of Object.values(paths)) {
    await page.goto(harness.baseUrl + path)
    expect(await startOf(), path).toBeGreaterThan(PHONE.viewport.width / 2)
    await page.locator(SWITCH).focus()
    await page.keyboard.press('Enter')
    await page.locator('.languages a[lang=ar]:visible').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/ar\b/)
    expect(await page.locator(SWITCH).textContent(), path).toBe('العربية')
    expect(await page.locator('.languages ul:visible').count(), `${path}: folded again`).toBe(0)
    expect(await startOf(), path).toBeLessThan(PHONE.viewport.width / 2)
  }
  await page.close()
})
