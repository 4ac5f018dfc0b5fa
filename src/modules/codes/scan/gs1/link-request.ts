import type { IncomingHttpHeaders } from 'node:http'
import { AcceptedTypes } from './media-types.ts'

/** What a client asks of a GS1 Digital Link. */
export interface LinkRequest {
  /** A link type such as `gs1:pip`. Undefined for the default link. */
  linkType: string | undefined
  acceptLanguage: string | undefined
  accept: string | undefined
  /** The media type in which it wants all links. Undefined if it wants to get to one of them. */
  linkset: typeof LINKSET_TYPE | typeof JSON_TYPE | undefined
  /** Whether it gets all links unless the one for it leads to JSON. */
  prefersJson: boolean
}

export const LINKSET_TYPE = 'application/linkset+json'
export const JSON_TYPE = 'application/json'

/** `all` is what older versions of the standard called it. */
const LINKSET_WORDS: readonly (string | undefined)[] = ['linkset', 'all']
/** The namespace of the GS1 Web Vocabulary, in all spellings that the standard has used. */
const VOCABULARY = /^(?:gs1:|https?:\/\/(?:ref\.|www\.)?gs1\.org\/voc\/)?(?=\w+$)/i

export function readLinkRequest(
  headers: IncomingHttpHeaders,
  pairs: readonly (readonly [string, string])[],
): LinkRequest {
  const named = pairs.find(([key]) => key.toLowerCase() === 'linktype')?.[1]
  const sent = (name: string) => pairs.find(([key]) => key === name)?.[1]
  const asJson = prefersJson(headers.accept)
  return {
    linkType: named === undefined || named === '' ? undefined : named.replace(VOCABULARY, 'gs1:'),
    acceptLanguage: sent('lang') ?? headers['accept-language'],
    accept: sent('mediaType') ?? (asJson ? JSON_TYPE : headers.accept),
    linkset: linksetTypeFor(named, headers.accept),
    prefersJson: asJson,
  }
}

/** A program that names JSON and pages alike means pages. One that names JSON and anything else does not know what a page is. */
function prefersJson(accept: string | undefined): boolean {
  if (!accept?.includes(JSON_TYPE)) return false
  const types = new AcceptedTypes(accept)
  const [json, page] = [types.weightOf(JSON_TYPE), types.weightOf('text/html')]
  return types.names(JSON_TYPE) && (json > page || (json === page && !types.names('text/html')))
}

function linksetTypeFor(linkType: string | undefined, accept: string | undefined): LinkRequest['linkset'] {
  // Nearly every visitor wants a page: do not parse for them.
  if (accept?.includes(LINKSET_TYPE)) {
    const types = new AcceptedTypes(accept)
    if (types.names(LINKSET_TYPE) && types.weightOf(LINKSET_TYPE) >= types.weightOf('text/html')) return LINKSET_TYPE
  }
  if (!LINKSET_WORDS.includes(linkType?.toLowerCase())) return undefined
  return new AcceptedTypes(accept).names(JSON_TYPE) ? JSON_TYPE : LINKSET_TYPE
}
