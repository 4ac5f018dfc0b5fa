import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { SLICE_BYTES } from '../platform/http/downloads.ts'
import { etagOf, matchesEtag } from '../platform/http/etag.ts'
import type { Server } from '../platform/http/server.ts'
import { CONTENT_SECURITY_POLICY, docsPage, VIEWER_PATH } from './docs-page.ts'
import { loadViewer } from './viewer.ts'

interface Content {
  type: string
  /** The same one for every response, so that clients that read slowly take no memory. */
  body: Uint8Array
  etag: string
  headers?: Record<string, string>
}

/** Serves the contract at /v1/openapi.json for programs and at /docs for people. Neither needs a credential. */
export function mountDocs(server: Server): void {
  serve(server, '/v1/openapi.json', 'openapi', once(documentContent))
  serve(server, '/docs', 'docs', once(pageContent))
  serve(server, VIEWER_PATH, 'docs.viewer', viewerContent)
}

type Load = (headers: IncomingHttpHeaders) => Content | Promise<Content>

function serve(server: Server, path: string, operation: string, load: Load): void {
  server.get(path, { config: { operation } }, async (request, reply) => {
    const { type, body, etag, headers } = await load(request.headers)
    reply.headers({ 'x-request-id': request.id, etag, 'cache-control': 'no-cache', ...headers })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const paced = server.downloads.pace(request.ip, Readable.from(slicesOf(body)))
    return reply.type(type).header('content-length', body.length).send(paced)
  })
}

function* slicesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES)
}

/** Makes the content on the first request and keeps it. */
function once(make: () => Promise<Content>): Load {
  let made: Promise<Content> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** Its code is loaded on the first request, so that the start is quick. */
async function documentContent(): Promise<Content> {
  const { openApiDocument } = await import('./openapi.ts')
  const body = Buffer.from(JSON.stringify(openApiDocument()))
  return { type: 'application/json; charset=utf-8', body, etag: etagOf(body) }
}

async function pageContent(): Promise<Content> {
  const { hash } = await loadViewer()
  const body = Buffer.from(docsPage(hash))
  const headers = { 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' }
  return { type: 'text/html; charset=utf-8', body, etag: etagOf(body), headers }
}

/** The page requests the script by its hash, so that browsers may cache it for a year. */
async function viewerContent({ 'accept-encoding': accepted = '' }: IncomingHttpHeaders): Promise<Content> {
  const { plain, gzipped, hash } = await loadViewer()
  const caching = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }
  const type = 'text/javascript; charset=utf-8'
  if (!/\bgzip\b/.test(String(accepted))) return { type, body: plain, etag: `"${hash}"`, headers: caching }
  return { type, body: gzipped, etag: `"${hash}-gzip"`, headers: { ...caching, 'content-encoding': 'gzip' } }
}
