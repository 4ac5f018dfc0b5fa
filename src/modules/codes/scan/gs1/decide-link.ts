import type { Facts } from '../../decisions/index.ts'
import type { FillAddress, LinkType } from '../../gs1/index.ts'
import type { TargetSetup } from '../../scan-targets/index.ts'
import { decide, decideWithoutRules, isPaused, matchRules, type ScanDecision, type Situation } from '../decide.ts'
import { chooseLink } from './choose-link.ts'
import { JSON_TYPE, type LinkRequest } from './link-request.ts'
import { isSameScope, type LinkScope, linksFor, type OfferedLink, WHOLE } from './offered-links.ts'

/** All links of what was scanned, for a program. */
export interface Linkset {
  links: readonly OfferedLink[]
  params: TargetSetup['params']
}

/** Adds two outcomes to those of any scan: all links, and no link of the requested type. */
export type LinkDecision = ScanDecision | { notice: 'no_link' } | Linkset

/**
 * Decides about a scanned GS1 Digital Link: by its status, by the type of link that was asked for, by the lot or item that links
 * are for, by rules, and then by the default link. A product that has links but no destination is set up. A paused one does not
 * tell its links.
 */
export function decideLink(
  situation: Situation,
  facts: () => Facts,
  links: readonly OfferedLink[],
  destinationType: LinkType,
  scope: LinkScope,
  linkRequest: LinkRequest,
  fill: FillAddress,
): LinkDecision {
  const { setup } = situation
  const asksForLinkset = linkRequest.linkset !== undefined || linkRequest.prefersJson
  const isPlain = !asksForLinkset && linkRequest.linkType === undefined
  // Nearly every scan: there is nothing to choose from.
  if (setup === null || (isPlain && links.length === 0)) return filled(decide(situation, facts), fill)
  if (isPaused(setup)) return { notice: asksForLinkset ? 'no_link' : 'paused' }
  const present = { ...situation, setup }
  const decision = filled(decideWithoutRules(present), fill)
  const destination = 'destination' in decision ? decision.destination : null
  const offered = linksFor(links, destination, destinationType, scope, fill)
  const chosen = chooseLink(offered, linkRequest)
  const isForOne = chosen !== undefined && !isSameScope(chosen, WHOLE)
  const ruled = isPlain && !isForOne ? matchRules(present, facts) : undefined
  if (ruled !== undefined) return filled(ruled, fill)
  if (offered.length === 0) return isPlain ? decision : { notice: 'no_link' }
  if (linkRequest.linkset !== undefined) return { links: offered, params: setup.params }
  if (chosen === undefined) return { notice: 'no_link' }
  if (linkRequest.prefersJson && chosen.mediaType !== JSON_TYPE) return { links: offered, params: setup.params }
  return { destination: chosen.destination, params: [setup.params], link: chosen }
}

/** The destination is all that there is, so a placeholder without a value is left out. */
function filled(decision: ScanDecision, fill: FillAddress): ScanDecision {
  if (!('destination' in decision) || decision.destination.type !== 'url') return decision
  const { destination } = decision
  const address = fill(destination.address, '') ?? destination.address
  return address === destination.address ? decision : { ...decision, destination: { ...destination, address } }
}
