import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listFolder, readText } from './folder.ts'
import { Problems } from './problems.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waymark-folder-'))
})
afterEach(() => rm(dir, { recursive: true }))

async function put(path: string, text: string | Uint8Array = ''): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true })
  await writeFile(join(dir, path), text)
}

async function list() {
  const problems = new Problems()
  const folder = await listFolder(dir, problems)
  return { folder, problems: linesOf(problems) }
}

function linesOf(problems: Problems): string[] {
  try {
    problems.throwIfAny('')
    return []
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
}

async function read(path: string) {
  const problems = new Problems()
  const text = await readText(dir, path, problems.reporterFor(path))
  return { text, problems: linesOf(problems) }
}

test('finds files by name in all subfolders', async () => {
  for (const path of ['b.md', 'care/a.md', 'care/deep/er/b.de.md', 'de/a.de.md', 'care/categories.yaml'])
    await put(path)
  expect(await list()).toEqual({
    folder: {
      categories: 'care/categories.yaml',
      articles: [
        { slug: 'a', article: 'care/a.md', translations: new Map([['de', 'de/a.de.md']]) },
        { slug: 'b', article: 'b.md', translations: new Map([['de', 'care/deep/er/b.de.md']]) },
      ],
    },
    problems: [],
  })
})

test('ignores hidden files and files other than Markdown', async () => {
  for (const path of ['.git/a.md', '.a.md', 'picture.png', 'notes.txt', '.b.md.partial']) await put(path)
  expect(await list()).toEqual({ folder: { categories: undefined, articles: [] }, problems: [] })
})

test.each([
  'README.md',
  'a.MD',
  'a b.md',
  'a.xx.md',
  'a.de.fr.md',
  'ä.md',
  `${'x'.repeat(201)}.md`,
  'a..md',
  'a\u001B.md',
])('rejects the file name %j', async (name) => {
  await put(name)
  const { problems } = await list()
  expect(problems).toEqual([expect.stringContaining('The file name must be <slug>.md')])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain control characters
  expect(problems.join()).not.toMatch(/[\u0000-\u001F]/)
})

test('reports both paths of a duplicate name', async () => {
  for (const path of ['a.md', 'x/a.md', 'a.de.md', 'x/a.de.md', 'categories.yaml', 'x/categories.yaml']) await put(path)
  expect((await list()).problems).toEqual([
    '  x/a.de.md: There is another file with this name: a.de.md.',
    '  x/a.md: There is another file with this name: a.md.',
    '  x/categories.yaml: There is another file with this name: categories.yaml.',
  ])
})

test('does not follow symbolic links', async () => {
  await put('a.md')
  await symlink('/etc/passwd', join(dir, 'out.md'))
  await symlink('/etc', join(dir, 'etc'))
  await symlink(dir, join(dir, 'round'))
  const { folder, problems } = await list()
  expect(folder.articles.map(({ slug }) => slug)).toEqual(['a'])
  expect(problems.map((text) => text.split(':')[0]?.trim())).toEqual(['etc', 'out.md', 'round'])
  expect(await read('out.md')).toEqual({
    text: undefined,
    problems: [expect.stringMatching(/cannot be read: ELOOP/)],
  })
})

test('reports a folder that does not exist', async () => {
  await expect(listFolder(join(dir, 'none'), new Problems())).rejects.toThrow(/none cannot be read: ENOENT/)
})

test('reads text unchanged, including a byte order mark', async () => {
  await put('a.md', '\uFEFFa\r\nb\n\n')
  expect(await read('a.md')).toEqual({ text: '\uFEFFa\r\nb\n\n', problems: [] })
})

test('rejects text that is not UTF-8', async () => {
  for (const bytes of [
    [0xff, 0xfe, 0x41, 0x00],
    [0x61, 0xe9],
    [0xed, 0xa0, 0x80],
  ]) {
    await put('a.md', Uint8Array.from(bytes))
    expect(await read('a.md')).toEqual({ text: undefined, problems: ['  a.md: The file is not UTF-8.'] })
  }
})

test('does not read a file that is far too large', async () => {
  await put('a.md', new Uint8Array(1024 * 1024 + 1))
  expect(await read('a.md')).toEqual({ text: undefined, problems: [expect.stringContaining('at most 500 KiB')] })
})
