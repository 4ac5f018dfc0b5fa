import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()
let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness)
  await centre.article({ slug: 'oak', title: 'Oak' })
  // A page must not change during a test because the search index becomes complete.
  await eventually(async () => (await centre.read('/search?q=oak')).text.includes('/articles/oak'))
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
  test('has the security headers, and a policy that allows only its own style sheets', async () => {
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
    // Data for search engines, which browsers do not run.
    const [data, ...others] = [...text.matchAll(/<script type="application\/ld\+json">([^<>&']*)<\/script>/g)]
    expect(others).toEqual([])
    if (data !== undefined) expect(JSON.parse(data[1] ?? '')).toMatchObject({ '@type': 'BreadcrumbList' })
    expect(text.replace(data?.[0] ?? '', '')).not.toMatch(/<script|\son\w+=|style=/i)
  })

  test('is revalidated on every request, with a 304 when unchanged', async () => {
    const { headers, text } = await centre.read(path)
    expect(headers.get('cache-control')).toBe('public, no-cache')
    expect(headers.get('vary')).toBe('accept-language, accept-encoding')
    const etag = headers.get('etag') ?? ''
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await centre.read(path, { 'if-none-match': held })
      expect(again).toMatchObject({ status: 304, text: '' })
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('vary')).toBe('accept-language, accept-encoding')
    }
    expect(await centre.read(path, { 'if-none-match': '"other"' })).toMatchObject({ status: 200, text })
  })

  test('returns the same headers for HEAD as for GET, without a body', async () => {
    const get = await centre.read(path)
    const head = await harness.client().request('HEAD', `${centre.path}${path}`)
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['etag', 'content-length', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })
})

test('a changed page is sent again', async () => {
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
])('%s returns a 404 page with a search field and a link to the home page', async (path) => {
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
  '%s returns 404 for an unknown help centre',
  async (path) => {
    const { status, text, headers } = await harness.client().get(path, { 'accept-language': 'de' })
    expect(status).toBe(404)
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect(text).toContain('Dieses Hilfecenter wurde nicht gefunden')
  },
)

test('a deleted help centre returns 410', async () => {
  const deleted = await createCentre(harness)
  expect((await deleted.tenant.delete(`/v1/knowledge-bases/${deleted.base.id}`)).status).toBe(204)
  const { status, text } = await deleted.read('/fr/articles/oak')
  expect(status).toBe(410)
  expect(text).toContain('Ce centre d’aide n’existe plus')
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s returns 405', async (method) => {
  const { status, headers } = await harness.client().request(method, centre.path)
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
})

test('pages for search engines are not marked noindex', async () => {
  for (const path of ['', '/articles/oak', '/articles', '/categories']) {
    expect((await centre.read(path)).text).not.toContain('noindex')
  }
})
