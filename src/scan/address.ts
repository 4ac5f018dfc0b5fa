import { parseDigitalLink } from '../modules/codes/gs1/index.ts'
import { SLUG_PATTERN } from '../modules/codes/scan-targets/index.ts'

/** The qualifiers of a GS1 Digital Link, beside the product number. */
interface Gs1 {
  cpv: string | null
  lot: string | null
  serial: string | null
}

/** The path of a scanned address, parsed. */
export type ScanAddress =
  | { kind: 'qr_code' | 'object'; slug: string }
  /** Without an organisation in the path, only a custom domain says whose product it is. */
  | { kind: 'product'; organisation: string | null; gtin: string; gs1: Gs1 }

const OBJECT = '/o/'
const PRODUCT = /^(?:\/g\/([a-z0-9-]{1,63}))?(\/01\/.+)$/

/** Whether the address can only come from a code, maybe a damaged one. Other unknown addresses are typing mistakes. */
export const isScanPath = (path: string): boolean => /^\/(?:o|g|01)\//.test(path)

/** Returns undefined for a path that no code can have. */
export function parseScanAddress(path: string): ScanAddress | undefined {
  const isObject = path.startsWith(OBJECT)
  const slug = path.slice(isObject ? OBJECT.length : 1, path.endsWith('/') ? -1 : undefined)
  if (path.startsWith('/') && SLUG_PATTERN.test(slug)) return { kind: isObject ? 'object' : 'qr_code', slug }
  const product = PRODUCT.exec(path)
  const link = product && parseDigitalLink(product[2] ?? '')
  if (!link) return undefined
  const { gtin, ...gs1 } = link
  return { kind: 'product', organisation: product[1] ?? null, gtin, gs1 }
}
