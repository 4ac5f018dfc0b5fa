import type { LoopTurns } from '../../../../platform/bounded/index.ts'
import type { Database } from '../../../../platform/db/index.ts'
import { hostOf } from '../../../../platform/http/server/host.ts'
import type { Server } from '../../../../platform/http/server/server.ts'
import { NOTICE_POLICY, type NoticePages } from '../../../../platform/notices/index.ts'
import {
  HTML_TYPE,
  isTemporary,
  type PageResponse,
  type RoutedRequest,
  route,
} from '../../../../platform/pages/index.ts'
import { findShownThing } from '../../../codes/scanned-things/index.ts'
import type { PublicHosts } from '../../../domains/custom-domains/index.ts'
import { findReceipt, RECEIPT_PATH } from '../../submissions/index.ts'
import { NOTICES } from '../notices.ts'
import type { PageStore } from '../page-store.ts'
import { findHelp } from './help.ts'
import { GONE } from './notice.ts'
import { chooseLanguage, renderReceipt } from './render-receipt.ts'

export interface ReceiptServices {
  database: Database
  hosts: PublicHosts
  store: PageStore
  turns: LoopTurns
}

/** The address is a secret, so nothing may keep it or pass it on. */
const PRIVATE = {
  'content-type': HTML_TYPE,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}
const RETRY = { 'retry-after': '5' }

/** Adds the pages on which visitors see what became of what they sent. */
export function mountReceipts(server: Server, services: ReceiptServices): void {
  route(server, {
    method: 'GET',
    url: `${RECEIPT_PATH}:token`,
    operation: 'page.receipt',
    respond: async (routed) => {
      try {
        return await respond(services, routed)
      } catch (error) {
        if (!isTemporary(error)) throw error
        return respondNotice(NOTICES, 'unavailable', routed, RETRY)
      }
    },
  })
}

async function respond(
  { database: { read }, hosts, store, turns }: ReceiptServices,
  routed: RoutedRequest,
): Promise<PageResponse> {
  const { request, params, query } = routed
  const found = await findReceipt(read, params.token ?? '')
  const receipt = found && (await hosts.showing(hostOf(request), found))
  if (typeof receipt !== 'object') return respondNotice(GONE, 'gone', routed)
  const { orgId, publicSlug } = receipt
  request.loggedAs = { orgId }
  const page = publicSlug === null ? undefined : await store.find(publicSlug)
  const [help, thing] = await Promise.all([
    findHelp(read, orgId),
    receipt.scanned && findShownThing(read, orgId, receipt.scanned),
  ])
  await turns.wait(orgId)
  const language = chooseLanguage(receipt, query.get('lang'), request.headers['accept-language'])
  const shown = { receipt, page: typeof page === 'object' ? page : undefined, help, thing }
  const { body, policy } = renderReceipt(shown, language)
  const headers = { ...PRIVATE, 'content-language': language, vary: 'accept-language' }
  return { status: 200, headers: { ...headers, 'content-security-policy': policy }, body }
}

function respondNotice<Kind extends string>(
  notices: NoticePages<Kind>,
  kind: Kind,
  { request }: RoutedRequest,
  headers: Record<string, string> = {},
): PageResponse {
  request.loggedAs = { ...request.loggedAs, error: kind }
  const { status, language, body } = notices.get(kind, request.headers['accept-language'])
  const all = { ...PRIVATE, ...headers, 'content-language': language, 'content-security-policy': NOTICE_POLICY }
  return { status, headers: all, body: body.plain.bytes.toString() }
}
