import { LINK_TYPES, type LinkType } from '../../gs1/index.ts'
import type { ProductLinkRow } from '../../product-links/index.ts'
import type { ScanDestination } from '../decide.ts'

/** What a link is for: a product or object as a whole, one lot of it, or a single item. */
export interface LinkScope {
  lot: string | null
  serial: string | null
}

/** One of the links of what was scanned. */
export interface OfferedLink extends LinkScope {
  linkType: LinkType
  destination: ScanDestination
  title: string
  language: string | null
  mediaType: string | null
  isDefault: boolean
}

export const WHOLE: LinkScope = { lot: null, serial: null }

export const toOfferedLink = (row: ProductLinkRow): OfferedLink => ({
  linkType: row.link_type as LinkType,
  destination: { type: row.destination_type as ScanDestination['type'], id: row.destination_id, address: row.address },
  title: row.title,
  language: row.language,
  mediaType: row.media_type,
  isDefault: row.is_default,
  lot: row.lot,
  serial: row.serial,
})

/**
 * The links for a scanned lot or item, the most specific first: those for the item, for its lot, then for the product as a
 * whole. The destination is the default link of the whole, unless another link is.
 */
export function linksFor(
  links: readonly OfferedLink[],
  destination: ScanDestination | null,
  destinationType: LinkType,
  { lot, serial }: LinkScope,
): OfferedLink[] {
  const found = links.filter(
    (link) => (link.lot === null || link.lot === lot) && (link.serial === null || link.serial === serial),
  )
  if (destination !== null && !found.some((link) => link.isDefault && isSameScope(link, WHOLE))) {
    const title = LINK_TYPES[destinationType]
    found.push({
      linkType: destinationType,
      destination,
      title,
      language: null,
      mediaType: null,
      isDefault: true,
      ...WHOLE,
    })
  }
  return found.sort((a, b) => specificity(b) - specificity(a))
}

/** The default of the most specific scope that has one, else the first link. */
export const findDefault = (links: readonly OfferedLink[]): OfferedLink | undefined =>
  links.find(({ isDefault }) => isDefault) ?? links[0]

export const isSameScope = (a: LinkScope, b: LinkScope): boolean => a.lot === b.lot && a.serial === b.serial

/** The links that say the same as this one in other languages or formats, and the link itself. */
export const variantsOf = (links: readonly OfferedLink[], link: OfferedLink): OfferedLink[] =>
  links.filter((other) => other.linkType === link.linkType && isSameScope(other, link))

const specificity = ({ lot, serial }: LinkScope): number => (serial === null ? 0 : 2) + (lot === null ? 0 : 1)
