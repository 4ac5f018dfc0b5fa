import type { Facts } from '../../decisions/index.ts'
import { digitalLinkPath, fillerFor, isAiValue, isAssignedAi, type LinkType, REST } from '../../gs1/index.ts'
import { addParams } from '../add-params.ts'
import type { Gs1Address } from '../address.ts'
import type { Situation } from '../decide.ts'
import type { Resolved } from '../resolve.ts'
import { decideLink, type LinkDecision, type Linkset } from './decide-link.ts'
import type { LinkRequest } from './link-request.ts'
import { toLinkset } from './linkset.ts'
import { type LinkScope, type OfferedLink, WHOLE } from './offered-links.ts'
import { CORS_HEADERS, toLinkHeader } from './response-headers.ts'

export type { LinkDecision, Linkset } from './decide-link.ts'
export { mountResolverDescription } from './description.ts'
export type { OfferedLink } from './offered-links.ts'
export { CORS_HEADERS, METHODS_HEADER, toSameAsHeader } from './response-headers.ts'
export { toTypedLink } from './typed-number.ts'

/** What the destination of an object is, by the AI of its key. That of any other is a page about it. */
const DESTINATION_TYPES: Readonly<Record<string, LinkType>> = {
  414: 'gs1:locationInfo',
  8017: 'gs1:serviceInfo',
  8018: 'gs1:serviceInfo',
}

/** The headers of every response at the address of a GS1 Digital Link. */
export const gs1Headers = (address: Gs1Address): string[] => [...CORS_HEADERS, 'link', toLinkHeader(pathOf(address))]

export const decideScannedLink = (
  address: Gs1Address,
  { links, gs1Key }: Pick<Resolved, 'links' | 'gs1Key'>,
  situation: Situation,
  facts: () => Facts,
  linkRequest: LinkRequest,
): LinkDecision => {
  const fill = fillerFor(address.link, restOf(address, gs1Key))
  return decideLink(situation, facts, links, destinationTypeOf(address), scopeOf(address), linkRequest, fill)
}

/** What the scanned key has beyond that of its object, if that stands for many keys. */
function restOf(address: Gs1Address, found: string | null): string | undefined {
  if (address.kind === 'product' || !found?.endsWith(REST)) return undefined
  const [key = '', value = ''] = address.gs1Key.split('/', 2)
  return `${key}/${value}`.slice(found.length - REST.length)
}

/** Unknown parameters are the visitor's own, but those that GS1 has defined must have a valid value. */
export const hasMalformedAttributes = (pairs: readonly (readonly [string, string])[]): boolean =>
  pairs.some(([key, value]) => isAssignedAi(key) && !isAiValue(key, value))

/** `baseUrl` is where the address was scanned, and our own pages are. */
export function renderLinkset(address: Gs1Address, { links, params }: Linkset, baseUrl: string): Buffer {
  const linkset = toLinkset(links, (scope) => baseUrl + pathOf(address, scope), hrefsOf(params, baseUrl))
  return Buffer.from(JSON.stringify(linkset))
}

/** Where the links of a linkset lead. */
export const hrefsOf =
  (params: Linkset['params'], baseUrl: string) =>
  ({ destination: { type, address } }: OfferedLink): string =>
    addParams(type === 'url' ? address : baseUrl + address, [params], [])

const scopeOf = (address: Gs1Address): LinkScope => (address.kind === 'product' ? address.gs1 : WHOLE)

const destinationTypeOf = (address: Gs1Address): LinkType =>
  (address.kind === 'object' ? DESTINATION_TYPES[address.gs1Key.split('/', 1)[0] ?? ''] : undefined) ?? 'gs1:pip'

/** Returns the canonical path, with every reserved character escaped. */
function pathOf(address: Gs1Address, scope = scopeOf(address)): string {
  const prefix = address.organisation === null ? '' : `/g/${address.organisation}`
  return prefix + (address.kind === 'product' ? digitalLinkPath(address.gtin, scope) : `/${address.gs1Key}`)
}
