import { Readable } from 'node:stream'
import { SLICE_BYTES } from '../../platform/http/caching/downloads.ts'
import { chooseEncoding } from '../../platform/http/caching/encoding.ts'
import { etagIn, etagOf, matchesEtag } from '../../platform/http/caching/etag.ts'
import { FixedBody } from '../../platform/http/caching/fixed-body.ts'
import type { Server } from '../../platform/http/server/server.ts'
import { respondBusy } from '../../platform/pages/index.ts'
import type { Paced } from '../../platform/rate-limit/index.ts'

/** Something that is sent to everybody in the same way. */
export interface Content {
  status: number
  type: string
  /** The same one for every response, so that clients that read slowly take no memory. */
  body: FixedBody
  etag: string
  headers: Readonly<Record<string, string>>
}

/** The URL changes with the content, so browsers may cache it for a year. */
export const CACHED = { 'cache-control': 'public, max-age=31536000, immutable' }

export const toContent = (type: string, body: Buffer, headers: Content['headers'] = {}, status = 200): Content => ({
  status,
  type: `${type}; charset=utf-8`,
  body: new FixedBody(body),
  etag: etagOf(body),
  headers,
})

/** What a request asks for. */
export interface ContentRequest {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
}

/**
 * Responds to GET and HEAD with the content, compressed as the client prefers, or with 304 if the client has it already.
 * `paced` limits what is made for each request.
 */
export function serve(
  server: Server,
  path: string,
  operation: string,
  load: (asked: ContentRequest) => Promise<Content>,
  paced?: Paced,
): void {
  server.get(path, { config: { operation } }, async (request, reply) => {
    const seconds = paced && (await server.gate?.admit(paced, request.raw, reply.raw))
    if (seconds) {
      const refused = respondBusy(request.raw, seconds)
      return reply
        .code(refused.status)
        .headers({ ...refused.headers, 'x-request-id': request.id })
        .send(refused.body)
    }
    const { status, type, body, etag: plainEtag, headers } = await load(request as ContentRequest)
    const { encoding, bytes } = await body.in(chooseEncoding(request.headers['accept-encoding']), server.compression)
    const etag = etagIn(encoding, plainEtag)
    const caching = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    reply.headers({ 'x-request-id': request.id, ...caching, ...headers })
    if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    const slices = server.downloads.pace(request.ip, Readable.from(slicesOf(bytes)))
    return reply.code(status).type(type).header('content-length', bytes.length).send(slices)
  })
}

function* slicesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES)
}

/** Makes something on the first request and keeps it. If that fails, the next request tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
