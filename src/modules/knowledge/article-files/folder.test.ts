import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Complaints } from './complaints.ts'
import { listFolder, readText } from './folder.ts'

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
  const complaints = new Complaints()
  const folder = await listFolder(dir, complaints)
  return { folder, complaints: complaintsOf(complaints) }
}

function complaintsOf(complaints: Complaints): string[] {
  try {
    complaints.refuse('')
    return []
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
}

async function read(path: string) {
  const complaints = new Complaints()
  const text = await readText(dir, path, complaints.about(path))
  return { text, complaints: complaintsOf(complaints) }
}

test('only the names of files count, in whatever sub-folder they are', async () => {
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
    complaints: [],
  })
})

test('what is hidden, and what is no Markdown, is somebody else’s', async () => {
  for (const path of ['.git/a.md', '.a.md', 'picture.png', 'notes.txt', '.b.md.partial']) await put(path)
  expect(await list()).toEqual({ folder: { categories: undefined, articles: [] }, complaints: [] })
})

test.each([
  'README.md',
  'a.MD',
  'a b.md',
  'a.nb.md',
  'a.de.fr.md',
  'ä.md',
  `${'x'.repeat(201)}.md`,
  'a..md',
  'a\u001B.md',
])('a file cannot be called %j', async (name) => {
  await put(name)
  const { complaints } = await list()
  expect(complaints).toEqual([expect.stringContaining('It must be called <slug>.md')])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(complaints.join()).not.toMatch(/[\u0000-\u001F]/)
})

test('a name twice is told with both places', async () => {
  for (const path of ['a.md', 'x/a.md', 'a.de.md', 'x/a.de.md', 'categories.yaml', 'x/categories.yaml']) await put(path)
  expect((await list()).complaints).toEqual([
    '  x/a.de.md: There is another one of this name: a.de.md.',
    '  x/a.md: There is another one of this name: a.md.',
    '  x/categories.yaml: There is another one: categories.yaml.',
  ])
})

test('symbolic links are not followed, to wherever they lead', async () => {
  await put('a.md')
  await symlink('/etc/passwd', join(dir, 'out.md'))
  await symlink('/etc', join(dir, 'etc'))
  await symlink(dir, join(dir, 'round'))
  const { folder, complaints } = await list()
  expect(folder.articles.map(({ slug }) => slug)).toEqual(['a'])
  expect(complaints.map((text) => text.split(':')[0]?.trim())).toEqual(['etc', 'out.md', 'round'])
  expect(await read('out.md')).toEqual({
    text: undefined,
    complaints: [expect.stringMatching(/cannot be read: ELOOP/)],
  })
})

test('a folder that is not there is told', async () => {
  await expect(listFolder(join(dir, 'none'), new Complaints())).rejects.toThrow(/none cannot be read: ENOENT/)
})

test('text is read as it is, a mark of the byte order included', async () => {
  await put('a.md', '\uFEFFa\r\nb\n\n')
  expect(await read('a.md')).toEqual({ text: '\uFEFFa\r\nb\n\n', complaints: [] })
})

test('what is not UTF-8 is refused', async () => {
  for (const bytes of [
    [0xff, 0xfe, 0x41, 0x00],
    [0x61, 0xe9],
    [0xed, 0xa0, 0x80],
  ]) {
    await put('a.md', Uint8Array.from(bytes))
    expect(await read('a.md')).toEqual({ text: undefined, complaints: ['  a.md: It is not UTF-8.'] })
  }
})

test('what is far too large is not even read', async () => {
  await put('a.md', new Uint8Array(1024 * 1024 + 1))
  expect(await read('a.md')).toEqual({ text: undefined, complaints: [expect.stringContaining('at most 500 KiB')] })
})
