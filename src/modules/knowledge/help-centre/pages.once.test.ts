import { beforeAll, describe, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { scan } from '../../../testing/data/scans.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.acme.com' } })
const BYTES_MAX = 30 * 1024

let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness, { description: 'All about\nfurniture' })
})

/** The visible text, without the markup. */
const wordsOf = (page: string): string =>
  page
    .replace(/<(style|svg|head).*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const linksOf = (page: string): string[] => [...page.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, path]) => path!)

test('a QR code opens the help centre, which does not show the name of the code', async () => {
  const { id, path, tenant } = { ...centre.base, path: centre.path, tenant: centre.tenant }
  const destination = { knowledge_base: id }
  const code = (await tenant.post('/v1/qr-codes', { name: 'Ask Kim about this', destination })).body
  const location = (await scan(harness, `/${code.public_slug}`)).headers.get('location') ?? ''
  expect(location).toMatch(new RegExp(`^https://go.acme.com${path}\\?s=`))
  const scanned = await harness.client().get(location.replace('https://go.acme.com', ''))
  const plain = await centre.read()
  expect(scanned.status).toBe(200)
  expect(scanned.text).toBe(plain.text)
})

test('the home page shows the name, description, categories and articles', async () => {
  const care = await createCentre(harness, { name: 'Care guide', description: 'How to care' })
  const wood = await care.category({ name: 'Wood', description: 'All of wood', icon: 'star' })
  await care.category({ name: 'Nothing in it' })
  const outer = await care.category({ name: 'Outer' })
  const inner = await care.category({ name: 'Inner', parent_id: outer.id })
  const shell = await care.category({ name: 'Shell' })
  await care.category({ parent_id: shell.id })
  await care.article({ title: 'Elm', category_id: outer.id })
  await care.article({ title: 'Fir', category_id: inner.id })
  await care.article({ title: 'Blank', slug: 'blank', content: ' \n', category_id: wood.id })
  await care.article({ title: 'Oak', slug: 'oak', category_id: wood.id })
  await care.article({ title: 'Pine', category_id: wood.id })
  await care.article({ title: 'Contact us', slug: 'contact' })
  const { status, text } = await care.read()
  expect(status).toBe(200)
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(text).toContain('<title>Care guide</title>')
  expect(wordsOf(text)).toContain('Care guide How to care')
  expect(wordsOf(text)).toContain('Wood All of wood 2 articles')
  expect(wordsOf(text)).toMatch(/Articles Contact us Recently updated Contact us Pine Oak Fir Elm/)
  expect(wordsOf(text)).toContain('Outer 2 articles')
  expect(wordsOf(text)).not.toMatch(/Nothing in it|Inner|Shell|Blank/)
  expect(linksOf(text)).toContain(`${care.path}/categories/${wood.slug}`)
  expect(linksOf(text)).toContain(`${care.path}/articles/contact`)
  for (const path of ['/articles', '/sitemap.xml', '/feed.atom', `/categories/${wood.slug}`]) {
    expect((await care.read(path)).text, path).not.toContain('/articles/blank')
  }
  expect((await care.read('/articles/blank')).status).toBe(200)
})

test('an empty help centre says that it is empty', async () => {
  const empty = await createCentre(harness)
  expect(wordsOf((await empty.read()).text)).toContain('Nothing here yet. Please check back soon.')
})

describe('a category', () => {
  test('shows its breadcrumb, its subcategories, and its articles by title', async () => {
    const outer = await centre.category({ name: 'Outer' })
    const inner = await centre.category({ name: 'Inner', parent_id: outer.id, description: 'Within' })
    const innermost = await centre.category({ name: 'Innermost', parent_id: inner.id })
    await centre.article({ title: 'beta', category_id: inner.id })
    await centre.article({ title: 'Alpha', category_id: inner.id })
    await centre.article({ title: 'Deep', category_id: innermost.id })
    const { text } = await centre.read(`/categories/${inner.slug}`)
    expect(wordsOf(text)).toMatch(/Home Outer Inner Within Topics Innermost 1 article Articles Alpha beta/)
    expect(linksOf(text)).toContain(`${centre.path}/categories/${outer.slug}`)
  })

  test('lists each article once when paging forwards and backwards', async () => {
    const many = await centre.category({ name: 'Many' })
    const titles = Array.from({ length: 120 }, (_, n) => `Title ${String(n).padStart(3, '0')}`)
    const { id } = await centre.article({ title: titles[0], category_id: many.id })
    await centre.multiplyArticle(id, titles.length - 1, (n) => ({ title: titles[n + 1] as string }))
    const seen: string[][] = []
    let path: string | undefined = `/categories/${many.slug}`
    const linkIn = (text: string, rel: string) =>
      text.match(new RegExp(`rel="${rel}" href="${centre.path}([^"]*)"`))?.[1]
    let back: string | undefined
    while (path !== undefined) {
      const { text } = await centre.read(path)
      seen.push([...text.matchAll(/Title \d{3}/g)].map(([title]) => title))
      back = linkIn(text, 'prev')
      path = linkIn(text, 'next')
    }
    expect(seen.map((page) => page.length)).toEqual([50, 50, 20])
    expect(seen.flat()).toEqual(titles)
    const before = (await centre.read(back)).text
    expect([...before.matchAll(/Title \d{3}/g)].map(([title]) => title)).toEqual(seen[1])
    const first = (await centre.read(linkIn(before, 'prev'))).text
    expect([...first.matchAll(/Title \d{3}/g)].map(([title]) => title)).toEqual(seen[0])
    expect(linkIn(first, 'prev')).toBeUndefined()
    expect((await centre.read(`/categories/${many.slug}?after=gone`)).text).toContain('Title 000')
    const home = (await centre.read()).text
    expect(wordsOf(home)).toContain('Many 99+ articles')
  })

  test('in a deep tree shows only its nearest ancestors', async () => {
    let parent: { id: string; slug: string } | undefined
    for (let depth = 0; depth < 30; depth++) {
      parent = await centre.category({ name: `Level ${depth}.`, ...(parent && { parent_id: parent.id }) })
    }
    const words = wordsOf((await centre.read(`/categories/${parent?.slug}`)).text)
    expect(words).toContain('Home … Level 26. Level 27. Level 28. Level 29.')
  })
})

test('categories that do not fit on the home page are listed on their own pages', async () => {
  const large = await createCentre(harness)
  const names = Array.from({ length: 70 }, (_, n) => `Topic ${String(n).padStart(2, '0')}`)
  const { id: unused } = await large.category({ name: 'Nothing in it', sort_order: 1000 })
  const ids = await large.multiplyCategory(unused, names.length, (n) => ({ name: names[n] as string }))
  const { id } = await large.article()
  await large.multiplyArticle(id, ids.length, (n) => ({ title: 'Oak table', category_id: ids[n] as string }))
  const namesIn = (text: string) => [...text.matchAll(/Topic \d\d/g)].map(([name]) => name)
  const home = (await large.read()).text
  expect(namesIn(home)).toEqual(names.slice(0, 30))
  expect(linksOf(home)).toContain(`${large.path}/categories`)
  const first = (await large.read('/categories')).text
  const next = first.match(/rel="next" href="([^"]*)"/)?.[1]?.replace(large.path, '')
  expect(namesIn((await large.read(next)).text)).toEqual(names.slice(60))
  const all = (await large.read('/articles')).text
  expect([...all.matchAll(/Oak table/g)]).toHaveLength(50)
})

describe('an article', () => {
  test('shows its title, date, content and related articles', async () => {
    const wood = await centre.category({ name: 'Wood' })
    const oak = await centre.article({
      title: 'Oak & pine',
      slug: 'oak-and-pine',
      category_id: wood.id,
      content:
        '# First\n\nSome **bold** words.\n\n![Oak](https://acme.com/oak.png?a=1&b=2)\n\n| a | b |\n|---|---|\n| c | d |\n\n```\ncode\n```',
    })
    const pine = await centre.article({ title: 'Pine alone' })
    const draft = await centre.article({ title: 'Secret draft', status: 'draft' })
    const relations = { related_article_ids: [draft.id, pine.id] }
    expect((await centre.tenant.put(`/v1/articles/${oak.id}/relations`, relations)).status).toBe(200)
    const { text } = await centre.read('/articles/oak-and-pine')
    expect(text).toContain('<title>Oak &amp; pine – Acme help</title>')
    expect(text).toMatch(/<meta name="description" content="First Some bold words/)
    expect(text).toContain('<h1>Oak &amp; pine</h1>')
    expect(text).toMatch(/<time datetime="[^"]+" lang="en" dir="ltr">Updated on \d+ \w+ \d{4}<\/time>/)
    expect(text).toContain('<strong>bold</strong>')
    expect(text).toContain('<div class="scroll" tabindex="0"><table>')
    expect(text).toContain('<pre tabindex="0">')
    const canonical = `https://go.acme.com${centre.path}/en`
    for (const [property, content] of [
      ['title', 'Oak &amp; pine'],
      ['type', 'article'],
      ['url', `${canonical}/articles/oak-and-pine`],
      ['site_name', 'Acme help'],
      ['image', 'https://acme.com/oak.png?a=1&amp;b=2'],
    ]) {
      expect(text).toContain(`<meta property="og:${property}" content="${content}">`)
    }
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? ''
    expect(JSON.parse(data)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Home', item: canonical },
        { '@type': 'ListItem', position: 2, name: 'Wood', item: `${canonical}/categories/${wood.slug}` },
        { '@type': 'ListItem', position: 3, name: 'Oak & pine', item: `${canonical}/articles/oak-and-pine` },
      ],
    })
    expect(wordsOf(text)).toContain('Related articles Pine alone')
    expect(wordsOf(text)).not.toContain('Secret')
    expect(linksOf(text)).toContain(`${centre.path}/categories/${wood.slug}`)
  })

  test('shows its current content after it was cached', async () => {
    const { id, slug } = await centre.article({ content: 'Before.' })
    expect((await centre.read(`/articles/${slug}`)).text).toContain('<p>Before.</p>')
    harness.advance(1)
    await centre.tenant.patch(`/v1/articles/${id}`, { content: 'After.' })
    expect((await centre.read(`/articles/${slug}`)).text).toContain('<p>After.</p>')
    await centre.tenant.patch(`/v1/articles/${id}`, { status: 'unpublished' })
    expect((await centre.read(`/articles/${slug}`)).status).toBe(404)
  })
})

describe('page size', () => {
  test('the home page with 30 categories and 30 articles is less than 30 KB', async () => {
    const large = await createCentre(harness, { description: 'Everything about your furniture. '.repeat(5) })
    const description = 'What to do, what to leave alone, and whom to ask when it goes wrong'
    const { id: top } = await large.category({ sort_order: 1000, description, icon: 'book-open' })
    const ids = await large.multiplyCategory(top, 30, (n) => ({ name: `Looking after wood ${n}` }))
    const inside = await large.article({ category_id: ids[0] })
    const title = (n: number) => `How to remove stains from table number ${n}`
    await large.multiplyArticle(inside.id, 30, (n) => ({ title: title(n), category_id: ids[n] as string }))
    const beside = await large.article()
    await large.multiplyArticle(beside.id, 30, (n) => ({ title: `What people often ask us about table number ${n}` }))
    const { text } = await large.read()
    expect(text.match(/class="card"/g)).toHaveLength(30)
    expect(text.match(/What people often ask us/g)?.length).toBeGreaterThanOrEqual(30)
    expect(Buffer.byteLength(text)).toBeLessThan(BYTES_MAX)
  })

  test('an article of 5 KB is less than 30 KB', async () => {
    const { slug } = await centre.article({ content: 'Wipe it with a soft cloth. '.repeat(190) })
    expect(Buffer.byteLength((await centre.read(`/articles/${slug}`)).text)).toBeLessThan(BYTES_MAX)
  })
})

test('a logo with an https URL is shown, also as the icon and in previews', async () => {
  const branded = await createCentre(harness, { logo_url: 'https://acme.com/logo.svg?a=1&b=2' })
  const { text } = await branded.read()
  expect(text).toContain('<img src="https://acme.com/logo.svg?a=1&amp;b=2" alt=""')
  expect(text).toContain('<link rel="icon" href="https://acme.com/logo.svg?a=1&amp;b=2"')
  expect(text).toContain('<meta property="og:image" content="https://acme.com/logo.svg?a=1&amp;b=2">')
})

test('a help centre without a logo has an icon in its own colour', async () => {
  const branded = await createCentre(harness, { primary_color: '#FFD400' })
  expect((await branded.read()).text).toMatch(/<link rel="icon" href="data:image\/svg\+xml,[^"]*%23FFD400/)
})

test('the contact is on every page, and again where visitors do not find something', async () => {
  const reachable = await createCentre(harness, {
    contact_email: "o'help@acme.example",
    contact_phone: '+49 (30) 12-34',
  })
  const mail = '<a href="mailto:o&#39;help@acme.example" dir="ltr">o&#39;help@acme.example</a>'
  const phone = '<a href="tel:+49301234" dir="ltr">+49 (30) 12-34</a>'
  for (const [path, times] of [
    ['', 1],
    ['/articles', 1],
    ['/search?q=nonsense', 2],
    ['/nothing', 2],
  ] as const) {
    const { text } = await reachable.read(path)
    expect(text.split(`${mail}${phone}`), path).toHaveLength(times + 1)
    expect(wordsOf(text).includes('Still need help?'), path).toBe(times === 2)
  }
  const silent = (await centre.read('/nothing')).text
  expect(silent).not.toMatch(/<address|Still need help/)
})
