import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../modules/knowledge/languages/index.ts'
import { useBrowser } from '../../testing/world/browser.ts'
import { usePageServer } from '../../testing/world/page-server.ts'
import { type NoticeKind, noticePage } from './notice.ts'

const KINDS: NoticeKind[] = ['paused', 'not_set_up', 'unknown', 'gone', 'unavailable']
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
const CONTRAST_MIN = 4.5

/** Fifty-five pages in a test, and a busy machine. */
const PATIENT = { timeout: 60_000 }

/** Each address once. What asks again gets an answer that leaves the page as it is, so that it can be looked at. */
const asked: string[] = []
const site = usePageServer((request, response) => {
  const path = request.url ?? ''
  const [, kind, language] = path.split(/[/?]/)
  asked.push(path)
  if (asked.filter((earlier) => earlier === path).length > 1) return response.writeHead(204).end()
  // A status other than 200 is a line in the browser's console of its own.
  const { html } = noticePage(kind as NoticeKind, language)
  return response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
    .end(html)
})
const browser = useBrowser()

const SCREENS = [
  { name: 'phone', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
]

for (const { name, ...screen } of SCREENS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`every notice can be read on a ${name} in ${colorScheme} colours, and loads nothing`, PATIENT, async () => {
      const context = await browser.newContext({ ...screen, colorScheme })
      const page = await context.newPage()
      const complaints: string[] = []
      const visited = new Set<string>()
      const requested = new Set<string>()
      page.on('request', (request) => requested.add(request.url()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (line) => complaints.push(line.text()))
      for (const kind of KINDS) {
        for (const language of LANGUAGES) {
          const path = `/${kind}/${language}?${name}-${colorScheme}`
          visited.add(site.origin + path)
          await page.goto(site.origin + path)
          const { width, height, headings, main, texts } = await look(page)

          expect(width, `${path}: nothing sticks out sideways`).toBe(screen.viewport.width)
          expect(height, `${path}: all of it can be seen at once`).toBe(screen.viewport.height)
          expect(headings).toBe(1)
          expect(main.visible).toBe(true)
          expect(Math.abs(main.top - (height - main.bottom)), `${path}: stands in the middle`).toBeLessThan(2)
          expect(texts.length).toBe(kind === 'not_set_up' || kind === 'unavailable' ? 3 : 2)
          for (const { color, background, text } of texts) {
            expect(text).not.toBe('')
            expect(contrast(color, background), `${path}: ${text}`).toBeGreaterThanOrEqual(CONTRAST_MIN)
          }
          expect(isDark(texts[0]!.background)).toBe(colorScheme === 'dark')
        }
      }
      expect(complaints).toEqual([])
      expect(requested).toEqual(visited)
      await context.close()
    })
  }
}

test(
  'what cannot be looked up is asked for again by itself, and the link leads to the same page',
  PATIENT,
  async () => {
    const page = await browser.newPage()
    const path = '/unavailable/en?waiting'
    await page.goto(site.origin + path)
    await page.keyboard.press('Tab')
    const link = await page.evaluate(`(() => {
    const focused = document.querySelector('a:focus-visible')
    return { href: focused.href, outline: getComputedStyle(focused).outlineStyle }
  })()`)
    expect(link).toEqual({ href: site.origin + path, outline: 'solid' })
    await expect.poll(() => asked.filter((earlier) => earlier === path).length, PATIENT).toBe(2)
    await page.close()
  },
)

interface Sight {
  width: number
  height: number
  headings: number
  main: { visible: boolean; top: number; bottom: number }
  texts: { text: string; color: string; background: string }[]
}

/** Runs in the page, in one go. A background that is not painted is that of what lies behind. */
const look = (page: Page): Promise<Sight> =>
  page.evaluate(`(() => {
    const painted = (element) => {
      const { backgroundColor } = getComputedStyle(element)
      return backgroundColor === 'rgba(0, 0, 0, 0)' ? painted(element.parentElement) : backgroundColor
    }
    const { scrollWidth, scrollHeight } = document.documentElement
    const main = document.querySelector('main')
    const { top, bottom } = main.getBoundingClientRect()
    return {
      width: scrollWidth,
      height: scrollHeight,
      headings: document.querySelectorAll('h1').length,
      main: { visible: main.checkVisibility({ opacityProperty: true, visibilityProperty: true }), top, bottom },
      texts: [...document.querySelectorAll('main :is(h1, p, a)')].map((element) => ({
        text: element.innerText,
        color: getComputedStyle(element).color,
        background: painted(element),
      })),
    }
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
