import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../../../platform/contract/languages.ts'
import { ownName } from '../../../../platform/text/own-name.ts'
import { useBrowser } from '../../../../testing/world/browser.ts'
import { onBothScreens, PHONE } from '../../../../testing/world/good-page.ts'
import { usePageServer } from '../../../../testing/world/page-server.ts'
import { NOTICE_POLICY, type NoticeKind, noticePage } from './notice.ts'
import { TEXTS } from './texts.ts'

const KINDS: NoticeKind[] = ['paused', 'not_set_up', 'unknown', 'gone', 'unavailable']
const CONTRAST_MIN = 4.5

/** Serves each path once. A reload gets a 204, which leaves the page as it is, so that the test can inspect it. */
const requestedPaths: string[] = []
const site = usePageServer((request, response) => {
  const path = request.url ?? ''
  const [, kind, language] = path.split(/[/?]/)
  requestedPaths.push(path)
  if (requestedPaths.filter((earlier) => earlier === path).length > 1) return response.writeHead(204).end()
  // Always 200: the browser logs other statuses to the console, which the tests check.
  const { body } = noticePage(kind as NoticeKind, language)
  return response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': NOTICE_POLICY })
    .end(body.plain.bytes)
})
const browser = useBrowser()

const TOUCHED = { ...PHONE, isMobile: true, hasTouch: true }

test('every notice is readable, in light mode on a phone and in dark mode on a desktop, and loads no resources', async () => {
  const page = await browser.newPage(TOUCHED)
  const consoleMessages: string[] = []
  const visited = new Set<string>()
  const requested = new Set<string>()
  page.on('request', (request) => requested.add(request.url()))
  page.on('pageerror', (error) => consoleMessages.push(error.message))
  page.on('console', (line) => consoleMessages.push(line.text()))
  // Each has the texts of all languages. One of every kind shows them all, and one in every language begins with its own.
  const all = KINDS.map((kind) => ({ kind, language: 'en', shown: LANGUAGES }))
  const own = LANGUAGES.map((language, n) => ({ kind: KINDS[n % KINDS.length]!, language, shown: [''] }))
  for (const { kind, language, shown } of [...all, ...own]) {
    const path = `/${kind}/${language}?${shown.length}`
    visited.add(site.origin + path)
    await page.goto(site.origin + path)
    await onBothScreens(page, async ({ viewport, colorScheme }) => {
      for (const { lang, width, height, headings, main, texts } of await measure(page, shown)) {
        const name = `${path} in ${lang}`
        expect(width, `${name}: no horizontal overflow`).toBe(viewport.width)
        expect(height, `${name}: fits without scrolling`).toBe(viewport.height)
        expect(headings).toEqual([TEXTS[lang][kind].title])
        expect(main.visible).toBe(true)
        expect(Math.abs(main.top - (height - main.bottom)), `${name}: centred vertically`).toBeLessThan(2)
        expect(texts.length).toBe(kind === 'not_set_up' || kind === 'unavailable' ? 3 : 2)
        for (const { color, background, text } of texts) {
          expect(text).not.toBe('')
          expect(contrast(color, background), `${name}: ${text}`).toBeGreaterThanOrEqual(CONTRAST_MIN)
        }
        expect(isDark(texts[0]!.background)).toBe(colorScheme === 'dark')
      }
    })
  }
  expect(consoleMessages).toEqual([])
  expect(requested).toEqual(visited)
  await page.close()
})

test('the unavailable page reloads automatically, and its link points to the same page', async () => {
  const page = await browser.newPage()
  const path = '/unavailable/en?waiting'
  await page.goto(site.origin + path)
  // The first one is the language switch.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const link = await page.evaluate(`(() => {
    const focused = document.querySelector('a:focus-visible')
    return { href: focused.href, outline: getComputedStyle(focused).outlineStyle }
  })()`)
  expect(link).toEqual({ href: site.origin + path, outline: 'solid' })
  await expect.poll(() => requestedPaths.filter((earlier) => earlier === path).length).toBe(2)
  await page.close()
})

test('the text is in every language, and the links change it without another request', async () => {
  const page = await browser.newPage(TOUCHED)
  await page.goto(`${site.origin}/paused/en?languages`)
  const before = requestedPaths.length
  await page.locator('summary:visible').focus()
  await page.keyboard.press('Enter')
  for (const language of LANGUAGES.toReversed()) {
    await page.getByRole('link', { name: ownName(language), exact: true }).click()
    const shown = page.locator('h1:visible')
    expect(await shown.textContent()).toBe(TEXTS[language].paused.title)
    expect(await shown.locator('..').getAttribute('lang')).toBe(language)
    // Other texts than the first one lead back to the list.
    const back = page.locator('.languages > a:visible')
    if ((await back.count()) > 0) await back.click()
    expect(await page.locator('.languages a:visible').count()).toBe(LANGUAGES.length)
  }
  expect(requestedPaths.length).toBe(before)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.close()
})

interface Measurements {
  lang: Language
  width: number
  height: number
  headings: string[]
  main: { visible: boolean; top: number; bottom: number }
  texts: { text: string; color: string; background: string }[]
}

/**
 * Measures the page with each of these fragments, in one evaluation. A transparent background takes the colour of the nearest
 * painted ancestor.
 */
const measure = (page: Page, fragments: readonly string[]): Promise<Measurements[]> =>
  page.evaluate(`(() => {
    const paintedBackground = (element) => {
      const { backgroundColor } = getComputedStyle(element)
      return backgroundColor === 'rgba(0, 0, 0, 0)' ? paintedBackground(element.parentElement) : backgroundColor
    }
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
    return ${JSON.stringify(fragments)}.map((fragment) => {
      if (fragment !== '') location.hash = fragment
      const { scrollWidth, scrollHeight } = document.documentElement
      const main = document.querySelector('main')
      const { top, bottom } = main.getBoundingClientRect()
      return {
        lang: fragment || document.documentElement.lang,
        width: scrollWidth,
        height: scrollHeight,
        headings: shown('h1').map((heading) => heading.innerText),
        main: { visible: main.checkVisibility({ opacityProperty: true, visibilityProperty: true }), top, bottom },
        texts: shown('main :is(h1, p, section > a)').map((element) => ({
          text: element.innerText,
          color: getComputedStyle(element).color,
          background: paintedBackground(element),
        })),
      }
    })
  })()`)

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((channel) => {
    const share = Number(channel) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const isDark = (color: string): boolean => luminance(color) < 0.18
