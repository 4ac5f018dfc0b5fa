import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  articleFile,
  FOLDER,
  NO_FILES,
  NOTHING,
  readFolder,
  useArticleFolders,
} from '../../../testing/data/article-folder.ts'

const { harness, openBase, dump } = useArticleFolders()

test('creates articles with defaults: a public draft in the language of the knowledge base', async () => {
  const { put, bringIn, find, base } = await openBase(undefined, { default_language: 'sv' })
  await put({ 'a.md': articleFile('title: A', 'Text') })
  await bringIn()
  expect(await find('a')).toMatchObject({
    knowledge_base_id: base,
    category_id: null,
    title: 'A',
    content: 'Text',
    content_plain: 'Text',
    status: 'draft',
    visibility: 'public',
    language: 'sv',
    version_number: 1,
  })
})

test('changes only what differs, with one event, and keeps the previous text as a version', async () => {
  const { acme, put, bringIn, find } = await openBase()
  const events = async () => (await acme.get('/v1/events?limit=100')).body.data.map(({ type }: any) => type).reverse()
  await put({
    'a.md': articleFile('title: A\nstatus: published\ntags: [Care]', 'One'),
    'b.md': articleFile('title: B'),
  })
  await bringIn()
  const [a, b] = [await find('a'), await find('b')]
  const before = await events()
  harness.advance(1000)
  await put({ 'a.md': articleFile('title: A\nstatus: published\ntags: [CARE]', 'Two') })
  expect(await bringIn()).toMatchObject({ ...NOTHING, updated: 1, unchanged: 1, tags: { created: 0 } })
  const changed = await find('a')
  expect(changed).toMatchObject({ id: a.id, content: 'Two', content_plain: 'Two', version_number: 2 })
  expect(changed.updated_at > a.updated_at).toBe(true)
  expect(await find('b')).toEqual(b)
  expect((await events()).slice(before.length)).toEqual(['article.updated'])
  expect((await acme.get(`/v1/articles/${a.id}/versions`)).body.data).toMatchObject([{ version_number: 1, title: 'A' }])
})

test('leaves fields alone that a file does not contain', async () => {
  const { acme, put, bringIn, find } = await openBase()
  await put(FOLDER)
  await bringIn()
  const before = await dump(acme)
  await put({
    'oiling-the-top.md': articleFile('title: "Oiling: the table top"', '# Oiling\n\nOnce a year.\n'),
    'categories.yaml': '- slug: oiling\n  name: Oiling\n',
  })
  expect(await bringIn()).toMatchObject({ updated: 0, categories: { ...NOTHING, unchanged: 1, left_alone: 2 } })
  expect(await dump(acme)).toEqual(before)
  expect((await find('oiling-the-top')).status).toBe('published')
})

test('clears fields that are empty in a file', async () => {
  const { put, bringIn, writeOut, dir } = await openBase()
  await put(FOLDER)
  await bringIn()
  const bare = FOLDER['oiling-the-top.md']
    .replace('category: oiling', 'category:')
    .replace('tags: [Care, Wood]', 'tags: []')
    .replace('related: [waxing, cleaning]', 'related: []')
  const flat = FOLDER['categories.yaml'].replace('parent: care', 'parent:')
  await put({ 'oiling-the-top.md': bare, 'categories.yaml': flat })
  expect(await bringIn()).toMatchObject({ ...NOTHING, updated: 1, unchanged: 2 })
  await writeOut(`${dir}-out`)
  const after = await readFolder(`${dir}-out`)
  expect(after['oiling-the-top.md']).toBe(bare)
  expect(after['categories.yaml']).toMatch(/slug: oiling\n {2}name: Oiling\n {2}parent:\n/)
})

test('leaves resources alone that are not in the folder, and counts them', async () => {
  const { acme, dir, put, bringIn } = await openBase()
  await put(FOLDER)
  await bringIn()
  const before = await dump(acme)
  for (const name of ['categories.yaml', 'cleaning.md', 'oiling-the-top.de.md']) await rm(join(dir, name))
  expect(await bringIn()).toEqual({
    ...{ ...NOTHING, unchanged: 2, left_alone: 1 },
    translations: { ...NOTHING, left_alone: 1 },
    categories: { ...NOTHING, left_alone: 3 },
    tags: { created: 0 },
    ...NO_FILES,
  })
  expect(await dump(acme)).toEqual(before)
})

test('a translation that is added or changed is not stale', async () => {
  const { acme, put, bringIn, find } = await openBase()
  await put({ 'a.md': articleFile('title: A', 'One'), 'a.de.md': articleFile('title: A', 'Eins') })
  await bringIn()
  const { id } = await find('a')
  const translation = async (language: string) => (await acme.get(`/v1/articles/${id}/translations/${language}`)).body
  await put({ 'a.md': articleFile('title: A', 'Two') })
  await bringIn()
  expect(await translation('de')).toMatchObject({ content: 'Eins', is_stale: true })
  await put({ 'a.de.md': articleFile('title: A', 'Zwei'), 'a.fr.md': articleFile('title: A', 'Deux') })
  expect(await bringIn()).toMatchObject({
    unchanged: 1,
    translations: { ...NOTHING, created: 1, updated: 1 },
  })
  expect(await translation('de')).toMatchObject({ content: 'Zwei', content_plain: 'Zwei', is_stale: false })
  expect(await translation('fr')).toMatchObject({ title: 'A', content: 'Deux', is_stale: false })
})

test('an article can change its language and be translated into the previous one', async () => {
  const { acme, put, bringIn, find } = await openBase()
  await put({ 'a.md': articleFile('title: A', 'One') })
  await bringIn()
  await put({ 'a.md': articleFile('title: B\nlanguage: de', 'Eins'), 'a.en.md': articleFile('title: A', 'One') })
  expect(await bringIn()).toMatchObject({ updated: 1, translations: { created: 1 } })
  const { id, ...changed } = await find('a')
  expect(changed).toMatchObject({ language: 'de', title: 'B', content: 'Eins' })
  expect((await acme.get(`/v1/articles/${id}/translations/en`)).body).toMatchObject({ content: 'One' })
})

test('categories can be in any order and swap places', async () => {
  const { acme, base, put, bringIn } = await openBase()
  const tree = async () => {
    const { data } = (await acme.get(`/v1/article-categories?knowledge_base_id=${base}`)).body
    const slugOf = (id: string | null) => data.find((category: any) => category.id === id)?.slug ?? null
    return Object.fromEntries(data.map(({ slug, parent_id }: any) => [slug, slugOf(parent_id)]))
  }
  const category = (slug: string, parent = '') => `- {slug: ${slug}, name: ${slug}, parent: ${parent}}\n`
  await put({ 'categories.yaml': category('c', 'b') + category('b', 'a') + category('a') })
  await bringIn()
  expect(await tree()).toEqual({ a: null, b: 'a', c: 'b' })
  await put({ 'categories.yaml': category('a', 'b') + category('b', 'c') + category('c') })
  expect(await bringIn()).toMatchObject({ categories: { ...NOTHING, updated: 3 } })
  expect(await tree()).toEqual({ c: null, b: 'c', a: 'b' })
})

test('an interrupted import is finished by the next one', async () => {
  const { dir, put, importWith, bringIn, writeOut } = await openBase()
  await put(FOLDER)
  const onImported = () => {
    throw new Error('stopped')
  }
  await expect(importWith({ onImported })).rejects.toThrow('stopped')
  expect(await bringIn()).toMatchObject({ created: 2, categories: { unchanged: 3 } })
  await writeOut(`${dir}-out`)
  expect(await readFolder(`${dir}-out`)).toEqual(FOLDER)
})

test('an article is imported with its tags and translations, or not at all', async () => {
  const { acme, put, bringIn, importWith, find } = await openBase()
  await put({ 'a.md': articleFile('title: A', 'One') })
  await bringIn()
  const { id } = await find('a')
  await put({ 'a.md': articleFile('title: A\ntags: [Care]', 'Two'), 'a.de.md': articleFile('title: A', 'Eins') })
  const { database } = harness.service
  const translateFirst: typeof database.write = async (work) => {
    await acme.post(`/v1/articles/${id}/translations`, { language: 'de', title: 'Theirs', content: '' })
    return database.write(work)
  }
  await expect(importWith({}, { ...database, write: translateFirst })).rejects.toThrow(
    'a.md: Another resource already has this language. Choose another one. All files before it were imported.',
  )
  expect(await find('a')).toMatchObject({ content: 'One', version_number: 1 })
  expect((await acme.get(`/v1/articles/${id}/tags`)).body.data).toEqual([])
})

test('a file that becomes invalid during the import stops it before its article', async () => {
  const { dir, put, importWith, bringIn } = await openBase()
  await put({ 'a.md': articleFile('title: A'), 'b.md': articleFile('title: B'), 'b.de.md': articleFile('title: B') })
  const onImported = () => writeFileSync(join(dir, 'b.de.md'), '# No front matter')
  await expect(importWith({ onImported })).rejects.toThrow(
    /^A file was changed during the import.*\n {2}b\.de\.md:1: The file must begin with front matter/,
  )
  await put({ 'b.de.md': articleFile('title: B') })
  expect(await bringIn()).toMatchObject({ created: 1, unchanged: 1 })
})
