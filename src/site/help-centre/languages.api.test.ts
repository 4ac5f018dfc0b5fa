import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../platform/contract/languages.ts'
import { createCentre, type TestCentre } from '../../testing/data/help-centre.ts'
import { useHarness } from '../../testing/harness.ts'
import { TEXTS } from './texts/index.ts'

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

const langOf = (text: string) => /<html lang="(\w+)">/.exec(text)?.[1]
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
    const links = [...text.replace(/<footer.*/s, '').matchAll(/(?:href|action)="(\/kb[^"]*)"/g)].map(
      ([, link]) => link!,
    )
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
    const switches = [...text.matchAll(/lang="(\w+)" hreflang="\w+"( aria-current="true")?>([^<]+)<\/a>/g)]
    expect(switches.map(([, language, current, name]) => [language, current !== undefined, name])).toEqual([
      ['en', false, 'English'],
      ['de', false, 'Deutsch'],
      ['ja', true, '日本語'],
    ])
    expect((await read('/articles/pine')).text).not.toContain('class="languages"')
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
