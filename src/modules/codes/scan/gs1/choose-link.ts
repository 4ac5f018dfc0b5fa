import { negotiate } from '../../../../platform/text/negotiate-language.ts'
import type { LinkRequest } from './link-request.ts'
import { AcceptedTypes } from './media-types.ts'
import { findDefault, type OfferedLink, variantsOf } from './offered-links.ts'

/** A link that does not say otherwise leads to a page. */
const PAGE_TYPE = 'text/html'

/**
 * Chooses the link that a client gets: of the asked type, or the default one, in the language and then in the format that it
 * prefers. Only the most specific scope that has such links counts. `links` are the most specific first. Undefined when there
 * is no link of the asked type.
 */
export function chooseLink(links: readonly OfferedLink[], linkRequest: LinkRequest): OfferedLink | undefined {
  const { linkType } = linkRequest
  if (linkType === undefined || linkType === 'gs1:defaultLink' || linkType === 'gs1:defaultLinkMulti') {
    const link = findDefault(links)
    return link && linkType !== 'gs1:defaultLink' ? pick(variantsOf(links, link), linkRequest, link) : link
  }
  const first = links.find((link) => link.linkType === linkType)
  if (first === undefined) return undefined
  const variants = variantsOf(links, first)
  return pick(variants, linkRequest, findDefault(variants) ?? first)
}

/** Something is always chosen: `fallback`, if the client wants none of them. */
function pick(variants: readonly OfferedLink[], linkRequest: LinkRequest, fallback: OfferedLink): OfferedLink {
  if (variants.length === 1) return fallback
  const language = pickLanguage(variants, linkRequest.acceptLanguage, fallback)
  const inLanguage = variants.filter((link) => tagOf(link) === language)
  if (inLanguage.length === 1) return inLanguage[0] ?? fallback
  const types = new AcceptedTypes(linkRequest.accept)
  const weightOf = ({ mediaType }: OfferedLink) => types.weightOf(mediaType ?? PAGE_TYPE)
  const best = Math.max(...inLanguage.map(weightOf))
  const suitable = inLanguage.filter((link) => weightOf(link) === best)
  return suitable.includes(fallback) ? fallback : (suitable[0] ?? fallback)
}

const NO_TAG = ''
/** Neither a tag nor empty. */
const NOTHING = '-'

/**
 * `de` also finds a link in Austrian German, if there is none in German. A reader of none of the languages gets the link that
 * suits everybody, if there is one: a page in a wrong language is the last resort.
 */
function pickLanguage(
  variants: readonly OfferedLink[],
  acceptLanguage: string | undefined,
  fallback: OfferedLink,
): string {
  // The default comes first, so that it is what `*` gets.
  const byTag = new Map([fallback, ...variants].map((link) => [tagOf(link), tagOf(link)]))
  for (const tag of [...byTag.keys()]) {
    const [primary = ''] = tag.split('-', 1)
    if (!byTag.has(primary)) byTag.set(primary, tag)
  }
  if (!acceptLanguage) return tagOf(fallback)
  const found = byTag.get(negotiate(acceptLanguage, [...byTag.keys()], NOTHING))
  return found ?? (byTag.has(NO_TAG) ? NO_TAG : tagOf(fallback))
}

/** A link that is in no particular language has an empty tag. */
const tagOf = ({ language }: OfferedLink): string => language?.toLowerCase() ?? NO_TAG
