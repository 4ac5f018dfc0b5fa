import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AssetStore } from '../../../platform/files/asset-store.ts'
import { openLocalStore } from '../../../platform/files/local-store.ts'
import { readMultipart } from './read-multipart.ts'

const MEDIA = { label: 'Photos', name: 'photos', required: false, help: null, max_files: 3, max_size_mb: 2 }
const MEDIA_FIELDS = new Map([['photos', { ...MEDIA, accept: ['pdf' as const] }]])

/** A store on a disk that has room for this many bytes of each file. */
async function openFullStore(bytesMax: number) {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-multipart-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = openLocalStore(folder)
  const upToEnd = async function* (chunks: AsyncIterable<Buffer> | Iterable<Buffer>) {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > bytesMax) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      yield chunk
    }
  }
  const full: AssetStore = { ...store, hold: (chunks) => store.hold(upToEnd(chunks)) }
  return { store: full, folder }
}

/** A form as a browser sends it, in chunks as they arrive from a network. */
async function* sent(form: Response): AsyncGenerator<Buffer, void> {
  const bytes = Buffer.from(await form.arrayBuffer())
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}

test('a disk that becomes full within a file loses neither the texts around it nor the smaller files, and keeps no part', async () => {
  const { store, folder } = await openFullStore(300 * 1024)
  const form = new FormData()
  form.append('before', 'One')
  form.append('photos', new Blob(['x'.repeat(100)]), 'small.pdf')
  form.append('photos', new Blob(['x'.repeat(1024 * 1024)]), 'large.pdf')
  form.append('between', 'Two')
  form.append('photos', new Blob(['y'.repeat(600 * 1024)]), 'also-large.pdf')
  form.append('after', 'Three')
  const response = new Response(form)
  const type = response.headers.get('content-type') ?? ''
  const { values, files, problems, failure, release } = await readMultipart(sent(response), type, MEDIA_FIELDS, store)
  expect(Object.fromEntries(values)).toEqual({ before: ['One'], between: ['Two'], after: ['Three'] })
  expect(failure).toMatchObject({ code: 'ENOSPC' })
  expect(files.map(({ fileName }) => fileName)).toEqual(['small.pdf'])
  expect(problems).toEqual([])
  expect(await readdir(folder)).toHaveLength(1)
  await release()
  expect(await readdir(folder)).toEqual([])
})
