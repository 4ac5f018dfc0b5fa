import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })
const CONTENT = 'Oak. '.repeat(10_000)
let acme: Tenant
let base: { id: string }
beforeAll(async () => {
  acme = await harness.createTenant()
  base = (await acme.post('/v1/knowledge-bases', { name: 'Care' })).body
  await acme.post('/v1/articles', { title: 'Oak', content: CONTENT, knowledge_base_id: base.id })
  for (let n = 0; n < 90; n++) await acme.post('/v1/article-tags', { name: `${n} ${'care '.repeat(18)}` })
})

interface RawReply {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** Sends a request that accepts every encoding, unless the headers say otherwise. Does not decompress the response. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<RawReply> {
  const sent = request(`${harness.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${acme.apiKey}`,
      'accept-encoding': '*',
      'content-type': 'application/json',
      ...headers,
    },
  }).end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

const LONG = '/v1/article-tags?page_size=100'

test('a long response of the API is compressed as the client prefers', async () => {
  const plain = await send('GET', LONG, { 'accept-encoding': 'identity' })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  for (const [accepted, encoding, decode] of [
    ['gzip, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await send('GET', LONG, { 'accept-encoding': accepted })
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect(headers['content-length']).toBe(String(bytes.length))
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(decode(bytes).equals(plain.bytes)).toBe(true)
  }
})

test('a response of the API is compressed from 1 KB on', async () => {
  const short = await send('GET', '/v1/article-tags?page_size=4')
  expect(short.bytes.length).toBeGreaterThan(600)
  expect(short.headers).not.toHaveProperty('content-encoding')
  const { headers, bytes } = await send('GET', '/v1/article-tags?page_size=8')
  expect(headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(bytes).length).toBeLessThan(2048)
})

test('a long response to a POST is not compressed: it may contain a secret', async () => {
  const description = 'x'.repeat(500)
  const created = await send(
    'POST',
    '/v1/webhooks',
    {},
    { url: 'https://acme.com/hooks', events: ['article.created'], description },
  )
  expect(created.status, created.bytes.toString()).toBe(201)
  expect(created.bytes.toString()).toContain('signing_secret')
  expect(created.headers).not.toHaveProperty('content-encoding')
  const input = { title: 'Pine', content: CONTENT, knowledge_base_id: base.id }
  const article = await send('POST', '/v1/articles', {}, input)
  expect(article.status).toBe(201)
  expect(article.bytes.length).toBeGreaterThan(CONTENT.length)
  expect(article.headers).not.toHaveProperty('content-encoding')
  const read = await send('GET', `/v1/articles/${JSON.parse(article.bytes.toString()).id}`)
  expect(read.headers['content-encoding']).toBe('br')
})

test('a long response with text of outsiders is not compressed', async () => {
  const { headers, bytes } = await send('GET', '/v1/events?limit=100')
  expect(bytes.length).toBeGreaterThan(16 * 1024)
  expect(headers).not.toHaveProperty('content-encoding')
  expect(headers).not.toHaveProperty('vary')
})

test('an error is not compressed: it repeats what was sent', async () => {
  const { status, headers } = await send('GET', `/v1/article-tags?unknown=${'x'.repeat(14_000)}`)
  expect(status).toBe(400)
  expect(headers).not.toHaveProperty('content-encoding')
})
