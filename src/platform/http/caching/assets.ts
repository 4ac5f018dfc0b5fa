import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors/index.ts'
import type { AssetStore, ByteRange } from '../../files/asset-store.ts'
import type { Server } from '../server/server.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  ico: 'image/x-icon',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
}
/**
 * A hash with a random end, or an id, and a known extension. No other file in or outside the store can be requested, and
 * names of private files have another form.
 */
const NAME = new RegExp(`^(?:[0-9a-f]{64}-[0-9A-Za-z]{8}|[0-9a-f-]{36})\\.(${Object.keys(MEDIA_TYPES).join('|')})$`)
/** Anything else is only downloaded, never shown. */
const SHOWN = /^(?:image|video|audio)\/|^application\/pdf$/
const RANGE = /^bytes=(\d*)-(\d*)$/

/** Names are never reused, so browsers may cache a file without revalidation. */
const CACHED = 'public, max-age=31536000, immutable'
/** Even if a browser took the file for a page, it would run no script, and not in our origin. */
const SANDBOX = "default-src 'none'; sandbox"
/** Browsers show no PDF in a sandbox. Scripts of a PDF never run in our origin. */
const NO_SANDBOX = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"

/** Serves the stored files under /assets/. Files are public: the URL is enough to read one. */
export function mountAssets(server: Server, store: AssetStore): void {
  server.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    config: { operation: 'assets' },
    handler: (request, reply) => serve(store, request, reply.header('x-request-id', request.id)),
  })
}

async function serve(
  store: AssetStore,
  { ip, method, headers, params: { name } }: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [, extension] = NAME.exec(name) ?? []
  const file = extension === undefined ? undefined : await store.open(name)
  const mediaType = MEDIA_TYPES[extension ?? '']
  if (mediaType === undefined || file === undefined)
    throw new ApiError('not_found', 'There is no file at this URL. Check the URL.')
  const range =
    method === 'GET' && headers['if-range'] === undefined ? readRange(headers.range, file.sizeBytes) : undefined
  if (range === 'unsatisfiable') {
    await file.close()
    return reply.status(416).header('content-range', `bytes */${file.sizeBytes}`).send()
  }
  reply.headers({
    'cache-control': CACHED,
    'content-security-policy': mediaType === 'application/pdf' ? NO_SANDBOX : SANDBOX,
    'content-disposition': SHOWN.test(mediaType) ? 'inline' : 'attachment',
    'content-type': mediaType,
    'accept-ranges': 'bytes',
    'content-length': range === undefined ? file.sizeBytes : range.end - range.start + 1,
  })
  if (method === 'HEAD') {
    await file.close()
    return reply.send()
  }
  if (range !== undefined)
    reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
  return reply.send(reply.server.downloads.pace(ip, await file.read(range)))
}

/** Returns undefined for the whole file, also if the header asks for several parts, which nobody needs. */
function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const [start, end] =
    first === ''
      ? [Math.max(0, sizeBytes - Number(last)), sizeBytes - 1]
      : [Number(first), Math.min(last === '' ? Number.POSITIVE_INFINITY : Number(last), sizeBytes - 1)]
  return start <= end ? { start, end } : 'unsatisfiable'
}
