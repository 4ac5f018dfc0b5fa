import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { etagOf, matchesEtag } from '../platform/http/etag.ts'
import type { Server } from '../platform/http/server.ts'
import { CONTENT_SECURITY_POLICY, docsPage, VIEWER_PATH } from './docs-page.ts'
import { loadViewer } from './viewer.ts'

interface Content {
  type: string
  body: string | Uint8Array
  etag: string
  headers?: Record<string, string>
}

/** Serves the contract at /v1/openapi.json for programs and at /docs for people. Neither needs a credential. */
export function mountDocs(server: Server): void {
  serve(server, '/v1/openapi.json', 'openapi', documentContent())
  serve(server, '/docs', 'docs', pageContent)
  serve(server, VIEWER_PATH, 'docs.viewer', viewerContent)
}

type Load = (headers: IncomingHttpHeaders) => Content | Promise<Content>

function serve(server: Server, path: string, operation: string, load: Load): void {
  server.get(path, { config: { operation } }, async (request, reply) => {
    const { type, body, etag, headers } = await load(request.headers)
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', etag })
    reply.headers({ 'cache-control': 'no-cache', ...headers })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(type).send(body)
  })
}

/** Builds the document on the first request and keeps it. Its code is loaded then too, so that the start is quick. */
function documentContent(): Load {
  let written: Promise<Content> | undefined
  return () => {
    written ??= writeDocument()
    return written
  }
}

async function writeDocument(): Promise<Content> {
  const { openApiDocument } = await import('./openapi.ts')
  const body = JSON.stringify(openApiDocument())
  return { type: 'application/json; charset=utf-8', body, etag: etagOf(body) }
}

async function pageContent(): Promise<Content> {
  const { hash } = await loadViewer()
  const body = docsPage(hash)
  const headers = { 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' }
  return { type: 'text/html; charset=utf-8', body, etag: etagOf(body), headers }
}

/** The page requests the script by its hash, so that browsers may cache it for a year. */
async function viewerContent({ 'accept-encoding': accepted = '' }: IncomingHttpHeaders): Promise<Content> {
  const { gzipped, hash } = await loadViewer()
  const caching = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }
  const type = 'text/javascript; charset=utf-8'
  if (!/\bgzip\b/.test(String(accepted))) {
    return { type, body: await promisify(gunzip)(gzipped), etag: `"${hash}"`, headers: caching }
  }
  return { type, body: gzipped, etag: `"${hash}-gzip"`, headers: { ...caching, 'content-encoding': 'gzip' } }
}
