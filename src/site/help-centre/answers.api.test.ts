import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../testing/data/help-centre.ts'
import { useHarness } from '../../testing/harness.ts'

const harness = useHarness()
let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness)
  await centre.article({ slug: 'oak' })
})

const PAGES = [
  '',
  '/search',
  '/search?q=oak',
  '/articles',
  '/categories',
  '/articles/oak',
  '/feed.atom',
  '/sitemap.xml',
]

describe.each(PAGES)('%s', (path) => {
  test('is answered with what protects whoever reads it', async () => {
    const { status, headers, text } = await centre.read(path)
    expect(status).toBe(200)
    expect(headers.get('x-request-id')).toMatch(/^req_\w{16}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(policy).not.toContain('unsafe')
    for (const [, style = ''] of text.matchAll(/<style>(.*?)<\/style>/gs)) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    }
    expect(text).not.toMatch(/<script|\son\w+=|style=/i)
  })

  test('is asked about anew each time, and not sent again', async () => {
    const { headers, text } = await centre.read(path)
    expect(headers.get('cache-control')).toBe('public, no-cache')
    expect(headers.get('vary')).toBe('accept-language')
    const etag = headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await centre.read(path, { 'if-none-match': known })
      expect(again).toMatchObject({ status: 304, text: '' })
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('vary')).toBe('accept-language')
    }
    expect(await centre.read(path, { 'if-none-match': '"other"' })).toMatchObject({ status: 200, text })
  })

  test('answers HEAD as it would GET, without a body', async () => {
    const got = await centre.read(path)
    const head = await harness.client().request('HEAD', `${centre.path}${path}`)
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['etag', 'content-length', 'content-type']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name))
    }
  })
})

test('one that is changed is sent again', async () => {
  const { headers } = await centre.read()
  await centre.article()
  expect((await centre.read('', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(200)
})

test.each([
  '/nothing',
  '/articles/nothing',
  '/categories/nothing',
  '/xx',
  '/de/nothing',
  '/sitemap-2.xml',
  '/articles/%00',
])('%s is a page that is not there, with a search and a way home', async (path) => {
  const { status, headers, text } = await centre.read(path)
  expect(status).toBe(404)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('etag')).toBeNull()
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain('<meta name="robots" content="noindex">')
  expect(text).toContain('role="search"')
  expect(text).toMatch(new RegExp(`<a class="button" href="${centre.path}(/de)?">`))
})

test.each(['/kb/nothing', '/kb/%00', '/kb/%', '/kb/..%2f', `/kb/${'x'.repeat(500)}`, '/kb/nothing/articles/oak'])(
  '%s is no help centre',
  async (path) => {
    const { status, text, headers } = await harness.client().get(path, { 'accept-language': 'de' })
    expect(status).toBe(404)
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect(text).toContain('Wir haben dieses Hilfe-Center nicht gefunden')
  },
)

test('one that was deleted is gone', async () => {
  const closed = await createCentre(harness)
  expect((await closed.tenant.delete(`/v1/knowledge-bases/${closed.base.id}`)).status).toBe(204)
  const { status, text } = await closed.read('/fr/articles/oak')
  expect(status).toBe(410)
  expect(text).toContain('Ce centre d’aide est fermé')
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s changes nothing and finds nothing', async (method) => {
  const { status } = await harness.client().request(method, centre.path)
  expect(status).toBe(404)
})

test('everything that search engines may know has no noindex', async () => {
  for (const path of ['', '/articles/oak', '/articles', '/categories']) {
    expect((await centre.read(path)).text).not.toContain('noindex')
  }
})
