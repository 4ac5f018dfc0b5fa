import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { articleFile, useArticleFolders } from '../../../../testing/data/article-folder.ts'

const { openBase } = useArticleFolders()

test('reports the problems of all files at once', async () => {
  const { acme, put, complaints, dir } = await openBase()
  const other = await openBase(acme)
  await other.put({ 'taken.md': articleFile('title: T'), 'categories.yaml': '- {slug: elsewhere, name: E}' })
  await other.bringIn()
  await put({
    'categories.yaml':
      '- {slug: a, name: A, parent: b}\n- {slug: b, name: B, parent: a}\n- {slug: elsewhere, name: E}\n- {slug: c, name: C, parent: none}\n- {slug: c, name: C}\n',
    'good.md': articleFile('title: Good'),
    'bad.md': articleFile('title: Bad\nstatus: live\ncategory: elsewhere'),
    'names.md': articleFile('title: N\ncategory: none\nrelated:\n  - good\n  - nowhere\n  - names'),
    'orphan.de.md': articleFile('title: O'),
    'own.md': articleFile('title: O\nlanguage: de'),
    'own.de.md': articleFile('title: O'),
    'sub/taken.md': articleFile('title: T'),
    'README.md': '',
  })
  await writeFile(join(dir, 'latin.md'), Buffer.from(articleFile('title: Caf\u00e9'), 'latin1'))
  await symlink('/etc/passwd', join(dir, 'link.md'))
  const problems = await complaints()
  const expected = [
    'README.md: The file name must be <slug>.md, or <slug>.<language>.md for a translation. A slug has 1 to 200 lower-case letters, digits or -.',
    'bad.md:3: status: Must be one of draft, unpublished, published, archived.',
    'categories.yaml:1: parent: The category would be inside itself.',
    'categories.yaml:2: parent: The category would be inside itself.',
    'categories.yaml:3: slug: A category of another knowledge base has this slug.',
    'categories.yaml:4: parent: There is no category none.',
    'categories.yaml:5: slug: There is another category with this slug.',
    'latin.md: The file is not UTF-8.',
    'link.md: Symbolic links are not followed. Put the file itself here.',
    'names.md:3: category: There is no category none.',
    'names.md:6: related: There is no article nowhere.',
    'names.md:7: related: An article cannot be related to itself.',
    'orphan.de.md: This is a translation of orphan.md, which is not in the folder.',
    'own.de.md: The article itself is in de.',
    'sub/taken.md: An article of another knowledge base has this slug.',
  ]
  expect(problems).toEqual(expected)
})

test('invalid categories are not reported again by the articles that refer to them', async () => {
  const { put, complaints } = await openBase()
  await put({ 'categories.yaml': '- slug: [', 'a.md': articleFile('title: A\ncategory: care') })
  for (const line of await complaints()) expect(line).toMatch(/^categories\.yaml:\d+: Invalid YAML/)
})

test.each([
  ['- {slug: a}', 'categories.yaml:1: name: Required.'],
  ['a: b', 'categories.yaml:1: Must be a list.'],
  ['- {slug: a, name: A}\n- {slug: b, name: B,\n   icon: cat}', /^categories\.yaml:3: icon: Must be one of folder/],
  ['- {slug: a, name: A, sort_order: -1}', 'categories.yaml:1: sort_order: Must be a whole number from 0.'],
  ['- {slug: a, name: A, sort_order: 9999999999}', /^categories\.yaml:1: sort_order: /],
  ['- {slug: a, name: A, colour: red}', 'categories.yaml:1: colour: There is no such key.'],
  ['- {slug: a, name: A, parent: none}', 'categories.yaml:1: parent: There is no category none.'],
])('rejects invalid categories: %s', async (text, problem) => {
  const { put, complaints } = await openBase()
  await put({ 'categories.yaml': text })
  expect(await complaints()).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
})

test('the language of an article cannot be changed to that of a translation', async () => {
  const { put, bringIn, complaints, dir } = await openBase()
  await put({ 'a.md': articleFile('title: A'), 'a.de.md': articleFile('title: A') })
  await bringIn()
  await rm(join(dir, 'a.de.md'))
  await put({ 'a.md': articleFile('title: A\nlanguage: de') })
  expect(await complaints()).toEqual(['a.md:3: language: The article already has a translation in de.'])
})

test('an article cannot refer to articles and categories of another organisation', async () => {
  const { put, complaints } = await openBase()
  const other = await openBase()
  await other.put({ 'theirs.md': articleFile('title: T'), 'categories.yaml': '- {slug: theirs, name: T}' })
  await other.bringIn()
  await put({ 'a.md': articleFile('title: A\nrelated: [theirs]\ncategory: theirs') })
  expect(await complaints()).toEqual([
    'a.md:3: related: There is no article theirs.',
    'a.md:4: category: There is no category theirs.',
  ])
})

test('reports an unknown knowledge base', async () => {
  const { importWith } = await openBase()
  await expect(importWith({ base: 'none' })).rejects.toThrow('There is no knowledge base with the slug "none".')
})

test('reports a text that takes too long to render', async () => {
  const { put, complaints } = await openBase()
  await put({ 'a.md': articleFile('title: A'), 'b.md': articleFile('title: B', '<b>'.repeat(170_000)) })
  expect(await complaints()).toEqual([expect.stringMatching(/^b\.md: content: takes too long to render/)])
})
