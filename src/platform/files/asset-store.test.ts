import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestS3Server } from '../../testing/world/s3-server.ts'
import type { AssetStore } from './asset-store.ts'
import { openLocalStore } from './local-store.ts'
import { openS3Store } from './s3-store.ts'
import { readStored, saveFile } from './testing/files.ts'

const MIB = 1024 * 1024

let parent: string
let s3: TestS3Server
const stores = {} as Record<'local' | 's3', AssetStore>

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'waymark-stores-'))
  s3 = await TestS3Server.start()
  stores.local = openLocalStore(join(parent, 'local'))
  stores.s3 = openS3Store(s3.settings, join(parent, 's3'))
})
afterAll(async () => {
  await s3.close()
  await rm(parent, { recursive: true })
})

/** What every store promises. */
describe.each(['local', 's3'] as const)('the %s store', (kind) => {
  test('returns a saved file byte for byte until it is removed', async () => {
    const store = stores[kind]
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const saved = await saveFile(store, 'a.png', [bytes.subarray(0, 100), bytes.subarray(100)])
    expect(saved).toEqual({ sizeBytes: 256, sha256: hash('sha256', bytes) })
    const file = await store.open('a.png')
    expect(file?.sizeBytes).toBe(256)
    await file?.close()
    expect(await readStored(store, 'a.png')).toEqual(bytes)
    expect(await readStored(store, 'a.png', { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20))
    await store.remove('a.png')
    expect(await store.open('a.png')).toBeUndefined()
    await store.remove('a.png')
  })

  test('stores 15 MiB and leaves nothing on the local disk that is not in the store', async () => {
    const store = stores[kind]
    const chunks = Array.from({ length: 15 }, (_, n) => Buffer.alloc(MIB, n))
    await saveFile(store, 'large.mp4', chunks)
    expect((await readStored(store, 'large.mp4'))?.equals(Buffer.concat(chunks))).toBe(true)
    expect(await readdir(join(parent, kind))).toEqual(kind === 'local' ? ['large.mp4'] : [])
    await store.remove('large.mp4')
  })

  test('checks itself and leaves nothing behind', async () => {
    await stores[kind].check()
    expect(await readdir(join(parent, kind))).toEqual([])
  })
})
