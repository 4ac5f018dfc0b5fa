import type { VisitorQuery } from '../../../../platform/http/lists/visitor-query.ts'
import { HTML_TYPE } from '../../../../platform/pages/index.ts'
import type { Facts } from '../../decisions/index.ts'
import type { Gs1Address } from '../address.ts'
import type { Situation } from '../decide.ts'
import { showFailure, showNotice } from '../notices.ts'
import type { Resolved } from '../resolve.ts'
import type { ScanRequest } from '../respond.ts'
import { compressedPath } from './compressed.ts'
import type { LinkDecision, Linkset } from './decide-link.ts'
import { decideScannedLink, hasMalformedAttributes, hrefsOf, renderLinkset } from './index.ts'
import { JSON_TYPE, readLinkRequest } from './link-request.ts'
import { prefersPage, renderLinksetPage } from './linkset-page.ts'
import { CONTEXT_HEADER } from './response-headers.ts'

/** A person sees a page of links, which names who offers them. */
function showLinks(
  services: Parameters<typeof showNotice>[0],
  raw: ScanRequest,
  { links, params }: Linkset,
  { orgId, kind, id }: Resolved,
  baseUrl: string,
): void {
  const { senders, responder } = services
  senders
    .find(orgId, { kind, id }, baseUrl)
    .then((sender) => {
      const page = renderLinksetPage(links, hrefsOf(params, baseUrl), raw.request.headers['accept-language'], sender)
      responder.data(raw, HTML_TYPE, page.body, page.headers)
    })
    .catch((error: unknown) => showFailure(services, raw, error))
}

/**
 * Decides where a Digital Link leads. Responds itself to a malformed link, and to a program that asks for all links or for
 * the compressed form, which is no scan; returns undefined then.
 */
export function decideOrAnswerLink(
  services: Parameters<typeof showNotice>[0],
  raw: ScanRequest,
  address: Gs1Address,
  resolved: Resolved,
  { situation, facts, pairs }: { situation: Situation; facts: () => Facts; pairs: VisitorQuery['pairs'] },
): Exclude<LinkDecision, Linkset> | undefined {
  const { responder, publicUrl } = services
  if (hasMalformedAttributes(pairs)) {
    responder.notice(raw, 'malformed')
    return undefined
  }
  if (asksForCompression(pairs)) {
    const body = Buffer.from(JSON.stringify({ COMPRESSED_LINK: compressedPath(address, pairs) }))
    responder.data(raw, JSON_TYPE, body)
    return undefined
  }
  const linkRequest = readLinkRequest(raw.request.headers, pairs)
  const decision = decideScannedLink(address, resolved, situation, facts, linkRequest)
  if ('links' in decision) {
    const baseUrl = resolved.domainUrl ?? publicUrl
    if (prefersPage(raw.request.headers.accept)) {
      showLinks(services, raw, decision, resolved, baseUrl)
      return undefined
    }
    responder.data(raw, linkRequest.linkset ?? JSON_TYPE, renderLinkset(address, decision, baseUrl), CONTEXT_HEADER)
    return undefined
  }
  if (linkRequest.linkset === undefined || !('notice' in decision)) return decision
  showNotice(services, raw, decision.notice, resolved)
  return undefined
}

/** The parameter and the response of the open-source resolver of GS1. The standard has none. */
const asksForCompression = (pairs: VisitorQuery['pairs']): boolean =>
  pairs.some(([key, value]) => key === 'compress' && value === 'true')
