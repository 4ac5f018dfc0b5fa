import { beforeAll, describe, expect, test } from 'vitest'
import { ATTACKS } from '../../../../testing/data/attacks.ts'
import { createCentre, type TestCentre } from '../../../../testing/data/help-centre.ts'
import { packTexts } from '../../../../testing/data/pack-texts.ts'
import { useHarness } from '../../../../testing/harness.ts'

const PUBLIC_URL = 'https://go.acme.com'
const harness = useHarness({ config: { publicUrl: PUBLIC_URL } })

let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness, { name: 'Care & repair' })
  const oak = await centre.article({ title: 'Oak', slug: 'oak', content: 'Wipe **it**.' })
  await centre.translate(oak.id, 'de', 'Eiche', 'Wischen.')
  harness.advance(1000)
  await centre.article({ title: 'Pine <b>', slug: 'pine' })
})

/**
 * Parses the subset of XML that these documents use, strictly: elements are closed in order, attributes quoted, entity
 * references known. Returns every element with its path and text.
 */
function parseXml(text: string): { path: string; text: string; attributes: Record<string, string> }[] {
  expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n</)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these
  expect(text).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u)
  expect(text.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
  const open: string[] = []
  const found: ReturnType<typeof parseXml> = []
  const rest = text.slice(text.indexOf('\n') + 1)
  for (const [, closing, name = '', attributes = '', empty, words = ''] of rest.matchAll(
    /<(\/?)([\w:]+)((?: [\w:-]+="[^"<]*")*)(\/?)>([^<]*)/g,
  )) {
    if (closing) expect(open.pop()).toBe(name)
    else {
      const pairs = [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, decode(value!)])
      found.push({ path: [...open, name].join('/'), text: decode(words), attributes: Object.fromEntries(pairs) })
      if (!empty) open.push(name)
    }
  }
  expect(open).toEqual([])
  expect(rest.replace(/<\/?[\w:]+(?: [\w:-]+="[^"<]*")*\/?>[^<]*/g, '')).toBe('')
  return found
}

const decode = (text: string) =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')

describe('the sitemap', () => {
  test('lists every article in every language, each linking to all alternates', async () => {
    const { headers, text } = await centre.read('/sitemap.xml')
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const elements = parseXml(text)
    const at = (path: string) => `${PUBLIC_URL}${centre.path}${path}`
    const locations = elements.filter(({ path }) => path === 'urlset/url/loc').map((element) => element.text)
    expect(locations).toEqual(
      ['/en', '/de', '/en/articles/oak', '/de/articles/oak', '/en/articles/pine']
        .map(at)
        .sort((a, b) => locations.indexOf(a) - locations.indexOf(b)),
    )
    const links = elements.filter(({ path }) => path === 'urlset/url/xhtml:link').map(({ attributes }) => attributes)
    expect(links.filter(({ href }) => href === at('/de/articles/oak')).map(({ hreflang }) => hreflang)).toEqual([
      'de',
      'de',
    ])
    expect(
      links
        .filter(({ hreflang }) => hreflang === 'x-default')
        .map(({ href }) => href)
        .sort(),
    ).toEqual(['', '', '/articles/oak', '/articles/oak', '/articles/pine'].map(at))
    for (const { text: moment } of elements.filter(({ path }) => path.endsWith('lastmod'))) {
      expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
    }
  })

  test('of a large knowledge base is split into parts that list every article once', async () => {
    const large = await createCentre(harness)
    const { id } = await large.article({ slug: 'article-0' })
    await large.multiplyArticle(id, 1099)
    const parts = parseXml((await large.read('/sitemap.xml')).text).filter(
      ({ path }) => path === 'sitemapindex/sitemap/loc',
    )
    expect(parts.map(({ text }) => text)).toEqual(
      [1, 2, 3].map((part) => `${PUBLIC_URL}${large.path}/sitemap-${part}.xml`),
    )
    const locations: string[] = []
    for (const { text } of parts) {
      const part = parseXml((await large.read(text.slice(`${PUBLIC_URL}${large.path}`.length))).text)
      locations.push(...part.filter(({ path }) => path === 'urlset/url/loc').map((element) => element.text))
    }
    expect(new Set(locations).size).toBe(1100 + 1)
    expect(locations).toHaveLength(1100 + 1)
    expect((await large.read('/sitemap-4.xml')).status).toBe(404)
  })
})

describe('the feed', () => {
  test('lists the latest articles in the reader’s language, or else in their original one', async () => {
    const { headers, text } = await centre.read('/de/feed.atom')
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const elements = parseXml(text)
    const textOf = (path: string) => elements.filter((element) => element.path === path).map((element) => element.text)
    expect(elements[0]).toMatchObject({
      path: 'feed',
      attributes: { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'de' },
    })
    expect(textOf('feed/title')).toEqual(['Care & repair'])
    expect(textOf('feed/author/name')).toEqual(['Care & repair'])
    expect(textOf('feed/id')).toEqual([`urn:uuid:${centre.base.id}`])
    expect(textOf('feed/entry/title')).toEqual(['Pine <b>', 'Eiche'])
    expect(textOf('feed/entry/summary')).toEqual(['Wipe it.', 'Wischen.'])
    expect(textOf('feed/updated')).toEqual(textOf('feed/entry/updated').slice(0, 1))
    const links = elements.filter(({ path }) => path === 'feed/entry/link').map(({ attributes }) => attributes.href)
    expect(links).toEqual(['/en/articles/pine', '/de/articles/oak'].map((path) => `${PUBLIC_URL}${centre.path}${path}`))
  })

  test('of an empty knowledge base is a valid feed', async () => {
    const empty = await createCentre(harness)
    const elements = parseXml((await empty.read('/feed.atom')).text)
    expect(elements.filter(({ path }) => path === 'feed/updated')).toHaveLength(1)
  })

  test('has at most 30 entries and is valid XML with hostile titles', async () => {
    const hostile = await createCentre(harness)
    const attacks = ATTACKS.map((attack) => attack.replaceAll('\0', '').slice(0, 250).trim())
    const titles = packTexts(attacks, 250)
    for (const [n, title] of titles.entries()) {
      await hostile.article({ title, content: title })
      if (n % 30 === 29 || n === titles.length - 1) {
        const entries = parseXml((await hostile.read('/feed.atom')).text).filter(
          ({ path }) => path === 'feed/entry/title',
        )
        expect(entries).toHaveLength(30)
      }
    }
  })
})
