import { Readable } from 'node:stream'
import { SERVICE } from '../platform/http/compression.ts'
import { SLICE_BYTES } from '../platform/http/downloads.ts'
import { chooseEncoding, type Encoding } from '../platform/http/encoding.ts'
import { etagIn, etagOf, matchesEtag } from '../platform/http/etag.ts'
import type { Server } from '../platform/http/server.ts'
import { CONTENT_SECURITY_POLICY, docsPage, VIEWER_PATH } from './docs-page.ts'
import { loadViewer } from './viewer.ts'

interface Content {
  type: string
  /** The same one for every response, so that clients that read slowly take no memory. */
  body: Buffer
  etag: string
  headers: Record<string, string>
  /** The compressed bodies, each made on the first request for it. */
  compressed: Map<Encoding, Promise<Buffer | undefined>>
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
    const [encoding, body] = await encode(server, content, chooseEncoding(request.headers['accept-encoding']))
    const etag = etagIn(encoding, content.etag)
    const caching = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    reply.headers({ 'x-request-id': request.id, ...caching, ...content.headers })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    const paced = server.downloads.pace(request.ip, Readable.from(slicesOf(body)))
    return reply.type(content.type).header('content-length', body.length).send(paced)
  })
}

async function encode(
  { compression }: Server,
  { body, compressed }: Content,
  encoding: Encoding,
): Promise<[Encoding, Buffer]> {
  if (encoding === 'identity') return [encoding, body]
  const making = compressed.get(encoding) ?? compression.compress(SERVICE, body, encoding, 'often')
  compressed.set(encoding, making)
  const made = await making.catch(() => undefined)
  if (made !== undefined) return [encoding, made]
  compressed.delete(encoding)
  return ['identity', body]
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
  body,
  etag,
  headers,
  compressed: new Map(),
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
