import { beforeAll, describe, expect, test } from 'vitest'
import { ATTACKS } from '../../../../testing/data/attacks.ts'
import { createCentre, type TestCentre } from '../../../../testing/data/help-centre.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { useHarness } from '../../../../testing/harness.ts'

const harness = useHarness()

let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness)
  await centre
    .category({ name: 'Topic to look through', slug: 'topic' })
    .then(({ id }) => centre.article({ category_id: id }))
  const oak = await centre.article({ title: 'Varnish <b>', slug: 'varnish', content: 'Apply the varnish & wait.' })
  await centre.translate(oak.id, 'de', 'Klarlack', 'Klarlack auftragen und warten.')
  for (const visibility of ['internal', 'chatbot_only']) await centre.article({ title: 'Varnish secret', visibility })
  await centre.article({ title: 'Varnish draft', status: 'draft' })
  const sibling = await createCentre(harness, {}, centre.tenant)
  await sibling.article({ title: 'Varnish sibling' })
  const stranger = await createCentre(harness)
  await stranger.article({ title: 'Varnish stranger' })
  await Promise.all(
    Array.from({ length: 45 }, (_, n) => centre.article({ title: `Polish ${n}`, content: 'Polish it.' })),
  )
  const waiting = harness.service.database.read
    .selectFrom('articles')
    .select('id')
    .where('indexing_due_at', 'is not', null)
  await eventually(async () => (await waiting.execute()).length === 0)
})

const headingOf = (text: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]
const hitsOf = (text: string) =>
  [...text.matchAll(/<h2><a href="([^"]*)">(.*?)<\/a>/g)].map(([, path, title]) => [path, title])

test('matches are marked, and hits link to the article', async () => {
  const { text } = await centre.read('/search?q=varnish')
  expect(headingOf(text)).toBe('1 result for “varnish”')
  expect(hitsOf(text)).toEqual([[`${centre.path}/articles/varnish`, '<mark>Varnish</mark> &lt;b&gt;']])
  expect(text).toContain('the <mark>varnish</mark> &amp; wait')
  expect(text).toContain('value="varnish"')
})

test('only articles that visitors can read here are found', async () => {
  const { text } = await centre.read('/search?q=varnish')
  expect(text).not.toMatch(/secret|draft|sibling|stranger/)
})

test('a withdrawn article is not shown, even before the index is updated', async () => {
  const { id } = await centre.article({ title: 'Withdrawn turpentine' })
  await eventually(async () => (await centre.read('/search?q=turpentine')).text.includes('1 result'))
  await centre.tenant.patch(`/v1/articles/${id}`, { visibility: 'internal' })
  expect(headingOf((await centre.read('/search?q=turpentine')).text)).toBe('No results for “turpentine”')
})

test('results in other languages are shown, with a note, only if there are none in the reader’s language', async () => {
  const german = (await centre.read('/de/search?q=klarlack')).text
  expect(hitsOf(german)).toEqual([[`${centre.path}/de/articles/varnish`, '<mark>Klarlack</mark>']])
  expect(german).not.toContain('class="note"')
  const french = (await centre.read('/fr/search?q=klarlack')).text
  expect(french).toContain('Aucun résultat en français. Voici des résultats dans d’autres langues.')
  expect(hitsOf(french)).toEqual([[`${centre.path}/de/articles/varnish`, '<mark>Klarlack</mark>']])
  expect(french).toContain('<small lang="fr">allemand</small>')
})

test('paging lists each result once', async () => {
  const titles = new Set<string>()
  let path: string | undefined = '/search?q=polish'
  const sizes: number[] = []
  while (path !== undefined) {
    const { text } = await centre.read(path)
    const hits = hitsOf(text)
    sizes.push(hits.length)
    for (const [, title] of hits) titles.add(title!)
    path = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&').replace(centre.path, '')
  }
  expect(sizes).toEqual([20, 20, 5])
  expect(titles.size).toBe(45)
})

test('a search without results suggests other words and topics', async () => {
  const { status, text } = await centre.read('/search?q=xyzzyplugh')
  expect(status).toBe(200)
  expect(headingOf(text)).toBe('No results for “xyzzyplugh”')
  expect(text).toContain('Try fewer or different words, or browse the topics.')
  expect(text).toContain(`<a href="${centre.path}/categories/topic">Topic to look through</a>`)
  expect(text).toContain('<meta name="robots" content="noindex">')
})

describe('what was corrected', () => {
  const linkOf = (text: string) =>
    /<p class="spelling"><a rel="nofollow" href="([^"]*)">(.*?)<\/a>/.exec(text)?.slice(1)
  const pathOf = (link: string | undefined) => link?.replaceAll('&amp;', '&').replace(centre.path, '')

  test('is said, spelled as in the best result, with a link to the search as it was typed', async () => {
    await centre.article({ title: 'Entkalken der Espressomühle', content: 'Mit Zitronensäure.' })
    const read = async () => (await centre.read('/search?q=Espresomuhle+zitronensäre%3F')).text
    // Misspellings are indexed after the words.
    await eventually(async () => headingOf(await read())?.includes('zitronensäure') === true)
    const text = await read()
    expect(headingOf(text)).toBe('1 result for “Espressomühle zitronensäure?”')
    const [link, label] = linkOf(text) ?? []
    expect(label).toBe('Search for “Espresomuhle zitronensäre?” instead')
    expect(text).toContain('value="Espresomuhle zitronensäre?"')
    expect(text).not.toContain('Without:')

    const exact = await centre.read(pathOf(link))
    expect(exact.status).toBe(200)
    expect(headingOf(exact.text)).toBe('No results for “Espresomuhle zitronensäre?”')
    expect(exact.text).toContain('<meta name="robots" content="noindex">')
    expect(linkOf(exact.text)).toBeUndefined()
  })

  test('is not said of words that some article has, nor of unfinished ones', async () => {
    for (const q of ['varnish', 'varn', 'VARNISHES']) {
      expect((await centre.read(`/search?q=${q}`)).text).not.toContain('class="spelling"')
    }
  })

  test('words that no article has are listed once, and no others', async () => {
    const { text } = await centre.read('/search?q=varnish+xyzzyplugh+%3Cb%3Equuxfrob')
    expect(headingOf(text)).toBe('1 result for “varnish xyzzyplugh &lt;b&gt;quuxfrob”')
    expect(text).toContain('<p class="spelling">No article contains: xyzzyplugh, quuxfrob</p>')
    expect(text).not.toContain('Without:')
    expect((await centre.read('/search?q=varnish+polish')).text).toContain('Without: ')
  })

  test('the pages of an exact search stay exact, and so do its languages', async () => {
    await centre.translate((await centre.article({ title: 'Oak' })).id, 'de', 'Eiche')
    const typed = (await centre.read('/search?q=polihs&page=2')).text
    expect(headingOf(typed)).toBe('45 results for “polish”')
    expect(typed).toContain(`${centre.path}/search?q=polihs&amp;page=3`)
    const exact = (await centre.read('/search?q=polish+polihs&exact=1')).text
    expect(headingOf(exact)).toBe('45 results for “polish polihs”')
    expect(exact).toContain('No article contains: polihs')
    expect(exact).toContain(`${centre.path}/search?q=polish+polihs&amp;exact=1&amp;page=2`)
    expect(exact).toContain(`${centre.path}/de/search?q=polish+polihs&amp;exact=1`)
  })

  test('an empty exact search is the empty page', async () => {
    expect((await centre.read('/search?exact=1')).text).toBe((await centre.read('/search')).text)
  })
})

test('an empty query shows only the search field', async () => {
  for (const path of ['/search', '/search?q=', '/search?q=%20%00', '/search?page=2']) {
    const { status, text } = await centre.read(path)
    expect(status).toBe(200)
    expect(headingOf(text)).toBe('Search')
  }
})

test('hostile queries return 200 and are shown as text only', async () => {
  // Every fifth: all queries are escaped in the same way, and a browser visits all of them.
  const attacks = ATTACKS.filter((_, n) => n % 5 === 0)
  for (const attack of [...attacks, '"', '*', 'NEAR(', 'a:b', '^', '&', '!', '\ud800', '🪑', 'x'.repeat(5000)]) {
    const { status, text } = await centre.read(`/search?q=${encodeURIComponent(attack.toWellFormed())}`)
    expect(status).toBe(200)
    const body = text.slice(text.indexOf('<main'))
    // Only tags from our own templates.
    const tags = new Set([...body.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag!))
    for (const tag of tags) expect(OWN_TAGS, attack).toContain(tag)
    expect(text).toMatch(/<title>[^<]*<\/title>/)
  }
})

const OWN_TAGS = [
  ...[
    'main',
    'form',
    'input',
    'button',
    'svg',
    'symbol',
    'use',
    'circle',
    'path',
    'h1',
    'h2',
    'h3',
    'p',
    'a',
    'ol',
    'ul',
    'li',
    'mark',
  ],
  ...['section', 'span', 'div', 'small', 'nav', 'footer', 'body', 'html'],
]
