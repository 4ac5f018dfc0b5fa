import type { VisitorQuery } from '../../../platform/http/lists/visitor-query.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import { centrePath } from '../../knowledge/public-articles/index.ts'
import type { Place } from '../destinations/index.ts'
import { publicSlugOf } from '../scan-targets/index.ts'
import { SCAN_PARAMETER, signScan } from '../scanned-things/index.ts'
import { addParams } from './add-params.ts'
import type { ScanDecision, ScanDestination } from './decide.ts'
import { showNotice } from './notices.ts'
import type { Resolved } from './resolve.ts'
import type { ScanRequest } from './respond.ts'

/** Whether visitors may see one of our own destinations, by its public slug. A promise if that must be looked up. */
export type IsOpen = Readonly<Record<Place, (publicSlug: string) => boolean | Promise<boolean>>>

type Services = Parameters<typeof showNotice>[0] & { isOpen: IsOpen; keyring: Keyring }

/** What is not published yet is not set up for visitors. The page that says so belongs to the code. */
export function redirectIfOpen(
  services: Services,
  raw: ScanRequest,
  resolved: Resolved,
  { destination, params }: Extract<ScanDecision, { destination: ScanDestination }>,
  pairs: VisitorQuery['pairs'],
  scan: { id: string; nowMs: number },
): void {
  const { isOpen, responder } = services
  const target = addParams(urlOf(services, destination, resolved, scan), params, pairs)
  const found = destination.type === 'url' || isOpen[destination.type](publicSlugOf(destination))
  if (found === true) {
    responder.redirect(raw, target, resolved.redirectStatus)
    return
  }
  Promise.resolve(found)
    // The destination explains better than a notice that the database is away.
    .catch(() => true)
    .then((isShown) => {
      if (isShown) responder.redirect(raw, target, resolved.redirectStatus)
      else showNotice(services, raw, 'not_set_up', resolved)
    })
}

/** Our own addresses get the scan: to show what was scanned, and to attribute later actions of the visitor to it. */
function urlOf(
  { keyring, publicUrl }: Services,
  destination: ScanDestination,
  { kind, id, domainUrl }: Resolved,
  scan: { id: string; nowMs: number },
): string {
  const { type, address } = destination
  if (type === 'url') return address
  // A help centre may redirect to another of its pages, and shows it there.
  const place = type === 'knowledge_base' ? centrePath(publicSlugOf(destination)) : address
  const signed = signScan(keyring, place, { scanned: { kind, id }, scanId: scan.id }, scan.nowMs)
  // The visitor stays on the domain that was scanned.
  return `${domainUrl ?? publicUrl}${address}?${SCAN_PARAMETER}=${signed}`
}
