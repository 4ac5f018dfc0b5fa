import { expect, test } from 'vitest'
import { LANGUAGES } from '../../platform/contract/languages.ts'
import { FixedBody } from '../../platform/http/fixed-body.ts'
import { type NoticeKind, noticePage, renderNotice } from './notice.ts'
import { TEXTS } from './texts/index.ts'

const BYTES_MAX = 3 * 1024
const STATUSES: Record<NoticeKind, number> = {
  paused: 200,
  not_set_up: 200,
  unknown: 404,
  not_found: 404,
  gone: 410,
  malformed: 400,
  compressed: 400,
  no_link: 404,
  unavailable: 503,
}
const KINDS = Object.keys(STATUSES) as NoticeKind[]
const PAGES = LANGUAGES.flatMap((language) => KINDS.map((kind) => ({ kind, language })))

test.each(PAGES)('$kind in $language shows all of its texts and no unfilled value', ({ kind, language }) => {
  const document = renderNotice(kind, language)
  const texts = Object.values(TEXTS[language][kind])
  expect(document.startsWith(`<!doctype html>\n<html lang="${language}">\n`)).toBe(true)
  expect(visibleTexts(document)).toEqual([TEXTS[language][kind].title, ...texts])
  expect(document).not.toMatch(/\b(?:undefined|null|false|NaN|TODO)\b|\[object|\$\{/)
})

test.each(PAGES)(
  '$kind in $language is small, loads no resources, runs no scripts and is not indexed',
  ({ kind, language }) => {
    const document = renderNotice(kind, language)
    expect(Buffer.byteLength(document)).toBeLessThan(BYTES_MAX)
    expect(document).not.toMatch(/<script|<img|<iframe|@import|url\(|\son\w+=|style=|https?:/i)
    expect([...document.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)).toEqual(
      kind === 'unavailable' ? ['data:,', ''] : ['data:,'],
    )
    expect(document).toContain('<meta name="robots" content="noindex">')
    expect(document).toContain('<meta name="color-scheme" content="light dark">')
  },
)

test('only the unavailable page reloads automatically', () => {
  const refreshing = KINDS.filter((kind) =>
    renderNotice(kind, 'en').includes('<meta http-equiv="refresh" content="5">'),
  )
  expect(refreshing).toEqual(['unavailable'])
})

test.each(LANGUAGES)('%s is a known language code with unique titles and no exclamation marks', (language) => {
  const texts = Object.values(TEXTS[language]).flatMap((notice) => Object.values(notice))
  expect(new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(language)).toBeDefined()
  expect(new Set(KINDS.map((kind) => TEXTS[language][kind].title)).size).toBe(KINDS.length)
  for (const text of texts) expect(text).toMatch(/^[^\s!！][^!！]*[^\s!！]$/)
})

test('no text is used twice, so none was left untranslated', () => {
  const texts = Object.values(TEXTS).flatMap((notices) => Object.values(notices).flatMap(Object.values<string>))
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
})

test.each(KINDS)('%s has its status, is in the requested language and is rendered once', (kind) => {
  const page = noticePage(kind, 'nn-NO, en;q=0.5')
  expect(page).toEqual({ status: STATUSES[kind], language: 'no', body: expect.any(FixedBody) })
  expect(page.body.plain).toEqual({ encoding: 'identity', bytes: Buffer.from(renderNotice(kind, 'no')) })
  expect(noticePage(kind, 'no')).toBe(page)
  expect(noticePage(kind, undefined).language).toBe('en')
})

/** The visible texts in order, starting with the window title. */
const visibleTexts = (document: string): string[] =>
  document
    .replace(/<(style|svg).*?<\/\1>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/^[\n ]+|[\n ]+$/g, ''))
    .filter((text) => text !== '')
