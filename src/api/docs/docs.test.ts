import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SOURCE_NAMES } from '../../modules/codes/moving/index.ts'
import { createServer } from '../../platform/http/server/server.ts'
import { createLogger } from '../../platform/telemetry/logging.ts'
import { createMetrics } from '../../platform/telemetry/metrics.ts'
import { familyOperations, openApiDocument } from '../openapi.ts'
import { fileUrl, GUIDE_FILES, LINKED_FILES } from './guides.ts'
import { mountDocs } from './index.ts'
import { STYLE } from './style.ts'

const APP_URL = 'https://id.acme.example'
const server = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics: createMetrics() })
mountDocs(server, { appUrl: APP_URL })

const FAMILIES = [...new Set(familyOperations().map(({ family }) => family.name))]
const REFERENCE = ['/docs/reference', ...FAMILIES.map((name) => `/docs/reference/${name}`)]

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })

describe('/v1/openapi.json', () => {
  test('returns the OpenAPI document without an API key', async () => {
    const response = await get('/v1/openapi.json')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-cache')
    expect(response.headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{16}$/)
    const isCurrent = JSON.stringify(response.json()) === JSON.stringify(openApiDocument())
    expect(isCurrent, 'openapi.json is up to date: npm run generate').toBe(true)
    expect(response.body).not.toContain('\n')
  })

  test('returns 304 when If-None-Match matches the ETag', async () => {
    const { etag } = (await get('/v1/openapi.json')).headers
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get('/v1/openapi.json', { 'if-none-match': String(ifNoneMatch) })
      expect(response.statusCode).toBe(304)
      expect(response.body).toBe('')
      expect(response.headers).toMatchObject({ etag, 'x-request-id': expect.any(String) })
    }
    expect((await get('/v1/openapi.json', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

describe('/docs', () => {
  test('lists all guides and the reference, without scripts', async () => {
    const { headers, body } = await get('/docs')
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'")
    expect(body).not.toContain('<script')
    for (const { slug } of GUIDE_FILES) expect(body).toContain(`href="/docs/${slug}"`)
    expect(body).toContain('href="/docs/reference"')
  })

  test('has no guide at the address of another page', () => {
    const slugs = GUIDE_FILES.map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(slugs.length)
    expect(slugs.filter((slug) => ['reference', 'search', 'style.css', 'viewer.js'].includes(slug))).toEqual([])
  })

  test('shows every file of the folder docs', () => {
    const files = readdirSync(fileUrl('docs/')).filter((name) => name.endsWith('.md'))
    expect(GUIDE_FILES.map(({ path }) => path)).toEqual(expect.arrayContaining(files.map((name) => `docs/${name}`)))
  })

  test('has a page for each service that codes are moved from, with what comes along and what does not', async () => {
    const moving = GUIDE_FILES.map(({ slug }) => slug).filter((slug) => slug.startsWith('moving-'))
    expect(moving).toEqual(expect.arrayContaining(SOURCE_NAMES.map((source) => `moving-${source}`)))
    const { body: overview } = await get('/docs/moving')
    for (const slug of moving) {
      expect(overview).toContain(`href="/docs/${slug}"`)
      const { body } = await get(`/docs/${slug}`)
      expect([...body.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id)).toEqual(
        expect.arrayContaining(['h-export', 'h-command', 'h-comes-along', 'h-does-not-come-along-and-what-to-do']),
      )
    }
  })

  test('redirects /docs/ to /docs, and says that a guide does not exist', async () => {
    expect(await get('/docs/')).toMatchObject({ statusCode: 308, headers: { location: '/docs' } })
    const missing = await get('/docs/nowhere')
    expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(missing.body).toContain('action="/docs/search"')
  })

  test('every link leads to something that exists', async () => {
    const pages = new Map<string, string>()
    for (const path of ['/docs', ...GUIDE_FILES.map(({ slug }) => `/docs/${slug}`)]) {
      const { statusCode, body } = await get(path)
      expect(statusCode, path).toBe(200)
      pages.set(path, body)
    }
    for (const path of REFERENCE) pages.set(path, (await get(path)).body)
    for (const [from, body] of pages) {
      for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (/^(?:https?|mailto):/.test(href)) continue
        const [path = '', fragment] = href.split('#')
        const target = pages.get(path === '' ? from : path)
        if (target === undefined) expect((await get(path)).statusCode, `${from} → ${href}`).toBe(200)
        else if (fragment)
          expect(target.includes(`id="${decodeURIComponent(fragment)}"`), `${from} → ${href}`).toBe(true)
      }
    }
  })

  test('turns only links for developers of Waymark into plain text', async () => {
    const markdown = await readFile(fileUrl('README.md'), 'utf8')
    const linked = [...markdown.matchAll(/\]\(([^):#]+)/g)].map(([, path]) => path as string)
    const shown = GUIDE_FILES.map(({ path }) => path)
    const left = linked.filter((path) => !shown.includes(path) && LINKED_FILES[path] === undefined)
    expect(left.filter((path) => !/^(?:ARCHITECTURE\.md|CONTRIBUTING\.md|LICENSE|docs\/adr)$/.test(path))).toEqual([])
  })

  test('examples have the address of this installation', async () => {
    const { body } = await get('/docs/introduction')
    expect(body).toContain(`curl "${APP_URL}/v1/me"`)
    for (const { slug } of GUIDE_FILES) {
      const blocks = (await get(`/docs/${slug}`)).body.match(/<pre.*?<\/pre>/gs) ?? []
      for (const block of blocks) expect(block).not.toMatch(/\$WAYMARK_URL|http:\/\/localhost:8080/)
    }
    expect((await get('/docs/readme')).body, 'the default of a setting').toContain('http://localhost:8080')
  })

  test('the receivers of webhooks are in five languages', async () => {
    const { body } = await get('/docs/webhooks')
    for (const language of ['js', 'python', 'go', 'php', 'ruby']) expect(body).toContain(`class="language-${language}"`)
  })

  test('colours and other custom properties are all declared', () => {
    const declared = new Set([...STYLE.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name))
    const used = [...STYLE.matchAll(/var\((--[a-z-]+)\)/g)].map(([, name]) => name)
    expect(used.filter((name) => !declared.has(name))).toEqual([])
  })
})

describe('/docs/search', () => {
  const firstOf = async (query: string) => {
    const { body } = await get(`/docs/search?q=${encodeURIComponent(query)}`)
    return body.slice(body.indexOf('<ol class="hits">')).match(/<h2><a href="([^"]*)"/)?.[1]
  }

  test.each([
    ['login', '/docs/authentication'],
    ['how do I log in', '/docs/authentication'],
    ['API key', '/docs/authentication'],
    ['paging', '/docs/pagination'],
    ['next page', '/docs/pagination'],
    ['retry', '/docs/idempotency'],
    ['throttling', '/docs/rate-limits'],
    ['too many requests', '/docs/rate-limits'],
    ['status codes', '/docs/errors'],
    ['callbacks', '/docs/webhooks'],
    ['verify signature', '/docs/webhooks#h-verify-the-signature'],
    ['hmac', '/docs/webhooks#h-verify-the-signature'],
    ['qr_code.scanned', '/docs/events#h-qr_codescanned'],
    ['docker', '/docs/deploy'],
    ['CNAME', '/docs/domains'],
    ['quickstart', '/docs/introduction'],
    ['authentification', '/docs/authentication'],
    ['pagniation', '/docs/pagination'],
    ['create qr code', '/docs/reference/qr-codes#createQrCode'],
    ['delete article', '/docs/reference/articles#deleteArticle'],
    ['invite colleague', '/docs/reference/invitations#createInvitation'],
    ['GET /scans', '/docs/reference/scans#listScans'],
  ])('finds %s under its usual name', async (query, href) => {
    expect(await firstOf(query)).toBe(href)
  })

  test('escapes the query, and takes one of any length', async () => {
    const { body } = await get(`/docs/search?q=${encodeURIComponent('<script>paging"')}`)
    expect(body).not.toContain('<script')
    expect(body).toContain('value="&lt;script&gt;paging&quot;"')
    for (const query of ['', '%20', `q=${'x '.repeat(5000)}`, 'q=%F0%9F%92%A9&q=twice', 'q=zzzzqqq'])
      expect((await get(`/docs/search?${query}`)).statusCode, query).toBe(200)
    expect((await get('/docs/search?q=zzzzqqq')).body).toContain('No results for zzzzqqq')
  })
})

describe('/docs/reference', () => {
  test('lists every operation, also under the address that its place in the viewer had', async () => {
    const { body } = await get('/docs/reference')
    for (const { family, declared } of familyOperations()) {
      const { method, path } = declared
      expect(body).toContain(`<li id="tag/${family.name}/${method}${path}"><code>${method} ${path}</code>`)
    }
  })

  test.each(FAMILIES)('describes every operation and every schema of %s on one page, without scripts', async (name) => {
    const { statusCode, headers, body } = await get(`/docs/reference/${name}`)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).not.toContain('script-src')
    expect(body).not.toContain('<script')
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { declared } of familyOperations().filter(({ family }) => family.name === name)) {
      const { method, path, summary } = declared
      expect(body).toContain(`<b class="${method.toLowerCase()}">${method}</b> /v1${path}</code>`)
      expect(body).toContain(`/docs/reference/try#tag/${name}/${method}${path}"`)
      expect(body).toContain(`${summary.replaceAll("'", '&#39;')}</h2>`)
    }
    expect(body).not.toContain('undefined')
    expect(body).not.toContain('[object Object]')
  })

  test('an operation has its scope, parameters, fields, errors and an example for this installation', async () => {
    const { body } = await get('/docs/reference/product-links')
    const section = body.slice(
      body.indexOf('<section id="replaceProductLinks">'),
      body.indexOf('<section id="ProductLink'),
    )
    for (const part of [
      'Scope: <code>products.manage</code>',
      '<code>page_size</code>',
      '<a href="#ProductLinkInput">ProductLinkInput</a>',
      `curl -X PUT &quot;${APP_URL}/v1/products/0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11/links&quot;`,
      'Authorization: Bearer $WAYMARK_API_KEY',
      '&quot;link_type&quot;: &quot;gs1:pip&quot;',
      '<code>422</code>',
      '<a href="#ProductLinkList">ProductLinkList</a>',
    ])
      expect(section).toContain(part)
    expect(body).toMatch(/<section id="ProductLink">.*<code>gs1:allergenInfo<\/code> <p>Allergens/s)
  })

  test('an example survives a shell, also with single quotes', async () => {
    for (const path of REFERENCE.slice(1)) {
      const examples = [...(await get(path)).body.matchAll(/<code class="language-sh">(.*?)<\/code>/gs)]
      for (const [, example = ''] of examples) {
        const command = example.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
        const [, json] = /-d '(.*)'$/s.exec(command) ?? []
        if (json !== undefined) expect(() => JSON.parse(json.replaceAll("'\\''", "'")), command).not.toThrow()
      }
    }
  })

  test('says that a family does not exist', async () => {
    expect((await get('/docs/reference/nowhere')).statusCode).toBe(404)
  })
})

describe('/docs/reference/try', () => {
  test('allows scripts and requests only from its own origin', async () => {
    const { headers, body } = await get('/docs/reference/try')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self' 'sha256-")
    expect(headers['content-security-policy']).toContain("connect-src 'self'")
    expect(body.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\/\/\w/)
  })

  test('serves its script with an ETag, and cacheable for a year', async () => {
    const [, script] = /<script src="([^"]+)"/.exec((await get('/docs/reference/try')).body) ?? []
    const plain = await get(String(script))
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get(String(script), { 'if-none-match': String(plain.headers.etag) })).statusCode).toBe(304)
  })
})

describe('all of it', () => {
  test.each([
    '/docs',
    '/docs/webhooks',
    '/docs/search?q=paging',
    '/docs/style.css',
    '/docs/viewer.js',
    '/docs/reference',
    '/docs/reference/articles',
    '/v1/openapi.json',
  ])('%s is compressed as the client prefers', async (path) => {
    const plain = await get(path)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    for (const [accepted, encoding, decode] of [
      ['br, gzip', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const sent = await get(path, { 'accept-encoding': accepted })
      expect(sent.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      expect(sent.headers['content-length']).toBe(String(sent.rawPayload.length))
      expect(decode(sent.rawPayload).equals(plain.rawPayload)).toBe(true)
      const { etag } = sent.headers
      expect(etag).not.toBe(plain.headers.etag)
      expect(await get(path, { 'accept-encoding': accepted, 'if-none-match': String(etag) })).toMatchObject({
        statusCode: 304,
        headers: { etag, vary: 'accept-encoding' },
      })
    }
  })

  test('clients that never read take no memory for its script', async () => {
    await get('/docs/viewer.js')
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as { port: number }
    const beforeBytes = process.memoryUsage().arrayBuffers
    const readers = await Promise.all(Array.from({ length: 100 }, () => openReader(port, '/docs/viewer.js')))
    const scriptBytes = (await get('/docs/viewer.js')).rawPayload.length
    expect(scriptBytes).toBeGreaterThan(1024 * 1024)
    expect(process.memoryUsage().arrayBuffers - beforeBytes).toBeLessThan(10 * scriptBytes)
    expect(server.connections.usedBytes).toBeLessThan(10 * scriptBytes)
    expect(server.connections.open).toBe(100)
    for (const reader of readers) reader.destroy()
    await server.close()
  })
})

/** Requests the path and stops reading after the first bytes. */
async function openReader(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}
