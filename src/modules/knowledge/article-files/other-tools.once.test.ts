/** Documentation of other tools and exports of other help centres are imported as they are, and nothing of them is run. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOTHING, useArticleFolders } from '../../../testing/data/article-folder.ts'
import { GITBOOK, INTERCOM, SIDEBAR_DOCS, ZENDESK } from '../../../testing/data/help-centre-exports.ts'

const { openBase } = useArticleFolders()

const start = async (files: Record<string, string>) => {
  const opened = await openBase(undefined, { is_published: true })
  await opened.put(files)
  const { acme, base } = opened
  const categories = async () => {
    const { data } = (await acme.get(`/v1/article-categories?knowledge_base_id=${base}&page_size=100`)).body
    const names = new Map(data.map(({ id, name }: any) => [id, name]))
    const shown = data.map((each: any) => [each.sort_order, names.get(each.parent_id) ?? null, each.name])
    return shown.sort((a: any, b: any) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  }
  const categoryOf = async ({ category_id }: any) =>
    category_id && (await acme.get(`/v1/article-categories/${category_id}`)).body.name
  return { ...opened, categories, categoryOf }
}

test('a space of GitBook keeps its parts, hints, drawings and links, also those to the old site', async () => {
  const { importWith, find, categories, categoryOf } = await start(GITBOOK)
  const options = { isLenient: true, oldUrl: 'https://docs.acme.com' }
  expect(await importWith(options)).toMatchObject({
    ...{ created: 4, categories: { created: 2 }, files: { created: 1 } },
    warnings: [
      {
        file: 'README.md',
        line: 13,
        message: 'There is nothing like {% magic %} here. Only the text in it was imported.',
      },
      { file: 'README.md', line: 17, message: 'It stays a link to the old site: https://docs.acme.com/gone' },
      { file: 'README.md', line: 17, message: 'It stays at the old site: https://docs.acme.com/old.png' },
    ],
  })
  const home = await find('readme')
  expect(home.content).not.toMatch(/[{}%]/)
  expect(home.content).toContain(':::warning\n[Pair it](pairing#reset) first.\n:::')
  expect(home.content).toContain('[Pairing](pairing) and [the site](https://acme.com)')
  expect(home.content).toMatch(/!\[Plan\]\(\/assets\/\S+\.png\)/)
  expect(await categories()).toEqual([
    [0, 'Lamps', 'Pairing'],
    [1, null, 'Lamps'],
  ])
  expect([await categoryOf(await find('pairing')), await categoryOf(await find('reset'))]).toEqual([
    'Pairing',
    'Pairing',
  ])
  expect(await categoryOf(await find('dimming'))).toBe('Lamps')
  expect(await importWith(options)).toMatchObject({ ...NOTHING, unchanged: 4, files: { created: 0, unchanged: 1 } })
})

test('a sidebar gives the categories, addresses of pages become slugs, and folders translations', async () => {
  const { importWith, find, categories, acme } = await start(SIDEBAR_DOCS)
  expect(await importWith({ isLenient: true })).toMatchObject({
    ...{ created: 3, translations: { created: 1 }, categories: { created: 2 }, warnings: [] },
  })
  expect(await categories()).toEqual([
    [1, null, 'Guides'],
    [4, null, 'Folder label'],
  ])
  expect((await find('pair-a-lamp')).content).toBe('[Intro](01-intro)\n')
  const { id } = await find('01-intro')
  expect((await acme.get(`/v1/articles/${id}/translations/de`)).body).toMatchObject({ title: 'Einleitung' })
  expect(await importWith({ isLenient: true })).toMatchObject({ ...NOTHING, unchanged: 3 })
})

test('a menu of Mintlify gives the categories, and programs are left out of every page', async () => {
  const { importWith, find, categories, categoryOf } = await start({
    'docs.json': JSON.stringify({
      navigation: {
        tabs: [
          {
            tab: 'Guides',
            groups: [{ group: 'Lamps', pages: ['index', { group: 'Pairing', pages: ['lamps/pair'] }] }],
          },
          { tab: 'API', pages: ['api/calls'] },
        ],
      },
    }),
    'index.mdx': '---\ntitle: Start\n---\n\n<Note>Lamp {{ model }} is new.</Note>\n',
    'lamps/pair.mdx': '---\ntitle: Pair\n---\n\n[Start](/index)\n',
    'api/calls.md': '# Calls\n\nHi {user.name}.\n',
  })
  expect(await importWith({ isLenient: true })).toMatchObject({
    ...{ created: 3, categories: { created: 4 } },
    warnings: [
      { file: 'api/calls.md', line: 3, message: 'A program in braces was left out.' },
      { file: 'index.mdx', line: 5, message: 'There is nothing like {{ model }} here. It was left out.' },
    ],
  })
  expect(await categories()).toEqual([
    [0, 'Guides', 'Lamps'],
    [0, null, 'Guides'],
    [1, 'Lamps', 'Pairing'],
    [1, null, 'API'],
  ])
  expect(await categoryOf(await find('index'))).toBe('Lamps')
  const pair = await find('pair')
  expect([await categoryOf(pair), pair.content]).toEqual(['Pairing', '[Start](index)\n'])
  expect((await find('calls')).content).toBe('Hi .\n')
  expect(await importWith({ isLenient: true })).toMatchObject({ ...NOTHING, unchanged: 3 })
})

test('a menu of MkDocs beside the folder gives the categories, and its marks are no text', async () => {
  const { dir, importWith, find, categories, categoryOf } = await start({
    'mkdocs.yml':
      'site_name: Acme\nplugins:\n  - x: !!python/name:os.system\nnav:\n  - index.md\n  - Lamps:\n      - Pair a lamp: lamps/pair.md\n      - More: [lamps/dim.md]\n',
    'docs/index.md': '# Home\n\n[Pair](lamps/pair.md)\n',
    'docs/lamps/pair.md': '# Pair\n\n/// note | Mind\nPress ++ctrl+p++, ==twice==.\n///\n',
    'docs/lamps/dim.md': '# Dim\n\nVersion {{ version }}\n\n--8<--\nmore.md\n--8<--\n',
    'docs/other/page.md': '# Page\n\nx\n',
  })
  const options = { isLenient: true, dir: join(dir, 'docs') }
  expect(await importWith(options)).toMatchObject({
    ...{ created: 4, categories: { created: 3 } },
    warnings: [
      { file: 'lamps/dim.md', line: 3, message: 'There is nothing like {{ version }} here. It was left out.' },
      { file: 'lamps/dim.md', line: 5, message: 'What is included from another file is not imported.' },
    ],
  })
  expect(await categories()).toEqual([
    [0, null, 'Other'],
    [1, 'Lamps', 'More'],
    [1, null, 'Lamps'],
  ])
  expect(await categoryOf(await find('index'))).toBeNull()
  const pair = await find('pair')
  expect([await categoryOf(pair), pair.content.trim()]).toEqual(['Lamps', ':::note Mind\nPress Ctrl+P, twice.\n:::'])
  const dim = await find('dim')
  expect([await categoryOf(dim), dim.content.trim()]).toEqual(['More', 'Version'])
  expect(await importWith(options)).toMatchObject({ ...NOTHING, unchanged: 4 })
})

test('an export of Zendesk keeps sections, drafts, labels, translations and links between articles', async () => {
  const { importWith, find, categories, categoryOf, acme } = await start(ZENDESK)
  const options = { isLenient: true, oldUrl: 'https://acme.zendesk.com' }
  expect(await importWith(options)).toMatchObject({
    ...{ created: 3, translations: { created: 1 }, categories: { created: 2 }, tags: { created: 1 } },
    warnings: [{ file: 'article 101', line: null, message: expect.stringContaining('It stays at the old site') }],
  })
  const pairing = await find('pairing-a-lamp')
  expect(pairing).toMatchObject({ title: 'Pairing a lamp', status: 'published', visibility: 'public', language: 'en' })
  expect(pairing.content).toBe(
    '## Before {#before}\n\n1. **Reset** it: [how](resetting-a-lamp#h)\n2. Wait\n\n![](https://acme.zendesk.com/hc/article_attachments/9/x.png)',
  )
  expect(await find('resetting-a-lamp')).toMatchObject({ status: 'draft' })
  expect(await find('for-the-team')).toMatchObject({ status: 'published', visibility: 'internal' })
  expect((await acme.get(`/v1/articles/${pairing.id}/translations/de`)).body).toMatchObject({
    content: 'Zuerst *das*.',
  })
  expect(await categories()).toEqual([
    [0, 'Lamps', 'Basics'],
    [0, null, 'Lamps'],
  ])
  expect(await categoryOf(pairing)).toBe('Basics')
  expect(await importWith(options)).toMatchObject({ ...NOTHING, unchanged: 3, categories: { unchanged: 2 } })
})

test('an export of Intercom keeps collections and translations, and finds articles by their numbers', async () => {
  const { importWith, find, categories, acme } = await start(INTERCOM)
  expect(await importWith({ isLenient: true, oldUrl: 'https://help.acme.com' })).toMatchObject({
    ...{ created: 2, translations: { created: 1 }, categories: { created: 2 }, warnings: [] },
  })
  expect((await find('pairing')).content).toBe('See [the reset](reset).')
  expect(await find('reset')).toMatchObject({ status: 'draft' })
  expect(await categories()).toEqual([
    [0, null, 'Lamps'],
    [1, 'Lamps', 'Basics'],
  ])
  const { id } = await find('pairing')
  expect((await acme.get(`/v1/articles/${id}/translations/fr`)).body).toMatchObject({ title: 'Associer' })
})

test('pages of HTML are articles, if there are no others', async () => {
  const { importWith, find } = await start({
    'lamps/pair.html':
      '<html><body><nav>Menu</nav><main><h1>Pair it</h1><p>See <a href="reset.html#x">reset</a>.</p></main></body></html>',
    'lamps/reset.html': '<title>Reset</title><p>Hold.</p>',
  })
  expect(await importWith({ isLenient: true })).toMatchObject({ created: 2, warnings: [] })
  expect(await find('pair')).toMatchObject({ title: 'Pair it', content: 'See [reset](reset.html#x).' })
})

test('an address of the old site must be one', async () => {
  const { importWith } = await start({ 'a.md': '# A' })
  await expect(importWith({ isLenient: true, oldUrl: 'docs.acme.com' })).rejects.toThrow(/must begin with https/)
})
