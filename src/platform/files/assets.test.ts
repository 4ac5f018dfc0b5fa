import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAssets } from './assets.ts'

let parent: string
let folder: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'waymark-assets-'))
  folder = join(parent, 'data', 'assets')
})
afterEach(() => rm(parent, { recursive: true }))

test('creates the folder on the first save and not before', async () => {
  const assets = openAssets(folder)
  expect(await assets.open('a.png')).toBeUndefined()
  await assets.remove('a.png')
  expect(await readdir(parent)).toEqual([])
  await assets.save('a.png', [Buffer.from('picture')])
  expect(await readdir(folder)).toEqual(['a.png'])
})

test('returns a saved file byte for byte until it is removed', async () => {
  const assets = openAssets(folder)
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  expect(await assets.save('a.png', [bytes.subarray(0, 100), bytes.subarray(100)])).toBe(256)
  const file = await assets.open('a.png')
  expect(await file?.readFile()).toEqual(bytes)
  await file?.close()
  await assets.remove('a.png')
  expect(await assets.open('a.png')).toBeUndefined()
})

test('a save that fails leaves no partial file', async () => {
  const assets = openAssets(folder)
  // A file cannot replace a folder of the same name, so the rename fails.
  await mkdir(join(folder, 'a.png', 'inside'), { recursive: true })
  await expect(assets.save('a.png', [Buffer.from('picture')])).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['a.png'])
})

test('overwrites a partial file that a crash left behind', async () => {
  const assets = openAssets(folder)
  await assets.save('a.png.partial', [Buffer.from('a long rest of the last time')])
  await assets.save('a.png', [Buffer.from('new')])
  expect(await readFile(join(folder, 'a.png'), 'utf8')).toBe('new')
  expect(await readdir(folder)).toEqual(['a.png'])
})

test('writes each chunk before it takes the next, and leaves no partial file when the chunks end with an error', async () => {
  const assets = openAssets(folder)
  const partial = join(folder, 'a.png.partial')
  const sizes: number[] = []
  const saving = assets.save(
    'a.png',
    (async function* () {
      for (const chunk of ['one', 'two']) {
        yield Buffer.from(chunk)
        sizes.push((await readFile(partial)).length)
      }
      throw new Error('the connection broke')
    })(),
  )
  await expect(saving).rejects.toThrow('the connection broke')
  expect(sizes).toEqual([3, 6])
  expect(await readdir(folder)).toEqual([])
})

test('removes old partial files, but none of a save that may still run, and no complete file', async () => {
  const assets = openAssets(folder)
  await assets.removeLeftovers()
  await mkdir(folder, { recursive: true })
  const hourAgo = new Date(Date.now() - 60 * 60 * 1000)
  for (const name of ['old.png', 'old.png.partial', 'running.png.partial']) {
    await writeFile(join(folder, name), 'picture')
    if (name.startsWith('old')) await utimes(join(folder, name), hourAgo, hourAgo)
  }
  await assets.removeLeftovers()
  expect((await readdir(folder)).sort()).toEqual(['old.png', 'running.png.partial'])
})
