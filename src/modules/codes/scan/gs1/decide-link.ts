import type { FillAddress, LinkType } from '../../gs1/index.ts'
import type { TargetSetup } from '../../scan-targets/index.ts'
import { decide, type ScanDecision } from '../decide.ts'
import { chooseLink } from './choose-link.ts'
import { JSON_TYPE, type LinkRequest } from './link-request.ts'
import { type LinkScope, linksFor, type OfferedLink } from './offered-links.ts'

/** All links of what was scanned, for a program. */
export interface Linkset {
  links: readonly OfferedLink[]
  params: TargetSetup['params']
}

/** Adds two outcomes to those of any scan: all links, and no link of the requested type. */
export type LinkDecision = ScanDecision | { notice: 'no_link' } | Linkset

/**
 * Decides about a scanned GS1 Digital Link. A product that has links but no destination is set up. A paused one does not
 * tell its links.
 */
export function decideLink(
  setup: TargetSetup | null,
  links: readonly OfferedLink[],
  destinationType: LinkType,
  scope: LinkScope,
  linkRequest: LinkRequest,
  fill: FillAddress,
): LinkDecision {
  const decision = decideFilled(setup, fill)
  const asksForLinkset = linkRequest.linkset !== undefined || linkRequest.prefersJson
  const isPlain = !asksForLinkset && linkRequest.linkType === undefined
  // Nearly every scan: there is nothing to choose from.
  if (setup === null || (isPlain && links.length === 0)) return decision
  if ('notice' in decision && decision.notice === 'paused') return asksForLinkset ? { notice: 'no_link' } : decision
  const destination = 'destination' in decision ? decision.destination : null
  const offered = linksFor(links, destination, destinationType, scope, fill)
  if (offered.length === 0) return isPlain ? decision : { notice: 'no_link' }
  if (linkRequest.linkset !== undefined) return { links: offered, params: setup.params }
  const chosen = chooseLink(offered, linkRequest)
  if (chosen === undefined) return { notice: 'no_link' }
  if (linkRequest.prefersJson && chosen.mediaType !== JSON_TYPE) return { links: offered, params: setup.params }
  return { destination: chosen.destination, params: [setup.params] }
}

/** The destination is all that there is, so a placeholder without a value is left out. */
function decideFilled(setup: TargetSetup | null, fill: FillAddress): ScanDecision {
  const decision = decide(setup, null)
  if (!('destination' in decision) || decision.destination.type !== 'url') return decision
  const { destination } = decision
  const address = fill(destination.address, '') ?? destination.address
  return address === destination.address ? decision : { ...decision, destination: { ...destination, address } }
}
