import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { articleFile, NOTHING, useArticleFolders, writeFolder } from '../../../testing/data/article-folder.ts'
import { APP_DOCS, HOUSE_DOCS } from '../../../testing/data/documentation-sets.ts'
import { eventually } from '../../../testing/eventually.ts'
import { SAMPLES } from '../../assets/assets/testing/sample-files.ts'

const { harness, openBase, dump } = useArticleFolders('all')
const [PNG, GIF, PDF] = [SAMPLES.png.content, SAMPLES.gif.content, SAMPLES.pdf.content]

interface ListedArticle {
  title: string
  slug: string
  status: string
  indexing_status: string
  tag_names: string[]
}

const isSettled = ({ status, indexing_status }: ListedArticle) =>
  status !== 'published' || indexing_status === 'indexed'

/** Follows every internal link of every page of a help centre. */
async function findDeadLinks(path: string, slugs: readonly string[]): Promise<string[]> {
  const visitor = harness.client()
  const dead: string[] = []
  for (const slug of slugs) {
    const { status, text } = await visitor.get(`${path}/en/articles/${slug}`)
    expect(status).toBe(200)
    const [, article = ''] = /<article[^>]*>(.*)<\/article>/s.exec(text) ?? []
    for (const [, href = ''] of article.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(?:https:|#)/.test(href)) continue
      const url = new URL(href, `${harness.baseUrl}${path}/en/articles/`)
      const reply = await visitor.get(`${url.pathname}`)
      if (reply.status !== 200) dead.push(`${slug}: ${href}`)
      else if (url.hash !== '' && !reply.text.includes(` id="${url.hash.slice(1)}"`)) dead.push(`${slug}: ${href}`)
    }
    for (const [, text] of article.matchAll(/<a>(\w[^<]*)<\/a>/g)) dead.push(`${slug}: ${text}`)
  }
  return dead
}

test('imports two documentations as they are, with all links alive, and again without a change', async () => {
  const app = await openBase(undefined, { name: 'App', is_published: true })
  const house = await openBase(app.acme, { name: 'House', is_published: true })
  await app.put({ ...APP_DOCS, 'img/logo.png': PNG, 'static/img/box.png': PNG })
  await house.put({ ...HOUSE_DOCS, 'files/manual.pdf': PDF })
  await symlink('/etc/passwd', join(app.dir, 'devices/passwd.md'))

  const first = await app.importWith({ isLenient: true })
  expect(first).toEqual({
    ...{ ...NOTHING, created: 5 },
    translations: NOTHING,
    categories: { ...NOTHING, created: 2 },
    tags: { created: 2 },
    files: { created: 1, unchanged: 1 },
    ignored_keys: 6,
    warnings: [
      { file: '01-getting-started/install.md', line: 14, message: 'Dead link: there is no article for missing.md.' },
      {
        ...{ file: 'devices/Smart_Lamp.mdx', line: 12 },
        message: 'An embedded page cannot be shown here. It became a link: https://video.acme.example/1',
      },
      {
        ...{ file: 'devices/Smart_Lamp.mdx', line: 14 },
        message: 'devices/plan.svg is a drawing that cannot be read. It was not imported.',
      },
      { file: 'devices/passwd.md', line: null, message: 'Symbolic links are not followed.' },
    ],
  })
  const second = await house.importWith({ isLenient: true })
  expect(second).toMatchObject({ created: 4, translations: { created: 1 }, files: { created: 1 }, warnings: [] })

  const { acme, base } = app
  const list = async (knowledgeBase: string): Promise<ListedArticle[]> =>
    (await acme.get(`/v1/articles?knowledge_base_id=${knowledgeBase}&sort=title&page_size=100`)).body.data
  const summarise = (articles: ListedArticle[]) =>
    articles.map(({ title, slug, status, tag_names }) => [title, slug, status, tag_names])
  expect(summarise(await list(base))).toEqual([
    ['Acme App', 'index', 'published', []],
    ['Getting started', '01-getting-started', 'published', []],
    ['Installing the App', 'install', 'published', ['lamp', 'setup']],
    ['Mounting', 'devices-install', 'draft', []],
    ['Smart lamp: pairing', 'smart-lamp', 'published', []],
  ])
  expect(summarise(await list(house.base))).toEqual([
    ['House rules', 'readme', 'published', []],
    ['Installing the house', 'house-install', 'published', []],
    ['Kitchen', 'kitchen', 'published', []],
    ['Oven', 'oven', 'published', ['hot', 'metal']],
  ])
  const home = await app.find('index')
  expect(home.content).not.toMatch(/import|comment|# Acme App/)
  expect(home.content).toContain('[setup](./01-getting-started/install.md#requirements)')
  expect(home.content).toContain('[the guide](01-getting-started)')
  expect(home.content).toContain('[not a link](nowhere.md)')
  expect((await app.find('install')).content).toMatch(/!\[Box\]\(\/assets\/\S+\.png "The box"\)/)
  expect((await app.find('devices-install')).category_id).not.toBeNull()
  const { data: categories } = (await acme.get(`/v1/article-categories?knowledge_base_id=${base}`)).body
  expect(categories.map(({ name, slug }: any) => [name, slug]).sort()).toEqual([
    ['Devices', 'devices'],
    ['Getting started', '01-getting-started'],
  ])

  const pathOf = async (id: string) => `/kb/${(await acme.get(`/v1/knowledge-bases/${id}`)).body.public_slug}`
  const slugsOf = async (id: string) =>
    (await list(id)).filter(({ status }) => status === 'published').map(({ slug }) => slug)
  // What is reported, and the link to a draft.
  expect(await findDeadLinks(await pathOf(base), await slugsOf(base))).toEqual([
    'install: dead',
    'smart-lamp: plan.svg',
    'smart-lamp: Other lamp',
  ])
  expect(await findDeadLinks(await pathOf(house.base), await slugsOf(house.base))).toEqual([])

  await eventually(async () => (await acme.get('/v1/articles?page_size=100')).body.data.every(isSettled))
  const before = await dump(acme)
  harness.advance(60_000)
  for (const [folder, unchanged] of [
    [app, 5],
    [house, 4],
  ] as const) {
    expect(await folder.importWith({ isLenient: true })).toMatchObject({ ...NOTHING, unchanged, files: { created: 0 } })
  }
  expect(await dump(acme)).toEqual(before)
})

test('a strict import resolves links and pictures, too, and finds an article by its old slug', async () => {
  const { acme, put, bringIn, importWith, find, dir } = await openBase(undefined, { is_published: true })
  const files = {
    'a.md': articleFile('title: A', '[b](b.md) [c](../x/c.md#y)\n\n![x](pics/x%20y.gif) ![gone](gone.png)\n\n[d](c)'),
    'sub/b.md': articleFile('title: B', '![x](../pics/x y.gif)\n![x](<../pics/x y.gif>)\n`![x](../pics/x y.gif)`'),
    'pics/x y.gif': GIF,
  }
  await put(files)
  expect(await bringIn()).toMatchObject({
    files: { created: 1, unchanged: 0 },
    warnings: [
      { file: 'a.md', line: 5, message: 'Dead link: there is no article for ../x/c.md#y.' },
      { file: 'a.md', line: 7, message: 'There is no file gone.png.' },
      { file: 'a.md', line: 9, message: 'Dead link: there is no article for c.' },
    ],
  })
  const [a, b] = [await find('a'), await find('b')]
  const [, url] = /!\[x\]\((\S+\.gif)\) !\[gone\]\(gone\.png\)/.exec(a.content) ?? []
  expect(a.content).toContain('[b](b.md)')
  expect(b.content).toBe(`![x](../pics/x y.gif)\n![x](<${url}>)\n\`![x](../pics/x y.gif)\``)
  expect((await harness.client().get(url ?? '')).status).toBe(200)
  const { data: assets } = (await acme.get('/v1/assets')).body
  expect(assets).toMatchObject([
    { url: expect.stringContaining(url ?? ''), file_name: 'x y.gif', is_referenced: true, width: 1, height: 1 },
  ])
  expect(await bringIn()).toMatchObject({ ...NOTHING, unchanged: 2, files: { created: 0, unchanged: 1 } })

  await acme.patch(`/v1/articles/${a.id}`, { slug: 'alpha' })
  expect(await bringIn()).toMatchObject({ ...NOTHING, unchanged: 2 })
  await writeFolder(dir, { 'alpha.md': articleFile('title: A') })
  await expect(importWith({})).rejects.toThrow(
    /a\.md: The article alpha, which is also in the folder, had this slug earlier/,
  )
  expect(await importWith({ isLenient: true, status: 'archived' })).toMatchObject({
    ...{ ...NOTHING, created: 1, updated: 1, unchanged: 1 },
    categories: { created: 1 },
  })
  expect(await find('care-alpha')).toMatchObject({ status: 'archived', title: 'A' })
})
