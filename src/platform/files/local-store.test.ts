import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLocalStore } from './local-store.ts'
import { readStored, saveFile } from './testing/files.ts'

let parent: string
let folder: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'waymark-assets-'))
  folder = join(parent, 'data', 'assets')
})
afterEach(() => rm(parent, { recursive: true }))

test('creates the folder on the first save and not before', async () => {
  const store = openLocalStore(folder)
  expect(await store.open('a.png')).toBeUndefined()
  await store.remove('a.png')
  expect(await readdir(parent)).toEqual([])
  await saveFile(store, 'a.png', [Buffer.from('picture')])
  expect(await readdir(folder)).toEqual(['a.png'])
})

test('a save that fails leaves no partial file', async () => {
  const store = openLocalStore(folder)
  // A file cannot replace a folder of the same name, so the rename fails.
  await mkdir(join(folder, 'a.png', 'inside'), { recursive: true })
  await expect(saveFile(store, 'a.png', [Buffer.from('picture')])).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['a.png'])
})

test('a staged file that is not stored is not in the store', async () => {
  const store = openLocalStore(folder)
  const staged = await store.stage([Buffer.from('picture')])
  expect(await store.open('a.png')).toBeUndefined()
  await staged.discard()
  expect(await readdir(folder)).toEqual([])
  await staged.discard()
})

test('writes each chunk before it takes the next, and leaves no partial file when the chunks end with an error', async () => {
  const store = openLocalStore(folder)
  const sizes: number[] = []
  const saving = store.stage(
    (async function* () {
      for (const chunk of ['one', 'two']) {
        yield Buffer.from(chunk)
        const [partial = ''] = await readdir(folder)
        sizes.push((await readFile(join(folder, partial))).length)
      }
      throw new Error('the connection broke')
    })(),
  )
  await expect(saving).rejects.toThrow('the connection broke')
  expect(sizes).toEqual([3, 6])
  expect(await readdir(folder)).toEqual([])
})

test('a held file can be read until it is discarded', async () => {
  const file = await openLocalStore(folder).hold([Buffer.from('pic'), Buffer.from('ture')])
  expect([await readFile(file.path, 'utf8'), file.sizeBytes]).toEqual(['picture', 7])
  await file.discard()
  expect(await readdir(folder)).toEqual([])
})

test('a part of a file can be read', async () => {
  const store = openLocalStore(folder)
  await saveFile(store, 'a.png', [Buffer.from('0123456789')])
  expect(String(await readStored(store, 'a.png', { start: 2, end: 5 }))).toBe('2345')
})

test('removes old partial files, but none of a request that may still run, and no complete file', async () => {
  const store = openLocalStore(folder)
  await store.removeLeftovers()
  await mkdir(folder, { recursive: true })
  const hourAgo = new Date(Date.now() - 60 * 60 * 1000)
  for (const name of ['old.png', 'old.png.partial', 'running.png.partial']) {
    await writeFile(join(folder, name), 'picture')
    if (name.startsWith('old')) await utimes(join(folder, name), hourAgo, hourAgo)
  }
  await store.removeLeftovers()
  expect((await readdir(folder)).sort()).toEqual(['old.png', 'running.png.partial'])
})
