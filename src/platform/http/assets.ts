import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/index.ts'
import type { Assets } from '../files/assets.ts'
import { SLICE_BYTES } from './downloads.ts'
import type { Server } from './server.ts'

const MEDIA_TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
}
/** An id and a known extension. No other file in or outside the folder can be requested. */
const NAME = /^[0-9a-f-]{36}\.(jpg|png|webp|gif)$/

/** Names are never reused, so browsers may cache a file without revalidation. The sandbox blocks scripts. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Serves the stored files under /assets/. Files are public: the URL is enough to read one. */
export function mountAssets(server: Server, assets: Assets): void {
  server.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    config: { operation: 'assets' },
    handler: (request, reply) => serve(assets, request, reply.header('x-request-id', request.id)),
  })
}

async function serve(
  assets: Assets,
  { ip, method, params: { name } }: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [, extension] = NAME.exec(name) ?? []
  const file = extension === undefined ? undefined : await assets.open(name)
  if (extension === undefined || file === undefined)
    throw new ApiError('not_found', 'There is no file at this URL. Check the URL.')
  const { size } = await file.stat()
  reply.headers({ ...HEADERS, 'content-type': MEDIA_TYPES[extension], 'content-length': size })
  if (method !== 'HEAD') {
    const slices = file.createReadStream({ highWaterMark: SLICE_BYTES })
    return reply.send(reply.server.downloads.pace(ip, slices))
  }
  await file.close()
  return reply.send()
}
