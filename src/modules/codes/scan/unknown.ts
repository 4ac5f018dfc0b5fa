import { hostOf } from '../../../platform/http/server/host.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { isCompressedLink } from '../gs1/index.ts'
import { isGs1Path, isScanPath, parseScanAddress } from './address.ts'
import { CORS_HEADERS } from './gs1/index.ts'
import { showFailure, showNotice } from './notices.ts'
import type { ScanRequest } from './respond.ts'

type Services = Parameters<typeof showNotice>[0] & { hosts: PublicHosts }

/** Responds to a request that nothing else handles. */
export function showNotFound(services: Services, { request, response }: ScanRequest): void {
  const url = request.url ?? '/'
  const notice = refusalOf(url.split('?', 1)[0] ?? '/')
  const isRoot = url === '/' || url.startsWith('/?')
  if (notice === 'unknown' || (notice === 'not_found' && isRoot)) showUnknown(services, { request, response }, notice)
  else if (notice === 'not_found') services.responder.notice({ request, response }, notice)
  else services.responder.notice({ request, response, headers: CORS_HEADERS }, notice)
}

/** A custom domain may name an address for unknown codes. Following it is no scan, because nothing was scanned. */
export function showUnknown(services: Services, raw: ScanRequest, notice: 'unknown' | 'not_found'): void {
  const { hosts, responder } = services
  const host = hostOf(raw.request)
  const path = raw.request.url ?? '/'
  if (hosts.isOwn(host)) {
    responder.notice(raw, notice)
    return
  }
  hosts.domains
    .find(host)
    .then((domain) => {
      const url = domain?.fallbackUrl
      if (url && !leadsHere(url, host, path)) responder.redirect(raw, url)
      else if (domain) showNotice(services, raw, notice, { orgId: domain.orgId, domainUrl: domain.url })
      else responder.notice(raw, notice)
    })
    .catch((error) => showFailure(services, raw, error))
}

/** Why a path that nobody handles has no page. */
function refusalOf(path: string): 'malformed' | 'compressed' | 'unknown' | 'not_found' {
  if (isGs1Path(path) && parseScanAddress(path) === undefined) return 'malformed'
  if (isCompressedLink(path.replace(/^\/(?:g\/[a-z0-9-]{1,63}\/)?/, ''))) return 'compressed'
  return isScanPath(path) ? 'unknown' : 'not_found'
}

/** If the address for unknown codes is unknown itself, a redirect to it would never end. */
const leadsHere = (url: string, host: string, path: string): boolean => {
  const { hostname, pathname, search } = new URL(url)
  return hostname === host && pathname + search === path
}
