import { randomBytes } from 'node:crypto'
import type { CustomDomain, VerificationRecord } from './contract.ts'
import { isApex } from './domain-name.ts'
import type { CustomDomainRow } from './queries.ts'

/** Announced when a domain changes, so that all processes drop their cached owner of it. */
export const DOMAINS_TOPIC = 'custom_domains'

/** Where customers point their domains: addresses, and the name of a host. */
export interface DomainTargets {
  a: string[]
  aaaa: string[]
  cname: string
}

export const ownershipRecord = ({ domain, token }: { domain: string; token: string }): VerificationRecord => ({
  type: 'TXT',
  domain: `_waymark-challenge.${domain}`,
  value: `waymark-verify=${token}`,
  reason: 'ownership',
})

/** Without configured addresses an apex domain gets a CNAME, too: many DNS providers flatten it. */
export function pointingRecords(domain: string, { a, aaaa, cname }: DomainTargets): VerificationRecord[] {
  const addresses = isApex(domain)
    ? [...a.map((value) => ({ type: 'A', value })), ...aaaa.map((value) => ({ type: 'AAAA', value }))]
    : []
  const targets = addresses.length > 0 ? addresses : [{ type: 'CNAME', value: cname }]
  return targets.map(({ type, value }) => ({ type, domain, value, reason: 'pointing' }))
}

/** 160 bits, so that the token cannot be guessed. */
const TOKEN_BYTES = 20

export const newDomainToken = (): string => randomBytes(TOKEN_BYTES).toString('hex')

export function toCustomDomain(row: CustomDomainRow, targets: DomainTargets): CustomDomain {
  const { id, domain, verified_at, wrong_since, last_checked_at, check_error, fallback_url, created_at } = row
  return {
    object: 'custom_domain',
    id,
    domain,
    verified: verified_at !== null,
    verified_at,
    wrong_since,
    last_checked_at,
    check_error,
    fallback_url,
    verification_records: verified_at === null ? [ownershipRecord(row), ...pointingRecords(domain, targets)] : [],
    created_at,
  }
}
