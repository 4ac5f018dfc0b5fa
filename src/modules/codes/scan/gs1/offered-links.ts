import { UNDETERMINED } from '../../../../platform/contract/languages.ts'
import { ANY, type FillAddress, LINK_TYPES, type LinkType, placeholdersOf } from '../../gs1/index.ts'
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
  /** Null if it suits readers of any language. */
  language: string | null
  mediaType: string | null
  isDefault: boolean
  /** Whether its address has placeholders, which are filled in for each scan. */
  hasPlaceholders: boolean
}

export const WHOLE: LinkScope = { lot: null, serial: null }

export const toOfferedLink = (row: ProductLinkRow): OfferedLink => ({
  linkType: row.link_type as LinkType,
  destination: { type: row.destination_type as ScanDestination['type'], id: row.destination_id, address: row.address },
  title: row.title,
  language: row.language === UNDETERMINED ? null : row.language,
  mediaType: row.media_type,
  isDefault: row.is_default,
  hasPlaceholders: row.destination_type === 'url' && placeholdersOf(row.address).length > 0,
  lot: row.lot,
  serial: row.serial,
})

/**
 * The links for a scanned lot or item, the most specific first: those for exactly this item or lot, those for any item or lot,
 * then those for the product as a whole. The destination is the default link of the whole, unless another link is. A link
 * whose placeholders cannot be filled is none.
 */
export function linksFor(
  links: readonly OfferedLink[],
  destination: ScanDestination | null,
  destinationType: LinkType,
  { lot, serial }: LinkScope,
  fill: FillAddress,
): OfferedLink[] {
  const found = links
    .filter((link) => isIn(link.lot, 'lot', lot) && isIn(link.serial, 'serial', serial))
    .sort((a, b) => specificity(b) - specificity(a))
    .flatMap((link) => {
      const address = link.hasPlaceholders ? fill(link.destination.address) : link.destination.address
      if (address === undefined) return []
      const scope = { lot: link.lot && lot, serial: link.serial && serial }
      if (!link.hasPlaceholders && isSameScope(link, scope)) return [link]
      return [{ ...link, destination: { ...link.destination, address }, ...scope }]
    })
  if (destination !== null && !found.some((link) => link.isDefault && isSameScope(link, WHOLE))) {
    const title = LINK_TYPES[destinationType]
    found.push({
      linkType: destinationType,
      destination,
      title,
      language: null,
      mediaType: null,
      isDefault: true,
      hasPlaceholders: false,
      ...WHOLE,
    })
  }
  return found
}

/** Whether the scope of a link includes what was scanned. */
const isIn = (wanted: string | null, name: keyof LinkScope, scanned: string | null): boolean =>
  wanted === null || (wanted === ANY[name] ? scanned !== null : wanted === scanned)

/** The default of the most specific scope that has one, else the first link. */
export const findDefault = (links: readonly OfferedLink[]): OfferedLink | undefined =>
  links.find(({ isDefault }) => isDefault) ?? links[0]

export const isSameScope = (a: LinkScope, b: LinkScope): boolean => a.lot === b.lot && a.serial === b.serial

/** The links that say the same as this one in other languages or formats, and the link itself. */
export const variantsOf = (links: readonly OfferedLink[], link: OfferedLink): OfferedLink[] =>
  links.filter((other) => other.linkType === link.linkType && isSameScope(other, link))

/** One lot alone is more than any item of the product. */
const specificity = ({ lot, serial }: LinkScope): number => rank(serial, 'serial', 8, 2) + rank(lot, 'lot', 4, 1)

const rank = (wanted: string | null, name: keyof LinkScope, exact: number, any: number): number =>
  wanted === null ? 0 : wanted === ANY[name] ? any : exact
