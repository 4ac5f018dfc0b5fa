/** Documentation of other tools and exports of other help centres are imported as they are, and nothing of them is run. */
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
