import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
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
  test('returns the OpenAPI document without an API key', async () => {
    const response = await get('/v1/openapi.json')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-cache')
    expect(response.headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{16}$/)
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
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
  test('allows scripts and requests only from its own origin', async () => {
    const { headers, body } = await get('/docs')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self' 'sha256-")
    expect(headers['content-security-policy']).toContain("connect-src 'self'")
    expect(body.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\/\/\w/)
  })

  test('serves its script with an ETag, and cacheable for a year', async () => {
    const [, script] = /src="([^"]+)"/.exec((await get('/docs')).body) ?? []
    const plain = await get(String(script))
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get(String(script), { 'if-none-match': String(plain.headers.etag) })).statusCode).toBe(304)
  })

  test.each(['/docs', '/docs/viewer.js', '/v1/openapi.json'])(
    '%s is compressed as the client prefers',
    async (path) => {
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
    },
  )

  test('clients that never read take no memory for its script', async () => {
    await get('/docs')
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
