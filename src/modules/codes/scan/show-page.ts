import { publicSlugOf } from '../scan-targets/index.ts'
import type { ScanDestination } from './decide.ts'
import { showFailure, showNotice } from './notices.ts'
import type { Resolved } from './resolve.ts'
import type { ScanRequest } from './respond.ts'

/**
 * Responds with one of our pages, which is at the address of the code then. If visitors may not see it, returns the notice
 * that they see instead. Throws if it cannot be loaded.
 */
export type ShowPage = (
  raw: ScanRequest,
  visit: {
    publicSlug: string
    scanned: Pick<Resolved, 'kind' | 'id'>
    scanId: string
    query: Readonly<Record<string, string>>
    path: string
  },
) => Promise<'paused' | 'not_set_up' | undefined>

export function showScannedPage(
  services: Parameters<typeof showNotice>[0] & { showPage: ShowPage },
  { request, response, headers = [] }: ScanRequest,
  resolved: Resolved,
  destination: ScanDestination,
  scanId: string,
  query: Readonly<Record<string, string>>,
): void {
  const { kind, id } = resolved
  const publicSlug = publicSlugOf(destination)
  for (let at = 0; at < headers.length; at += 2) response.appendHeader(headers[at] ?? '', headers[at + 1] ?? '')
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  services
    .showPage({ request, response }, { publicSlug, scanned: { kind, id }, scanId, query, path })
    .then((notice) => {
      if (notice !== undefined) showNotice(services, { request, response }, notice, resolved)
    })
    .catch((error) => showFailure(services, { request, response, headers }, error))
}
