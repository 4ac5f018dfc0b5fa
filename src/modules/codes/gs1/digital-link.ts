import { normaliseGtin } from './gtin.ts'

/** A product, as narrowly as the code on it says: its variant, its lot, the single item. */
interface DigitalLink {
  gtin: string
  cpv: string | null
  lot: string | null
  serial: string | null
}

/** GS1 lays the order down, from the product to the item. A raw `?` would be the query's, not a value's. */
const PATH = /^\/01\/([^/?]+)(?:\/22\/([^/?]+))?(?:\/10\/([^/?]+))?(?:\/21\/([^/?]+))?\/?$/
/** GS1's character set 82, in which lots, serial numbers and variants are written, and their greatest length. */
const VALUE = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/** Reads the path of a GS1 Digital Link from `/01/` on; undefined for everything that is not wholly one. */
export function parseDigitalLink(path: string): DigitalLink | undefined {
  const written = PATH.exec(path)
  if (written === null) return undefined
  const [gtin, cpv, lot, serial] = written.slice(1).map(decode)
  const product = normaliseGtin(gtin ?? '')
  if (product === undefined || cpv === undefined || lot === undefined || serial === undefined) return undefined
  return { gtin: product, cpv, lot, serial }
}

export const digitalLinkPath = (gtin14: string): string => `/01/${gtin14}`

/** Null for what is absent, undefined for what is no value. Decoded once: `%2525` is the three characters `%25`. */
function decode(written: string | undefined): string | null | undefined {
  if (written === undefined) return null
  try {
    const value = decodeURIComponent(written)
    return VALUE.test(value) ? value : undefined
  } catch {
    return undefined
  }
}
