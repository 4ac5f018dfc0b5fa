import { normaliseGtin } from './gtin.ts'

/** A product, optionally narrowed down to a consumer product variant, a lot or a single item. */
interface DigitalLink {
  gtin: string
  cpv: string | null
  lot: string | null
  serial: string | null
}

/** GS1 prescribes this order. No segment may contain an unescaped `?`: it would start the query. */
const PATH = /^\/01\/([^/?]+)(?:\/22\/([^/?]+))?(?:\/10\/([^/?]+))?(?:\/21\/([^/?]+))?\/?$/
/** GS1's character set 82 and the maximum length of variants, lots and serial numbers. */
const VALUE = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/** Parses the path of a GS1 Digital Link, starting at `/01/`. Undefined unless the whole path is valid. */
export function parseDigitalLink(path: string): DigitalLink | undefined {
  const match = PATH.exec(path)
  if (match === null) return undefined
  const [gtin, cpv, lot, serial] = match.slice(1).map(decode)
  const product = normaliseGtin(gtin ?? '')
  if (product === undefined || cpv === undefined || lot === undefined || serial === undefined) return undefined
  return { gtin: product, cpv, lot, serial }
}

export const digitalLinkPath = (gtin14: string): string => `/01/${gtin14}`

/** Null when absent, undefined when invalid. Decodes once: `%2525` becomes the three characters `%25`. */
function decode(escaped: string | undefined): string | null | undefined {
  if (escaped === undefined) return null
  try {
    const value = decodeURIComponent(escaped)
    return VALUE.test(value) ? value : undefined
  } catch {
    return undefined
  }
}
