import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createServer } from '../platform/http/server.ts'
import { createLogger } from '../platform/telemetry/logging.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { mountDocs } from './docs.ts'
import { openApiDocument } from './openapi.ts'

const server = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics: createMetrics() })
mountDocs(server)

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })

describe('/v1/openapi.json', () => {
  test('is the document, for anybody who asks', async () => {
    const answer = await get('/v1/openapi.json')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{16}$/)
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  test('is not sent again to who has it already', async () => {
    const { etag } = (await get('/v1/openapi.json')).headers
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get('/v1/openapi.json', { 'if-none-match': String(known) })
      expect(answer.statusCode).toBe(304)
      expect(answer.body).toBe('')
      expect(answer.headers).toMatchObject({ etag, 'x-request-id': expect.any(String) })
    }
    expect((await get('/v1/openapi.json', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

describe('/docs', () => {
  test('allows scripts and requests of our own origin only', async () => {
    const { headers, body } = await get('/docs')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self' 'sha256-")
    expect(headers['content-security-policy']).toContain("connect-src 'self'")
    expect(body.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\/\/\w/)
  })

  test('names its script so that a browser can keep it', async () => {
    const [, script] = /src="([^"]+)"/.exec((await get('/docs')).body) ?? []
    const plain = await get(String(script))
    const packed = await get(String(script), { 'accept-encoding': 'br, gzip' })
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect((await get(String(script), { 'if-none-match': String(plain.headers.etag) })).statusCode).toBe(304)
  })
})
