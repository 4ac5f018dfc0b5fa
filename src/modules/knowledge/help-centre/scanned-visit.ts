import { SECOND_MS } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import { withTimeout } from '../../../platform/db/timeout.ts'
import type { ShownThing } from '../../../platform/look/index.ts'
import { toOwnPage } from '../../../platform/pages/index.ts'
import { findShownThing, openScan, SCAN_PARAMETER, type ScannedThing } from '../../codes/scanned-things/index.ts'
import { type CentreRoute, centrePath, parseAddress } from '../public-articles/index.ts'
import type { CentrePage } from './centre-page.ts'
import type { CentreRequestServices, CentreVisit } from './centre-visit.ts'
import { findShownCentre } from './centres.ts'
import { addScanned } from './pages/layout.ts'
import { answerVisit } from './visit.ts'

/** Their responses have no header. */
const WITHOUT_HEADER: readonly CentreRoute['page'][] = ['permalink', 'feed', 'sitemap']
const READ_TIMEOUT_MS = SECOND_MS

/** What the visitor scanned to come to this help centre. It may belong to another organisation. */
export function findScanned(
  { keyring, clock }: CentreRequestServices,
  { publicSlug, path, query }: CentreVisit,
): ScannedThing | undefined {
  const signed = query?.[SCAN_PARAMETER]
  if (typeof signed !== 'string' || WITHOUT_HEADER.includes(parseAddress(path).route.page)) return undefined
  return openScan(keyring, centrePath(publicSlug), signed, clock())?.scanned
}

/**
 * The page that all visitors get, with what this one scanned in its header. Nobody else may get it. Undefined if there is nothing
 * to show of the scanned thing.
 */
export async function answerScanned(
  services: CentreRequestServices,
  visit: CentreVisit,
  scanned: ScannedThing,
): Promise<CentrePage | 'not_found' | undefined> {
  const { compression } = services
  const found = await findThing(services, visit, scanned)
  if (found === undefined) return undefined
  const { thing, orgId } = found
  visit.orgId = orgId
  const page = await answerVisit(services, { ...visit, encoding: 'identity' })
  const body = page === 'not_found' ? undefined : addScanned(page.body, thing)
  if (page === 'not_found' || body === undefined) return page
  const own = await toOwnPage(compression, page, body, { encoding: visit.encoding, owner: orgId })
  return { ...own, caching: ['cache-control', 'private, no-store'] }
}

/** Undefined also while the database is away: a page in memory is more important. */
async function findThing(
  services: CentreRequestServices,
  visit: CentreVisit,
  scanned: ScannedThing,
): Promise<{ thing: ShownThing; orgId: string } | undefined> {
  try {
    const centre = await findShownCentre(services, visit)
    if (typeof centre !== 'object') return undefined
    const { orgId } = centre
    const thing = await withTimeout(findShownThing(services.database.read, orgId, scanned), READ_TIMEOUT_MS)
    return thing === null ? undefined : { thing, orgId }
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return undefined
    throw error
  }
}
