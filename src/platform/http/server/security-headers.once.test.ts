import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createKnowledgeBase } from '../../../testing/data/articles.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Harness, useHarness } from '../../../testing/harness.ts'

const HTTPS_ONLY = 'max-age=31536000'

/** One path for every kind of response of the service, and whether it is a page. */
async function openPaths(harness: Harness): Promise<[path: string, status: number, isPage: boolean][]> {
  const acme = await harness.createTenant()
  const create = async (path: string, body: object) => (await acme.post(path, body)).body
  const redirect = await create('/v1/qr-codes', { destination: { url: 'https://acme.com/' } })
  const paused = await create('/v1/qr-codes', { status: 'inactive' })
  const deleted = await create('/v1/qr-codes', {})
  await acme.delete(`/v1/qr-codes/${deleted.id}`)
  const base = await createKnowledgeBase(acme)
  await acme.patch(`/v1/knowledge-bases/${base}`, { is_published: true })
  const { public_slug } = (await acme.get(`/v1/knowledge-bases/${base}`)).body
  return [
    ['/v1/me', 401, false],
    ['/v1/nonsense', 404, false],
    ['/v1/openapi.json', 200, false],
    ['/docs', 200, true],
    ['/docs/viewer.js', 200, false],
    ['/healthz', 200, false],
    ['/readyz', 200, false],
    ['/assets/nonsense', 404, false],
    ['/favicon.ico', 200, false],
    ['/robots.txt', 200, false],
    [`/${redirect.public_slug}`, 302, false],
    [`/${paused.public_slug}`, 200, true],
    [`/${deleted.public_slug}`, 410, true],
    ['/23456789', 404, true],
    ['/no/such/page', 404, true],
    [`/kb/${public_slug}`, 200, true],
    [`/kb/${public_slug}/nonsense`, 404, true],
    [`/kb/${public_slug}/sitemap.xml`, 200, false],
    ['/kb/nonsense', 404, true],
  ]
}

describe('with HTTPS', () => {
  const harness = useHarness({ config: { appUrl: 'https://app.acme.com', publicUrl: 'https://go.acme.com' } })

  test('every response forbids to guess its type and to use HTTP, and every page its use in a frame', async () => {
    for (const [path, status, isPage] of await openPaths(harness)) {
      const { headers, ...reply } = await scan(harness, path)
      expect({ path, status: reply.status }).toEqual({ path, status })
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('strict-transport-security'), path).toBe(HTTPS_ONLY)
      if (!isPage) continue
      const policy = headers.get('content-security-policy')
      expect(policy, path).toMatch(/^default-src 'none'; /)
      expect(policy, path).toMatch(/; form-action '(none|self)'; base-uri 'none'; frame-ancestors 'none'$/)
      expect(headers.get('referrer-policy'), path).toMatch(/^(no-referrer|strict-origin-when-cross-origin)$/)
    }
  })

  test('a request that is not HTTP, and one with a malformed host, get the header, too', async () => {
    for (const bytes of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: ${'x'.repeat(300)}\r\n\r\n`]) {
      const response = await new Promise<string>((resolve, reject) => {
        const socket = connect(harness.service.port, '127.0.0.1', () => socket.write(bytes))
        let received = ''
        socket.on('data', (chunk) => {
          received += chunk
        })
        socket.on('close', () => resolve(received)).on('error', reject)
      })
      expect(response).toMatch(/^HTTP\/1\.1 400 /)
      expect(response).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    }
  })
})

describe('without HTTPS', () => {
  const harness = useHarness()

  test('every response forbids to guess its type, and none requires HTTPS', async () => {
    for (const [path] of await openPaths(harness)) {
      const { headers } = await scan(harness, path)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.has('strict-transport-security'), path).toBe(false)
    }
  })
})

describe('with HTTPS for the API only', () => {
  const harness = useHarness({
    config: { appUrl: 'https://app.acme.com', publicUrl: 'http://go.acme.com', acceptsAnyHost: false },
  })

  test('only responses of the API’s host require HTTPS, so that codes printed with http:// keep working', async () => {
    const requirement = async (host: string) =>
      (await scan(harness, '/23456789', { host })).headers.get('strict-transport-security')
    expect(await requirement('app.acme.com')).toBe(HTTPS_ONLY)
    expect(await requirement('go.acme.com')).toBeNull()
    expect(await requirement('shop.acme.com')).toBeNull()
  })
})
