import { SERVICE_WORDS } from '../../../platform/contract/reserved-words.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import { READ_METHODS } from '../../../platform/http/server/request-handler.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { forEachPlace, PLACES } from '../destinations/contract.ts'
import { isGs1Path, isScanPath, parseScanAddress } from './address.ts'
import { CORS_HEADERS, toTypedLink } from './gs1/index.ts'
import { showFailure, showNotice } from './notices.ts'
import type { ScanRequest } from './respond.ts'

type Services = Parameters<typeof showNotice>[0] & { hosts: PublicHosts }

type Refusal = 'malformed' | 'unknown' | 'not_found'

/** Addresses of pages, help centres and chats, which are printed and linked as those of codes are. */
const PLACE_PATHS = Object.values(forEachPlace((place) => PLACES[place].path))

/** Responds to a request that nothing else handles. `isSlug` says that a code could have this path. */
export function showNotFound(services: Services, { request, response }: ScanRequest, isSlug = false): void {
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2)
  const notice = refusalOf(path)
  const raw = { request, response, ...(notice === 'malformed' && { headers: CORS_HEADERS }) }
  // A malformed link is none of a code, and a GS1 resolver has to report it.
  const mayBeCode =
    isSlug || notice === 'unknown' || path === '/' || PLACE_PATHS.some((place) => path.startsWith(place))
  const typed = notice === 'malformed' ? toTypedLink(path, search) : undefined
  if (!READ_METHODS.includes(request.method ?? '')) services.responder.notice(raw, notice)
  else if (typed !== undefined) services.responder.redirect(raw, typed)
  else showUnknown(services, raw, notice, mayBeCode)
}

/**
 * A custom domain may name an address for unknown codes, or for everything unknown. Following it is no scan, because nothing
 * was scanned.
 */
export function showUnknown(services: Services, raw: ScanRequest, notice: Refusal, mayBeCode: boolean): void {
  const { hosts, responder } = services
  const host = hostOf(raw.request)
  if (hosts.isOwn(host)) {
    responder.notice(raw, notice)
    return
  }
  findFallback(hosts, host, raw.request.url ?? '/', mayBeCode)
    .then(({ domain, url }) => {
      if (url !== undefined) responder.redirect(raw, url)
      else if (domain && mayBeCode) showNotice(services, raw, notice, { orgId: domain.orgId, domainUrl: domain.url })
      else responder.notice(raw, notice)
    })
    .catch((error) => (mayBeCode ? showFailure(services, raw, error) : responder.notice(raw, notice)))
}

/** Why a path that nobody handles has no page. */
function refusalOf(path: string): Refusal {
  if (isGs1Path(path) && parseScanAddress(path, () => true) === undefined) return 'malformed'
  return isScanPath(path) ? 'unknown' : 'not_found'
}

/**
 * Who can answer at the first can prove that the domain is theirs, and no other service should. The others belong to programs
 * that mean this service.
 */
const PRIVATE = new RegExp(`^/(?:\\.well-known|${[...SERVICE_WORDS].join('|')})(?:[/?]|$)`)

/** An address that ends with a slash keeps the path and query, so that the service which had the codes before can answer. */
const keepsPath = (fallbackUrl: string): boolean => fallbackUrl.endsWith('/')

/** Finds where an unknown path of a domain leads. No address if the redirect would never end. */
async function findFallback(hosts: PublicHosts, host: string, path: string, mayBeCode: boolean) {
  const domain = await hosts.domains.find(host)
  const fallback = domain?.fallbackUrl
  if (!fallback) return { domain }
  const { hostname, pathname, search } = new URL(fallback)
  if (!keepsPath(fallback)) {
    const leadsHere = hostname === host && pathname + search === path
    return { domain, url: mayBeCode && !leadsHere ? fallback : undefined }
  }
  // The path is unknown on the same host again, and on a domain that sends everything on as this one does.
  const leadsOn = hostname === host || keepsPath((await hosts.domains.find(hostname))?.fallbackUrl ?? '')
  const isKept = !leadsOn && path.startsWith('/') && !PRIVATE.test(path)
  return { domain, url: isKept ? fallback + path.slice(1) : undefined }
}
