import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { articleFile, FOLDER, NOTHING, readFolder, useArticleFolders } from '../../../testing/data/article-folder.ts'
import { TestCentre } from '../../../testing/data/help-centre.ts'
import { CHUNK_SIZE } from './stored-articles.ts'

const { harness, openBase } = useArticleFolders()

test('writes to a new folder or an empty one', async () => {
  const { dir, put, bringIn, writeOut } = await openBase()
  await put({ 'a.md': articleFile('title: A') })
  await bringIn()
  const out = join(`${dir}-out`, 'deep', 'er')
  expect(await writeOut(out)).toEqual({ articles: 1, translations: 0, categories: 0, removed: 0 })
  expect(await readdir(out)).toEqual(['a.md'])
  await mkdir(join(`${dir}-out`, 'empty', '.git'), { recursive: true })
  await writeOut(join(`${dir}-out`, 'empty'))
  expect((await readdir(join(`${dir}-out`, 'empty'))).sort()).toEqual(['.git', 'a.md'])
})

test('replaces the articles in a folder only with force, and then removes outdated files', async () => {
  const { acme, dir, put, bringIn, writeOut, find } = await openBase()
  await put(FOLDER)
  await bringIn()
  await expect(writeOut(dir)).rejects.toThrow(/is not empty.*--force/)
  expect(await readFolder(dir)).toEqual(FOLDER)
  await acme.delete(`/v1/articles/${(await find('oiling-the-top')).id}`)
  await put({ 'waxing.md': 'something else' })
  expect(await writeOut(dir, true)).toEqual({ articles: 2, translations: 0, categories: 3, removed: 2 })
  expect(await readFolder(dir)).toEqual({
    'categories.yaml': FOLDER['categories.yaml'],
    'cleaning.md': FOLDER['cleaning.md'],
    'waxing.md': FOLDER['waxing.md'].replace('related: [oiling-the-top]', 'related: []'),
  })
})

test.each(['README.md', 'notes.txt', 'sub/a.md'])('refuses a folder with %s, even with force', async (path) => {
  const { dir, put, writeOut } = await openBase()
  await put({ 'a.md': 'mine', [path]: 'mine' })
  for (const force of [false, true]) {
    await expect(writeOut(dir, force)).rejects.toThrow(/something other than articles/)
  }
  expect(await readFile(join(dir, 'a.md'), 'utf8')).toBe('mine')
})

test('refuses a folder with a symbolic link and does not write to its target', async () => {
  const { dir, put, bringIn, writeOut } = await openBase()
  await put({ 'a.md': articleFile('title: A') })
  await bringIn()
  const target = `${dir}-target.md`
  await writeFile(target, 'mine')
  await mkdir(`${dir}-out`)
  await symlink(target, join(`${dir}-out`, 'a.md'))
  await expect(writeOut(`${dir}-out`, true)).rejects.toThrow(/something other than articles: a\.md/)
  expect(await readFile(target, 'utf8')).toBe('mine')
})

test('reports a folder that cannot be written in one line', async () => {
  const { dir, put, bringIn, writeOut } = await openBase()
  await put({ 'a.md': articleFile('title: A') })
  await bringIn()
  await expect(writeOut(join(dir, 'a.md', 'sub'))).rejects.toThrow(/^The folder .* cannot be written: .*\.$/)
})

test('exports more articles than it reads at once', async () => {
  const { acme, base, dir, put, bringIn, writeOut, find } = await openBase()
  await put({ 'a.md': articleFile('title: A') })
  await bringIn()
  const count = 2 * CHUNK_SIZE
  await new TestCentre(harness, acme, { id: base, public_slug: '' }).multiplyArticle((await find('a')).id, count)
  expect(await writeOut(`${dir}-out`)).toMatchObject({ articles: count + 1 })
  const names = ['a.md', ...Array.from({ length: count }, (_, n) => `a-${n}.md`)]
  expect((await readdir(`${dir}-out`)).sort()).toEqual(names.sort())
  expect(await bringIn(`${dir}-out`)).toMatchObject({ ...NOTHING, unchanged: count + 1 })
})
