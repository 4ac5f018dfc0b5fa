import { announce, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { DOMAINS_TOPIC } from './stored-domain.ts'

/** Announced with a domain, so that all processes drop what they cached about the addresses of its organisation. */
export const DOMAIN_OWNERS_TOPIC = 'custom_domain_owners'

/** Call it with every change of what domains show, or of whether they show anything. */
export async function announceDomains(tx: Tx, orgId: OrgId, domains: readonly string[]): Promise<void> {
  await announce(tx, DOMAINS_TOPIC, domains)
  await announce(tx, DOMAIN_OWNERS_TOPIC, [orgId])
}
