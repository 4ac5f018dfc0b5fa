import { Readable } from 'node:stream'
import { SLICE_BYTES } from '../platform/http/downloads.ts'
import { chooseEncoding } from '../platform/http/encoding.ts'
import { etagIn, etagOf, matchesEtag } from '../platform/http/etag.ts'
import { FixedBody } from '../platform/http/fixed-body.ts'
import type { Server } from '../platform/http/server.ts'
import { CONTENT_SECURITY_POLICY, docsPage, VIEWER_PATH } from './docs-page.ts'
import { loadViewer } from './viewer.ts'

interface Content {
  type: string
  /** The same one for every response, so that clients that read slowly take no memory. */
  body: FixedBody
  etag: string
  headers: Record<string, string>
}

/** Serves the contract at /v1/openapi.json for programs and at /docs for people. Neither needs a credential. */
export function mountDocs(server: Server): void {
  serve(server, '/v1/openapi.json', 'openapi', once(documentContent))
  serve(server, '/docs', 'docs', once(pageContent))
  serve(server, VIEWER_PATH, 'docs.viewer', once(viewerContent))
}

type Load = () => Promise<Content>

function serve(server: Server, path: string, operation: string, load: Load): void {
  server.get(path, { config: { operation } }, async (request, reply) => {
    const content = await load()
    const accepted = chooseEncoding(request.headers['accept-encoding'])
    const { encoding, bytes } = await content.body.in(accepted, server.compression)
    const etag = etagIn(encoding, content.etag)
    const caching = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    reply.headers({ 'x-request-id': request.id, ...caching, ...content.headers })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    const paced = server.downloads.pace(request.ip, Readable.from(slicesOf(bytes)))
    return reply.type(content.type).header('content-length', bytes.length).send(paced)
  })
}

function* slicesOf(body: Buffer): Generator<Buffer> {
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

const toContent = (type: string, body: Buffer, headers: Record<string, string> = {}, etag = etagOf(body)): Content => ({
  type: `${type}; charset=utf-8`,
  body: new FixedBody(body),
  etag,
  headers,
})

/** Its code is loaded on the first request, so that the start is quick. */
async function documentContent(): Promise<Content> {
  const { openApiDocument } = await import('./openapi.ts')
  return toContent('application/json', Buffer.from(JSON.stringify(openApiDocument())))
}

async function pageContent(): Promise<Content> {
  const { hash } = await loadViewer()
  const headers = { 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' }
  return toContent('text/html', Buffer.from(docsPage(hash)), headers)
}

/** The page requests the script by its hash, so that browsers may cache it for a year. */
async function viewerContent(): Promise<Content> {
  const { script, hash } = await loadViewer()
  const body = Buffer.from(script.buffer, script.byteOffset, script.byteLength)
  const headers = { 'cache-control': 'public, max-age=31536000, immutable' }
  return toContent('text/javascript', body, headers, `"${hash}"`)
}
