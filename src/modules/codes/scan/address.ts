import { isServedOnDomain, RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'
import {
  type DigitalLink,
  linkPath,
  type ProductQualifiers,
  parseDigitalLink,
  startsWithPrimaryKey,
  toProductQualifiers,
} from '../gs1/index.ts'
import { CHOSEN_SLUG, DOMAIN_SLUG, DOMAIN_SLUG_LENGTH_MAX, SLUG_PATTERN } from '../scan-targets/index.ts'

/** The path of a scanned address, parsed. */
export type ScanAddress = { kind: 'qr_code' | 'object'; slug: string } | Gs1Address

/** Without an organisation in the path, only a custom domain says whose product or object it is. */
export type Gs1Address = { organisation: string | null; link: DigitalLink } & (
  | { kind: 'product'; gtin: string; gs1: ProductQualifiers }
  /** `whole` is the key without its qualifiers, in case there is no object for exactly this one. */
  | { kind: 'object'; gs1Key: string; whole: Gs1Address | null }
)

const OBJECT = '/o/'
const GS1 = /^(?:\/g\/([a-z0-9-]{1,63}))?(\/\d{2,4}\/.+)$/

/** Whether the address can only come from a code, maybe a damaged one. Other unknown addresses are typing mistakes. */
export const isScanPath = (path: string): boolean => /^\/[og]\//.test(path) || startsWithPrimaryKey(path)

/** Whether the path begins as a GS1 Digital Link. If it cannot be parsed, the link is malformed. */
export const isGs1Path = (path: string): boolean => startsWithPrimaryKey(GS1.exec(path)?.[2] ?? '')

export const isGs1Address = (address: ScanAddress): address is Gs1Address => 'organisation' in address

/** Returns undefined for a path that no code can have. `isOwnHost` is asked only if that depends on the host. */
export function parseScanAddress(path: string, isOwnHost: () => boolean): ScanAddress | undefined {
  const isObject = path.startsWith(OBJECT) && path !== OBJECT
  const slug = path.slice(isObject ? OBJECT.length : 1, path.endsWith('/') ? -1 : undefined)
  if (path.startsWith('/') && SLUG_PATTERN.test(slug) && (isObject || !RESERVED_WORDS.has(slug)))
    return { kind: isObject ? 'object' : 'qr_code', slug }
  const gs1 = GS1.exec(path)
  const link = gs1 && parseDigitalLink(gs1[2] ?? '')
  if (link) return toGs1Address(link, gs1[1] ?? null)
  const isChosen = path.startsWith('/') && !isObject && !isGs1Path(path) && canBeChosen(slug, isOwnHost)
  return isChosen ? { kind: 'qr_code', slug } : undefined
}

/** On a custom domain, only what the domain itself has is no slug. */
function canBeChosen(slug: string, isOwnHost: () => boolean): boolean {
  if (!DOMAIN_SLUG.test(slug) || slug.length > DOMAIN_SLUG_LENGTH_MAX) return false
  if (CHOSEN_SLUG.test(slug) && !RESERVED_WORDS.has(slug)) return true
  return !isServedOnDomain(slug) && !isOwnHost()
}

export function toGs1Address(link: DigitalLink, organisation: string | null): Gs1Address {
  if (link.key === '01')
    return { kind: 'product', organisation, link, gtin: link.value, gs1: toProductQualifiers(link) }
  const whole = link.qualifiers.length === 0 ? null : toGs1Address({ ...link, qualifiers: [] }, organisation)
  return { kind: 'object', organisation, link, gs1Key: linkPath(link).slice(1), whole }
}
