import { hash } from 'node:crypto'
import type { OrgId } from '../../platform/ids/index.ts'

const HEX_LENGTH = 16

/**
 * Tells visitors apart for as long as the salt lives, and cannot be turned back without it. The organisation is
 * part of it, so that two of them cannot compare their visitors.
 *
 * A secret prefix, where one would expect an HMAC, because it costs less than a third and this runs for every scan. The
 * weakness that HMAC mends, extending a known digest, needs the whole digest; a quarter of it is given out.
 */
export function hashVisitor(salt: string, orgId: OrgId, address: string, userAgent: string | null): string {
  return hash('sha256', `${salt}\0${orgId}\0${address}\0${userAgent ?? ''}`).slice(0, HEX_LENGTH)
}
