import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Compression } from '../http/caching/compression.ts'
import { toStoredPage } from './stored-page.ts'

const compression = new Compression()
const PAGE = {
  status: 200,
  mediaType: 'text/html; charset=utf-8',
  body: '<p>A page.</p>'.repeat(200),
  policy: "default-src 'none'",
  language: 'de' as const,
  isNegotiated: true,
}

const store = (page = PAGE, encoding: 'br' | 'identity' = 'identity') =>
  toStoredPage(compression, page, { encoding, owner: 'org', effort: 'once' })

const headerOf = (headers: readonly string[], name: string) => headers[headers.indexOf(name) + 1]

test('a compressed page says so, and has an ETag of its own', async () => {
  const [plain, compressed] = [await store(), await store(PAGE, 'br')]
  expect(brotliDecompressSync(compressed.body).toString()).toBe(PAGE.body)
  expect(headerOf(compressed.headers, 'content-encoding')).toBe('br')
  expect(headerOf(compressed.headers, 'content-length')).toBe(String(compressed.body.length))
  expect(plain.headers).not.toContain('content-encoding')
  expect(compressed.etag).not.toBe(plain.etag)
})

test('a short page is sent as it is', async () => {
  const page = await store({ ...PAGE, body: '<p>Short.</p>' }, 'br')
  expect(page.headers).not.toContain('content-encoding')
  expect(page.mayBeKept).toBe(true)
})

test('a page that could not be compressed for lack of time is not kept', async () => {
  const busy = { compress: async () => undefined } as unknown as Compression
  const page = await toStoredPage(busy, PAGE, { encoding: 'br', owner: 'org', effort: 'often' })
  expect([page.mayBeKept, page.body.toString()]).toEqual([false, PAGE.body])
})

test('only a page that was asked for has an ETag', async () => {
  expect((await store({ ...PAGE, status: 404 })).etag).toBeUndefined()
})

test('caches keep pages apart by language if the visitor has not chosen it', async () => {
  expect(headerOf((await store()).headers, 'vary')).toBe('accept-language, accept-encoding')
  expect(headerOf((await store({ ...PAGE, isNegotiated: false })).headers, 'vary')).toBe('accept-encoding')
})
