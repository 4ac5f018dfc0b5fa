import { ApiError } from '../../../../platform/errors/index.ts'
import type { Server } from '../../../../platform/http/server/server.ts'
import { UUID_PATTERN } from '../../../../platform/ids/index.ts'
import { openAsset } from '../../../assets/assets/index.ts'
import { noticeFor } from '../notices.ts'
import type { ChatRequestServices } from '../request-services.ts'
import { passIn } from '../visit.ts'

/** Even if a browser took the file for a page, it would run no script, and not in our origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** Anything else is only downloaded, never shown. */
const SHOWN = /^(?:image|video|audio)\//

interface FileAddress {
  Params: { slug: string; id: string }
  Querystring: { k?: string }
}

/**
 * Serves the files of visitors to those who may read the conversation: the page has a signed link. A link works only while its
 * chat does, for visitors who may chat now: a password that was set since must have been entered.
 */
export function mountFiles(server: Server, services: ChatRequestServices): void {
  const { findChatbot, links, cookies, database, assets, clock } = services
  server.route<FileAddress>({
    method: 'GET',
    url: '/c/:slug/files/:id',
    config: { operation: 'chat.file' },
    handler: async ({ ip, id: requestId, raw, params: { slug, id }, query: { k } }, reply) => {
      const found = await findChatbot(slug, raw)
      const chatbot = found === undefined || found === 'gone' || noticeFor(found) !== undefined ? undefined : found
      const isKnown = chatbot !== undefined && UUID_PATTERN.test(id) && typeof k === 'string'
      const isLink = isKnown && links.verify(chatbot, id, k, clock())
      const mayRead = isLink && (await cookies.admits(chatbot, passIn(raw.headers, cookies), clock()))
      const asset = mayRead ? await openAsset(database.read, chatbot.orgId, id, assets) : undefined
      if (asset === undefined) throw new ApiError('not_found', 'There is no file at this URL. Check the URL.')
      const { file, fileName, mediaType } = asset
      reply.headers({
        'x-request-id': requestId,
        'content-type': mediaType,
        'content-length': file.sizeBytes,
        'content-security-policy': SANDBOX,
        'content-disposition': `${SHOWN.test(mediaType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(fileName)}`,
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': chatbot?.passwordHash === null ? 'private, max-age=86400, immutable' : 'private, no-store',
        'x-robots-tag': 'noindex',
      })
      return reply.send(reply.server.downloads.pace(ip, await file.read()))
    },
  })
}
