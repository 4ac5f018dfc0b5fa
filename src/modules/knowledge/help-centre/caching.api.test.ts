/** How pages are cached and compressed. The site is an instance of its own, next to the one that makes the changes. */
import { once } from 'node:events'
import { get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type Service, startService } from '../../../main/service.ts'
import type { Listener } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { eventually } from '../../../testing/eventually.ts'
import { testConfig, useHarness } from '../../../testing/harness.ts'
import { UNPACED } from '../../../testing/unpaced.ts'
import { type AttributedScan, signScan } from '../../codes/scanned-things/index.ts'
import { HELP_CENTRES_TOPIC } from '../public-articles/index.ts'
import { Centres } from './centres.ts'

const harness = useHarness({ role: 'api' })
const isPostgres = inject('engine') === 'postgres'

let visited: Service
let statements: string[] = []
let centre: TestCentre
let oak: { id: string }
beforeAll(async () => {
  const config = { ...testConfig(harness), dataDir: join(harness.folder, 'site') }
  const observe = (text: string) => void statements.push(text)
  visited = await startService(config, 'scan', createLogger('silent'), { observe, paces: UNPACED })
})
afterAll(() => visited?.close())
beforeEach(async () => {
  centre = await createCentre(harness)
  oak = await centre.article({ slug: 'oak', title: 'Oak' })
  // On PostgreSQL, announcements of these changes may be on their way.
  await settled()
})

interface Sent {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Reads a page as it is sent, without decompressing it. */
async function read(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Sent> {
  const request = get(`http://127.0.0.1:${visited.port}${centre.path}${path}`, { headers, method })
  const [response] = await once(request, 'response')
  const bytes = await buffer(response)
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() }
}

const settled = () =>
  eventually(async () => {
    await read('')
    statements = []
    await read('')
    return !isPostgres || statements.length === 0
  })

/** The statements of the site during the visits. */
async function statementsOf(...visits: [path: string, headers?: Record<string, string>][]): Promise<string[]> {
  statements = []
  for (const [path, headers] of visits) await read(path, headers)
  return statements.filter((statement) => statement.startsWith('select'))
}

const PAGES = [
  '',
  '/articles',
  '/articles/oak',
  '/de/articles/oak',
  '/categories',
  '/search',
  '/feed.atom',
  '/sitemap.xml',
]

test.each(PAGES)(
  'the second visit to %s reads nothing but the revision, and on PostgreSQL nothing at all',
  async (path) => {
    const { headers } = await read(path)
    expect(await statementsOf([path])).toHaveLength(isPostgres ? 0 : 1)
    expect(await statementsOf([path, { 'if-none-match': String(headers.etag) }])).toHaveLength(isPostgres ? 0 : 1)
  },
)

test('visitors with other parameters and headers share a page', async () => {
  await read('/articles/oak')
  const others: [string, Record<string, string>?][] = [
    ['/articles/oak/'],
    ['/articles/oak?utm_source=mail&scan=1'],
    ['/articles/oak?q=x&page=3&after=oak'],
    ['/articles/oak', { 'accept-language': 'en' }],
    ['/articles/oak', { 'accept-language': 'en-GB, sv;q=0.5' }],
    ['/articles/oak', { 'accept-encoding': 'deflate' }],
  ]
  expect(await statementsOf(...others)).toHaveLength(isPostgres ? 0 : others.length)
})

test('a visitor who has scanned something costs one read more than others', async () => {
  const { body: object } = await centre.tenant.post('/v1/objects', { type: 'press', name: 'Press 4' })
  const scan: AttributedScan = { scanned: { kind: 'object', id: object.id }, scanId: newId() }
  await settled()
  const signed = signScan(harness.service.keyring, centre.path, scan, harness.nowMs())
  const path = `/articles/oak?s=${signed}`
  expect((await read(path)).text).toContain('Press 4')
  expect(await statementsOf([path])).toHaveLength(isPostgres ? 1 : 2)
  // A redirect shows nothing.
  const permalink = `/a/${oak.id}?s=${signed}`
  expect((await read(permalink)).headers.location).toContain(path)
  expect(await statementsOf([permalink])).toHaveLength(isPostgres ? 0 : 1)
})

test('readers of a language that the help centre lacks share a page, which says so', async () => {
  const first = await read('/articles/oak', { 'accept-language': 'ar, en;q=0.5' })
  expect(first.text).toContain('<aside class="missed" lang="ar" dir="rtl">')
  const others: [string, Record<string, string>?][] = [
    ['/articles/oak', { 'accept-language': 'ar' }],
    ['/articles/oak?x=1', { 'accept-language': 'ar-EG, sv;q=0.5' }],
  ]
  expect(await statementsOf(...others)).toHaveLength(isPostgres ? 0 : others.length)
  expect((await read('/articles/oak', { 'accept-language': 'en' })).text).not.toContain('class="missed"')
})

test('pages of search results and further pages of lists are not cached', async () => {
  for (const path of ['/search?q=oak', '/articles?after=oak', '/articles?before=oak', '/categories?in=x']) {
    await read(path)
    expect((await statementsOf([path])).length, path).toBeGreaterThan(isPostgres ? 0 : 1)
  }
})

test('addresses at which there is nothing share one page', async () => {
  const [first, second] = [await read('/articles/nothing'), await read('/nothing/at/all')]
  expect([first.status, second.status]).toEqual([404, 404])
  expect(second.text).toBe(first.text)
  // One statement looks for the article.
  expect(await statementsOf(['/articles/nowhere'])).toHaveLength(isPostgres ? 1 : 2)
})

test('simultaneous visits make a page once', async () => {
  const alone = await statementsOf(['/articles'])
  await centre.article({ slug: 'pine', title: 'Pine' })
  await eventually(async () => (await read('/en/articles')).text.includes('Pine'))
  await settled()
  statements = []
  const pages = await Promise.all(Array.from({ length: 10 }, () => read('/articles')))
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  const lists = statements.filter((statement) => statement.includes('article_texts'))
  expect(alone.filter((statement) => statement.includes('article_texts'))).toHaveLength(1)
  expect(lists).toHaveLength(1)
})

test('another instance shows a change', async () => {
  for (let n = 0; n < 5; n++) {
    await read('/articles/oak')
    const article = (await centre.tenant.get('/v1/articles?page_size=1')).body.data[0]
    await centre.tenant.patch(`/v1/articles/${article.id}`, { content: `Text ${n}.` })
    // SQLite shows it at once, PostgreSQL as soon as it is announced.
    if (isPostgres) await eventually(async () => (await read('/articles/oak')).text.includes(`Text ${n}.`))
    else expect((await read('/articles/oak')).text).toContain(`Text ${n}.`)
  }
})

test('while announcements are not received, every visit reads the revision', async () => {
  const { database } = harness.service
  let listener: Listener | undefined
  const listen = (own: Listener) => {
    listener = own
    return () => {}
  }
  const centres = new Centres({ ...database, engine: 'postgres', listen })
  const { public_slug } = centre.base
  const nameOf = async () => {
    const found = await centres.find(public_slug)
    return typeof found === 'object' ? found.name : found
  }
  const rename = (name: string) =>
    sql`update knowledge_bases set name = ${name} where id = ${centre.base.id} and org_id = ${centre.tenant.orgId}`.execute(
      database.kysely,
    )

  await nameOf()
  await rename('Not heard')
  expect(await nameOf()).toBe('Not heard')
  expect(centres.peek(public_slug)).toBeUndefined()

  listener?.resumed()
  await nameOf()
  expect(centres.peek(public_slug)?.name).toBe('Not heard')
  await rename('Heard')
  listener?.changed(HELP_CENTRES_TOPIC, centre.tenant.orgId)
  expect(centres.peek(public_slug)).toBeUndefined()
  expect(await nameOf()).toBe('Heard')

  listener?.interrupted()
  await rename('Missed')
  expect(await nameOf()).toBe('Missed')
  listener?.resumed()
  expect(centres.peek(public_slug)).toBeUndefined()

  // What was read before an announcement may be the state before the change.
  const reading = nameOf()
  listener?.changed(HELP_CENTRES_TOPIC, centre.tenant.orgId)
  await reading
  expect(centres.peek(public_slug)).toBeUndefined()
})

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

test.each(['', '/articles/oak', '/search?q=oak', '/sitemap.xml', '/nothing', '/articles?after=oak'])(
  '%s is sent in the encoding that the visitor prefers, each with its own ETag',
  async (path) => {
    for (let n = 0; n < 5; n++) await centre.article()
    await settled()
    const plain = await read(path)
    const etags = new Set<string | undefined>()
    for (const encoding of ['br', 'gzip', 'identity'] as const) {
      const accepted = { 'accept-encoding': `${encoding}, deflate;q=0.1` }
      const sent = await read(path, accepted)
      expect(sent.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
      expect(sent.headers.vary).toBe('accept-language, accept-encoding')
      expect(Number(sent.headers['content-length'])).toBe(sent.bytes.length)
      expect(DECODE[encoding](sent.bytes).equals(plain.bytes)).toBe(true)
      if (encoding !== 'identity') expect(sent.bytes.length).toBeLessThan(plain.bytes.length / 2)
      const head = await read(path, accepted, 'HEAD')
      expect(head.bytes).toHaveLength(0)
      for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'] as const) {
        expect(head.headers[name]).toBe(sent.headers[name])
      }
      if (sent.status !== 200) continue
      const { etag = '' } = sent.headers
      etags.add(etag)
      const unchanged = await read(path, { ...accepted, 'if-none-match': `"other", W/${etag}` })
      expect(unchanged).toMatchObject({ status: 304, text: '', headers: { etag, vary: sent.headers.vary } })
      expect(unchanged.headers).not.toHaveProperty('content-encoding')
    }
    expect(etags.size).toBe(plain.status === 200 ? 3 : 0)
  },
)

test('a page of less than 1 KB is sent as it is', async () => {
  const { headers, bytes } = await read('/feed.atom', { 'accept-encoding': 'br' })
  expect(bytes.length).toBeLessThan(1024)
  expect(headers).not.toHaveProperty('content-encoding')
})

test('an ETag of another encoding does not match', async () => {
  const { headers } = await read('', { 'accept-encoding': 'br' })
  expect((await read('', { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })).status).toBe(200)
})
