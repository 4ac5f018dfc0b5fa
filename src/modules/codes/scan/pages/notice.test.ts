import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../../../platform/contract/languages.ts'
import { FixedBody } from '../../../../platform/http/caching/fixed-body.ts'
import { NO_BRAND } from '../../../../platform/look/index.ts'
import { type NoticeKind, noticePage, renderNotice } from './notice.ts'
import { TEXTS } from './texts.ts'

/** A notice has its text in all languages. */
const BYTES_MAX = 14_000
/** With a field in each language. */
const FIELD_BYTES_MAX = 17_000
const COMPRESSED_BYTES_MAX = 4 * 1024
const STATUSES: Record<NoticeKind, number> = {
  paused: 200,
  not_set_up: 200,
  unknown: 404,
  not_found: 404,
  gone: 410,
  malformed: 400,
  no_link: 404,
  unavailable: 503,
}
const KINDS = Object.keys(STATUSES) as NoticeKind[]
const PAGES = LANGUAGES.flatMap((language) => KINDS.map((kind) => ({ kind, language })))

test.each(PAGES)('$kind in $language shows all of its texts and no unfilled value', ({ kind, language }) => {
  const document = renderNotice(kind, language)
  const texts = Object.values(TEXTS[language][kind])
  expect(document).toMatch(new RegExp(`^<!doctype html>\n<html lang="${language}"(?: dir="rtl")?>\n`))
  const [own = '', ...others] = [...document.matchAll(/<section .*?<\/section>/gs)].map(([section]) => section)
  expect(own).toMatch(new RegExp(`^<section id="${language}" lang="${language}"(?: dir="rtl")? class="own">`))
  expect(visibleTexts(own.replace(/<nav.*?<\/nav>/s, ''))).toEqual(texts)
  expect(others.map((section) => /id="(\w+)"/.exec(section)?.[1])).toEqual(
    LANGUAGES.filter((other) => other !== language),
  )
  expect(document).toContain(`<title>${TEXTS[language][kind].title}</title>`)
  expect(document).not.toMatch(/\b(?:undefined|null|false|NaN|TODO)\b|\[object|\$\{/)
})

test.each(PAGES)(
  '$kind in $language is small, loads no resources, runs no scripts and is not indexed',
  ({ kind, language }) => {
    const document = renderNotice(kind, language)
    expect(Buffer.byteLength(document)).toBeLessThan(kind === 'malformed' ? FIELD_BYTES_MAX : BYTES_MAX)
    expect(brotliCompressSync(document).length).toBeLessThan(COMPRESSED_BYTES_MAX)
    expect(document).not.toMatch(/<script|<img|<iframe|@import|url\(|\son\w+=|style=|https?:/i)
    const addresses = [...document.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)
    const retry = kind === 'unavailable' ? [''] : []
    const others = LANGUAGES.slice(1).flatMap(() => ['#languages', ...retry])
    expect(addresses).toEqual(['data:,', ...LANGUAGES.map((other) => `#${other}`), ...retry, ...others])
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
  expect(page).toEqual({
    status: STATUSES[kind],
    language: 'no',
    policy: expect.any(String),
    body: expect.any(FixedBody),
  })
  expect(page.body.plain).toEqual({ encoding: 'identity', bytes: Buffer.from(renderNotice(kind, 'no')) })
  expect(noticePage(kind, 'no')).toBe(page)
  expect(noticePage(kind, undefined).language).toBe('en')
})

test('only the page with a field may send it, and then to wherever the code leads', () => {
  const policyOf = (kind: NoticeKind) => /form-action [^;]*/.exec(noticePage(kind, 'en').policy)?.[0]
  for (const kind of KINDS) {
    const hasField = renderNotice(kind, 'en').includes('<form')
    expect(hasField, kind).toBe(kind === 'malformed')
    expect(policyOf(kind), kind).toBe(hasField ? 'form-action http: https:' : "form-action 'none'")
  }
})

/** The visible texts in order. */
const visibleTexts = (document: string): string[] =>
  document
    .replace(/<(style|svg).*?<\/\1>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/^[\n ]+|[\n ]+$/g, ''))
    .filter((text) => text !== '')

test('a notice says who is behind a code, what was scanned and where to go next, with everything escaped', () => {
  const sender = {
    name: 'Acme <b>',
    logoUrl: 'https://acme.com/logo.svg?a="b"',
    brand: NO_BRAND,
    scanned: { name: 'Oak & ash chair', imageUrl: '/assets/chair.jpg' },
    helpCentreUrl: 'https://go.acme.com/kb/k7Qm2XvB9sTe',
    email: 'help@acme.example',
    phone: '+49 30 12 34 (5)',
    websiteUrl: 'https://www.acme.example/shop',
  }
  const document = renderNotice('paused', 'de', sender)
  expect(document).toContain(
    '<header><img src="https://acme.com/logo.svg?a=&quot;b&quot;" alt="" referrerpolicy="no-referrer"><b dir="auto">Acme &lt;b&gt;</b></header>',
  )
  expect(document).toMatch(
    /<p class="scanned"><img src="\/assets\/chair.jpg" alt=""[^>]*><span dir="auto">Oak &amp; ash chair</,
  )
  const own = /<section [^>]*class="own">.*?<\/section>/s.exec(document)?.[0] ?? ''
  const steps = /<ul class="steps">.*?<\/ul>/s.exec(own)?.[0] ?? ''
  const links = [...steps.matchAll(/<a(?: class="(\w+)")? href="([^"]*)"[^>]*>([^<]*)</g)].map((match) =>
    match.slice(1),
  )
  expect(links).toEqual([
    ['button', sender.helpCentreUrl, 'Hilfe-Center'],
    [undefined, 'mailto:help@acme.example', 'help@acme.example'],
    [undefined, 'tel:+493012345', '+49 30 12 34 (5)'],
    [undefined, 'https://www.acme.example/shop', 'acme.example'],
  ])
  const nothing = { helpCentreUrl: null, email: null, phone: null, websiteUrl: null, logoUrl: null, scanned: null }
  expect(renderNotice('paused', 'de', { ...sender, ...nothing })).not.toMatch(/<img|class="(?:scanned|steps)"/)
})
