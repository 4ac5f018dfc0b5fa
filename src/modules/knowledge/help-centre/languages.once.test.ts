import { beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { newId } from '../../../platform/ids/index.ts'
import { waitForIndex } from '../../../testing/chat-page.ts'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { insertPublished } from '../../../testing/data/published-articles.ts'
import { useHarness } from '../../../testing/harness.ts'
import { TEXTS } from './texts.ts'

const PUBLIC_URL = 'https://go.acme.com'
const harness = useHarness({ config: { publicUrl: PUBLIC_URL } })

/** `oak` is in English, German and Japanese; `pine` is in English only. */
let centre: TestCentre
let category: { slug: string }
beforeAll(async () => {
  centre = await createCentre(harness)
  category = await centre.category({ name: 'Wood' })
  const { id } = await centre.article({ title: 'Oak', slug: 'oak', category_id: (category as { id?: string }).id })
  await centre.translate(id, 'de', 'Eiche')
  await centre.translate(id, 'ja', 'オーク')
  await centre.article({ title: 'Pine', slug: 'pine' })
})

const langOf = (text: string) => /<html lang="([\w-]+)"/.exec(text)?.[1]
/** The languages of the switch, with the chosen one in brackets. */
const switchOf = (text: string) => {
  const [header = ''] = /<nav class="languages".*?<\/nav>/s.exec(text.replace(/<main.*/s, '')) ?? []
  const links = [...header.matchAll(/<a href="([^"]+)" lang="[\w-]+" hreflang="([\w-]+)"( aria-current="true")?/g)]
  return links.map(([, , language, current]) => (current === undefined ? language : `[${language}]`)).join(' ')
}
const titleOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const read = (path: string, accepted?: string) =>
  centre.read(path, accepted === undefined ? {} : { 'accept-language': accepted })

test.each([
  ['de-AT, en;q=0.5', 'de'],
  ['en;q=0.3, de;q=0.4', 'de'],
  ['sv, ja;q=0.9', 'ja'],
  ['fr', 'en'],
  ['', 'en'],
  ['*', 'en'],
])('Accept-Language “%s” is served in %s', async (accepted, language) => {
  const { text, headers } = await read('', accepted)
  expect(langOf(text)).toBe(language)
  expect(headers.get('content-language')).toBe(language)
  expect(headers.get('vary')).toBe('accept-language, accept-encoding')
})

test.each(LANGUAGES.filter((language) => !['en', 'de', 'ja'].includes(language)))(
  'a reader of %s is told in that language that there is another one only',
  async (language) => {
    const { text, headers } = await read('/articles/pine', `${language}, en;q=0.5`)
    const shown = new Intl.DisplayNames(language, { type: 'language' }).of('en') ?? ''
    const [, direction, notice] = /<aside class="missed" lang="\w+" dir="(\w+)">([^<]+)<\/aside>/.exec(text) ?? []
    expect(notice).toBe(TEXTS[language].otherLanguage.replace('{shown}', shown))
    expect(direction).toBe(language === 'ar' ? 'rtl' : 'ltr')
    expect([langOf(text), headers.get('vary')]).toEqual(['en', 'accept-language, accept-encoding'])
  },
)

test.each([
  ['', 'en'],
  ['', 'de'],
  ['', '*'],
  ['', 'tlh, en;q=0.5'],
  ['', undefined],
  ['/en', 'ar'],
])('at “%s”, readers with Accept-Language %s miss nothing', async (path, accepted) => {
  expect((await read(path, accepted)).text).not.toContain('class="missed"')
})

test('an article is shown in the most preferred language that it has', async () => {
  const shown = async (path: string, accepted: string) => titleOf((await read(path, accepted)).text)
  expect(await shown('/articles/oak', 'fr, de;q=0.9, en;q=0.8')).toBe('Eiche')
  expect(await shown('/articles/oak', 'ja;q=0.1, de;q=0')).toBe('オーク')
  expect(await shown('/articles/pine', 'de, ja;q=0.9')).toBe('Pine')
})

test('the language in the address takes precedence and is kept in every link', async () => {
  for (const path of [
    '/de',
    `/de/categories/${category.slug}`,
    '/de/articles/pine',
    '/de/search?q=eiche',
    '/de/articles',
  ]) {
    const { text, headers } = await read(path, 'ja')
    expect(langOf(text)).toBe('de')
    expect(headers.get('vary')).toBe('accept-encoding')
    const links = [
      ...text.replace(/<nav class="languages".*?<\/nav>/s, '').matchAll(/(?:href|action)="(\/kb[^"]*)"/g),
    ].map(([, link]) => link!)
    expect(links.filter((link) => !link.startsWith(`${centre.path}/de`))).toEqual([])
  }
})

test('lists show titles in the reader’s language, and name the language of those that are not', async () => {
  const { text } = await read('/de/articles')
  expect(text).toContain('<span dir="auto">Eiche</span>')
  expect(text).toContain('<span dir="auto" lang="en">Pine</span><small>Englisch</small>')
})

describe('an article', () => {
  test.each([
    ['', 'de', 'de', 'de', 'Eiche'],
    ['', 'fr', 'en', 'en', 'Oak'],
    ['/ja', 'de', 'ja', 'ja', 'オーク'],
    ['/fr', 'de', 'fr', 'en', 'Oak'],
  ])(
    'at “%s” with Accept-Language %s has its interface in %s and its text in %s',
    async (prefix, accepted, language, shown, title) => {
      const { text } = await read(`${prefix}/articles/oak`, accepted)
      expect(langOf(text)).toBe(language)
      expect(titleOf(text)).toBe(title)
      expect(text).toContain(`<article class="prose" lang="${shown}" dir="auto">`)
      expect(text).toContain(`<link rel="canonical" href="${PUBLIC_URL}${centre.path}/${shown}/articles/oak">`)
    },
  )

  test('says in the reader’s language that it is not translated', async () => {
    const german = await read('/de/articles/pine')
    expect(german.text).toContain('Noch nicht auf Deutsch verfügbar. Der Artikel wird auf Englisch angezeigt.')
    expect((await read('/de/articles/oak')).text).not.toContain('class="note"')
  })

  test('links to all of its languages, for readers and for search engines', async () => {
    const { text } = await read('/ja/articles/oak')
    const alternates = [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)]
    expect(alternates.map(([, language, address]) => [language, address])).toEqual([
      ['en', `${PUBLIC_URL}${centre.path}/en/articles/oak`],
      ['de', `${PUBLIC_URL}${centre.path}/de/articles/oak`],
      ['ja', `${PUBLIC_URL}${centre.path}/ja/articles/oak`],
      ['x-default', `${PUBLIC_URL}${centre.path}/articles/oak`],
    ])
    expect(text).toContain('hreflang="ja" aria-current="true">日本語</a>')
  })
})

test.each(LANGUAGES)('the interface is available in %s', async (language) => {
  const { text } = await read(`/${language}`)
  expect(langOf(text)).toBe(language)
  for (const shown of [TEXTS[language].topics, TEXTS[language].recentlyUpdated, TEXTS[language].searchPlaceholder]) {
    expect(text).toContain(shown)
  }
  // Without content in the language, the canonical page is that of the default language.
  const canonical = ['en', 'de', 'ja'].includes(language) ? language : 'en'
  expect(text).toContain(`<link rel="canonical" href="${PUBLIC_URL}${centre.path}/${canonical}">`)
  expect((await read(`/${language}/nothing`)).text).toContain(TEXTS[language].missing.title)
})

test('languages of unpublished articles are not offered', async () => {
  const draftOnly = await createCentre(harness, { default_language: 'nl' })
  const { id } = await draftOnly.article({ language: 'nl', status: 'draft' })
  await draftOnly.translate(id, 'de', 'Eiche')
  expect(langOf((await draftOnly.read('', { 'accept-language': 'de' })).text)).toBe('nl')
})

test('languages that only older articles have are listed, too, but not those of other help centres', async () => {
  const old = await createCentre(harness)
  const { id } = await old.article({ title: 'Oak' })
  await old.translate(id, 'fr', 'Chêne')
  await waitForIndex(old.tenant, id)
  const newer = Array.from({ length: 100 }, () => ({
    id: newId(),
    knowledge_base_id: old.base.id,
    visibility: 'public' as const,
    texts: [{ language: 'en', title: 'Pine', plain: 'Wipe it.' }],
  }))
  const later = timestamp(harness.nowMs() + 60_000)
  await harness.service.database.write((tx) => insertPublished(tx, old.tenant.orgId, newer, later))
  expect(switchOf((await old.read('')).text)).toBe('[en] fr')
  const other = await createCentre(harness, {}, old.tenant)
  await other.article()
  expect(switchOf((await other.read('')).text)).toBe('')
})

test('every page lists all languages of the help centre in one order, and keeps the choice', async () => {
  const pages = [
    '',
    '/articles',
    `/categories/${category.slug}`,
    '/articles/oak',
    '/articles/pine',
    '/search?q=x',
    '/none',
  ]
  for (const page of pages) expect(switchOf((await read(`/ja${page}`)).text), page).toBe('en de [ja]')
  // There is no Swedish, but a way back.
  expect(switchOf((await read('/sv/articles/pine')).text)).toBe('en de ja')
  const { text } = await read('/ja/articles/pine')
  expect(text).toContain(`<a href="${centre.path}/de/articles/pine" lang="de"`)
  const english = await createCentre(harness)
  expect(switchOf((await english.read('')).text)).toBe('')
  expect(switchOf((await english.read('/fr')).text)).toBe('en')
})

describe('a help centre in Hebrew, Persian and Romanian, which the interface does not speak', () => {
  let shop: TestCentre
  let care: { id: string; slug: string }
  beforeAll(async () => {
    const translations = {
      fa: { name: 'کمک', description: 'همه چیز' },
      'ro-RO': { name: 'Ajutor', description: null },
    }
    const own = { name: 'עזרה', description: 'הכול', default_language: 'he', translations }
    shop = await createCentre(harness, own)
    care = await shop.category({ name: 'טיפול', translations: { fa: { name: 'مراقبت' } } })
    const inner = {
      name: 'עץ',
      parent_id: care.id,
      translations: { fa: { name: 'چوب' }, 'ro-RO': { name: 'Lemn' } },
    }
    const wood = await shop.category(inner)
    const { id } = await shop.article({ title: 'שולחן', slug: 'table', language: 'he', category_id: wood.id })
    await shop.translate(id, 'fa', 'iPhone میز')
    await shop.article({ title: 'כיסא', slug: 'chair', language: 'he', category_id: care.id })
  })

  test('shows names and texts in the language, with the interface in one that the visitor reads', async () => {
    const home = await shop.read('/fa', { 'accept-language': 'de' })
    expect(home.headers.get('content-language')).toBe('fa')
    expect(home.headers.get('vary')).toBe('accept-language, accept-encoding')
    expect(home.text).toContain('<html lang="de">')
    expect(home.text).toContain('<title>کمک</title>')
    expect(home.text).toContain('<h1 id="name" dir="rtl" lang="fa">کمک</h1><p dir="rtl" lang="fa">همه چیز</p>')
    expect(home.text).toContain('<div dir="rtl" lang="fa"><h3>')
    expect(home.text).toContain('>مراقبت</a>')
    expect(home.text).toContain(TEXTS.de.topics)
    expect(switchOf(home.text)).toBe('he [fa] ro-RO')
    expect((await shop.read('/fa', { 'accept-language': 'fr' })).text).toContain(TEXTS.fr.topics)

    const article = (await shop.read('/fa/articles/table')).text
    expect(article).toContain('<article class="prose" lang="fa" dir="rtl">')
    const crumbs = [...article.matchAll(/<a href="[^"]+" dir="rtl" lang="fa">([^<]+)<\/a><\/li>/g)].map(
      ([, name]) => name,
    )
    expect(crumbs).toEqual(['مراقبت', 'چوب'])
    expect((await shop.read('/fa/feed.atom')).text).toMatch(/xml:lang="fa".*<title>کمک<\/title>/s)
    const sitemap = (await shop.read('/sitemap.xml')).text
    expect(sitemap).toContain(`hreflang="ro-RO" href="${PUBLIC_URL}${shop.path}/ro-RO"/>`)
  })

  test('shows what is not translated in the nearest language, says so and marks it', async () => {
    const { text } = await shop.read('/ro-RO/articles/chair', { 'accept-language': 'en' })
    expect(text).toContain('Not available in Romanian (Romania) yet. This is the Hebrew version.')
    expect(text).toContain('<article class="prose" lang="he" dir="rtl">')
    expect(switchOf(text)).toBe('he fa [ro-RO]')
    const page = (await shop.read(`/ro-RO/categories/${care.slug}`)).text
    expect(page).toContain('<h1 dir="rtl" lang="he">טיפול</h1>')
    expect(page).toContain('>Lemn</a>')
  })

  test('is negotiated by language, script and region, also if the address names a language that it lacks', async () => {
    const languageOf = async (path: string, accepted: string) =>
      (await shop.read(path, { 'accept-language': accepted })).headers.get('content-language')
    expect(await languageOf('', 'ro-MD, en;q=0.5')).toBe('ro-RO')
    expect(await languageOf('', 'fa-AF')).toBe('fa')
    expect(await languageOf('', 'fi')).toBe('he')
    expect(await languageOf('/fa-AF', 'fi')).toBe('fa')
    expect(await languageOf('/tlh', 'ro')).toBe('ro-RO')
    expect((await shop.read('/tlh/articles/table')).status).toBe(200)
    expect((await shop.read('/FA')).status).toBe(404)
  })

  test('a changed translation is shown at once', async () => {
    const named = { fa: { name: 'یاری' } }
    const { status } = await shop.tenant.patch(`/v1/knowledge-bases/${shop.base.id}`, { translations: named })
    expect(status).toBe(200)
    await shop.tenant.patch(`/v1/article-categories/${care.id}`, { translations: { fa: { name: 'نگهداری' } } })
    const { text } = await shop.read('/fa')
    expect(text).toContain('<h1 id="name" dir="rtl" lang="fa">یاری</h1>')
    expect(text).toContain('>نگهداری</a>')
  })
})
