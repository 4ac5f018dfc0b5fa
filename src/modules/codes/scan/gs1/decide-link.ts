import type { LinkType } from '../../gs1/index.ts'
import type { TargetRule } from '../../scan-targets/index.ts'
import { decide, type ScanDecision } from '../decide.ts'
import { chooseLink } from './choose-link.ts'
import type { LinkRequest } from './link-request.ts'
import { type LinkScope, linksFor, type OfferedLink } from './offered-links.ts'

/** All links of what was scanned, for a program. */
export interface Linkset {
  links: readonly OfferedLink[]
  params: TargetRule['params']
}

/** Adds two outcomes to those of any scan: all links, and no link of the requested type. */
export type LinkDecision = ScanDecision | { notice: 'no_link' } | Linkset

/**
 * Decides about a scanned GS1 Digital Link. A product that has links but no destination is set up. A paused one does not
 * tell its links.
 */
export function decideLink(
  rule: TargetRule | null,
  links: readonly OfferedLink[],
  destinationType: LinkType,
  scope: LinkScope,
  linkRequest: LinkRequest,
): LinkDecision {
  const decision = decide(rule, null)
  const isPlain = linkRequest.linkset === undefined && linkRequest.linkType === undefined
  // Nearly every scan: there is nothing to choose from.
  if (rule === null || (isPlain && links.length === 0)) return decision
  if ('notice' in decision && decision.notice === 'paused') {
    return linkRequest.linkset === undefined ? decision : { notice: 'no_link' }
  }
  const destination = 'destination' in decision ? decision.destination : null
  const offered = linksFor(links, destination, destinationType, scope)
  if (offered.length === 0) return isPlain ? decision : { notice: 'no_link' }
  if (linkRequest.linkset !== undefined) return { links: offered, params: rule.params }
  const chosen = chooseLink(offered, linkRequest)
  return chosen === undefined ? { notice: 'no_link' } : { destination: chosen.destination, params: [rule.params] }
}
