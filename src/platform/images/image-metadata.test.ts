import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mayHaveMetadata } from './index.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-images-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function hasIt(content: Buffer, mediaType = 'image/jpeg'): Promise<boolean> {
  const path = join(folder, 'image')
  await writeFile(path, content)
  return mayHaveMetadata(path, mediaType)
}

test('finds metadata wherever it begins, also between two pieces of the file', async () => {
  const pieceBytes = 256 * 1024
  for (let at = pieceBytes - 40; at <= pieceBytes + 10; at++) {
    const content = Buffer.alloc(2 * pieceBytes)
    content.write('Exif\0\0', at, 'latin1')
    expect(await hasIt(content)).toBe(true)
  }
})

test('finds none in a file without, and none in a file that is no image', async () => {
  expect(await hasIt(Buffer.alloc(600_000))).toBe(false)
  expect(await hasIt(Buffer.alloc(0))).toBe(false)
  expect(await hasIt(Buffer.from('Exif\0\0'), 'application/pdf')).toBe(false)
})
