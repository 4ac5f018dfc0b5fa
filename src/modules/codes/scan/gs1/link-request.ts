import type { IncomingHttpHeaders } from 'node:http'
import { AcceptedTypes } from './media-types.ts'

/** What a client asks of a GS1 Digital Link. */
export interface LinkRequest {
  /** A link type such as `gs1:pip`. Undefined for the default link. */
  linkType: string | undefined
  acceptLanguage: string | undefined
  accept: string | undefined
  /** The media type in which it wants all links. Undefined if it wants to get to one of them. */
  linkset: typeof LINKSET_TYPE | 'application/json' | undefined
}

export const LINKSET_TYPE = 'application/linkset+json'

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
  return {
    linkType: named === undefined || named === '' ? undefined : named.replace(VOCABULARY, 'gs1:'),
    acceptLanguage: sent('lang') ?? headers['accept-language'],
    accept: sent('mediaType') ?? headers.accept,
    linkset: linksetTypeFor(named, headers.accept),
  }
}

function linksetTypeFor(linkType: string | undefined, accept: string | undefined): LinkRequest['linkset'] {
  // Nearly every visitor wants a page: do not parse for them.
  if (accept?.includes(LINKSET_TYPE)) {
    const types = new AcceptedTypes(accept)
    if (types.names(LINKSET_TYPE) && types.weightOf(LINKSET_TYPE) >= types.weightOf('text/html')) return LINKSET_TYPE
  }
  if (!LINKSET_WORDS.includes(linkType?.toLowerCase())) return undefined
  return new AcceptedTypes(accept).names('application/json') ? 'application/json' : LINKSET_TYPE
}
