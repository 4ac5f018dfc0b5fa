/** Public pages in a real browser, without their script: they must work without it. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { EVERY_BLOCK, FAULT_REPORT } from '../../../testing/data/pages.ts'
import { useHarness } from '../../../testing/harness.ts'
import { violationsOf } from '../../../testing/world/accessibility.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { NARROWEST, onBothScreens, PHONE, TARGET_PX_MIN } from '../../../testing/world/good-page.ts'

const harness = useHarness()
const browser = useBrowser()

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5"><rect width="8" height="5"/></svg>'

/** Replaces texts in several languages by one in Hebrew alone. */
const toHebrew = (config: object) =>
  JSON.parse(
    JSON.stringify(config, (_key, value) =>
      typeof value === 'object' && value?.en ? { he: 'מה קרה למכונה?' } : value,
    ),
  )

const paths: Record<string, string> = {}
beforeAll(async () => {
  const acme = await harness.createTenant()
  const create = async (name: string, fields: object) => {
    const { body, status } = await acme.post('/v1/pages', { title: name, status: 'active', ...fields })
    expect(status).toBe(201)
    paths[name] = `/p/${body.public_slug}`
    return body
  }
  await create('every block', { blocks: EVERY_BLOCK })
  const fault = await create('a fault report', { blocks: FAULT_REPORT })
  await create('a gradient', {
    blocks: FAULT_REPORT,
    background: { type: 'gradient', value: 'linear-gradient(135deg, #5b2a86, #e2557f)', animated: true },
    island: { color: '#1d1233', opacity: 0.8, shadow: 'large', roundness: 28 },
  })
  await create('a bright colour', {
    blocks: EVERY_BLOCK,
    background: { type: 'color', value: '#ffd400' },
    island: { color: '#ffffff', opacity: 0 },
  })
  await create('an empty page', { blocks: [] })
  await create('a Hebrew page', {
    default_language: 'he',
    blocks: FAULT_REPORT.map(({ config, ...block }) => ({ ...block, config: toHebrew(config) })),
  })
  paths['after sending'] = `${paths['every block']}/sent`
  const object = (await acme.post('/v1/objects', { type: 'machine', name: 'Press 4', destination: { page: fault.id } }))
    .body
  paths['after a scan'] = `/o/${object.public_slug}`
})

async function open(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) problems.push(line.text())
  })
  await page.route(/acme\.example/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }))
  await page.route(/\/p\/form\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await work(page)
  expect(problems).toEqual([])
  await context.close()
}

test('every page passes axe, fits every screen and can be used by touch, in both modes', () =>
  // Motion would be painted all the time.
  open({ reducedMotion: 'reduce' }, async (page) => {
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(harness.baseUrl + path)
      await onBothScreens(page, async ({ viewport, colorScheme }, rules) => {
        expect(await violationsOf(page, rules), `${name} in ${colorScheme} mode`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(viewport.width)
      })
      const small = await page.evaluate(`(() => {
        const area = (element) => element.closest('label') ?? element
        return [...document.querySelectorAll('a[href], button, select, textarea, input:not([type=hidden])')]
          .filter((element) => !element.closest('.prose, .trap') && element.tagName !== 'VIDEO')
          .filter((element) => element.getClientRects().length > 0)
          .map((element) => [element.outerHTML, area(element).getBoundingClientRect().height])
          .filter(([, height]) => height < ${TARGET_PX_MIN})
      })()`)
      expect(small, name).toEqual([])
      await page.setViewportSize(NARROWEST)
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(NARROWEST.width)
    }
  }))

test('a form can be filled in by keyboard alone, and shows where the focus is', () =>
  open(PHONE, async (page) => {
    await page.goto(harness.baseUrl + paths['a fault report'])
    const reached: string[] = []
    for (let n = 0; n < 10 && reached.at(-1) !== 'BUTTON'; n++) {
      await page.keyboard.press('Tab')
      const { name, outline } = (await page.evaluate(`(() => {
        const { tagName, name } = document.activeElement
        return { name: name || tagName, outline: getComputedStyle(document.activeElement).outlineStyle }
      })()`)) as { name: string; outline: string }
      expect(outline, name).toBe('solid')
      reached.push(name)
      if (name === 'kind') await page.keyboard.press('Space')
      if (name === 'what') await page.keyboard.type('It hums 🏷 تنظيف')
      if (name === 'stopped') await page.keyboard.press('Space')
    }
    expect(reached).toEqual(['SUMMARY', 'kind', 'what', 'photos', 'stopped', 'email', 'BUTTON'])
    const values = await page.evaluate(
      `[...new FormData(document.forms[0])].filter(([, value]) => typeof value === 'string' && value !== '')`,
    )
    expect(values).toEqual([
      ['kind', 'noise'],
      ['what', 'It hums 🏷 تنظيف'],
      ['stopped', 'on'],
    ])
  }))

test('a background does not move for people who avoid motion', () =>
  open({ reducedMotion: 'reduce' }, async (page) => {
    await page.goto(harness.baseUrl + paths['a gradient'])
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await page.evaluate('document.getAnimations().length')).toBe(1)
  }))

test('no text or value runs in the browser', async () => {
  const acme = await harness.createTenant()
  const attacks = ATTACKS.map((attack) => attack.replaceAll('\0', '').slice(0, 900).trim()).filter(
    (text) => text !== '',
  )
  const [texts, values] = [attacks.slice(0, 95), attacks.slice(95, 190)]
  const created = await acme.post('/v1/pages', {
    title: 'Attacked',
    status: 'active',
    blocks: texts.map((text, n) => ({
      type: 'text',
      config: { text: `${text}\n\n{{object.properties.key_${n}|x}}` },
    })),
  })
  expect(created.status).toBe(201)
  const object = (await acme.post('/v1/objects', { type: 'machine', destination: { page: created.body.id } })).body
  const properties = values.map((value, n) => ({ key: `key_${n}`, value }))
  expect((await acme.put(`/v1/objects/${object.id}/properties`, { properties })).status).toBe(200)
  const page = await browser.newPage()
  await page.route(/attacker\.example/, (route) => route.abort())
  await page.goto(`${harness.baseUrl}/o/${object.public_slug}`)
  expect(await page.evaluate('window.__attacked')).toBeUndefined()
  expect(await page.locator('header').count()).toBe(1)
  const shown = await page.locator('main').innerText()
  expect(values.filter((value) => shown.includes(value)).length, 'values that are on the page').toBeGreaterThan(70)
  await page.close()
})
