import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { invalidPayload } from '../../../platform/errors/index.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const LENGTH_MAX = 253
const EXAMPLE = 'Must be a domain name such as shop.acme.com'

/** Returns the canonical spelling of a domain. Throws `invalid_payload` with the problem if it is not accepted. */
export function normaliseDomain(sent: string, ownHosts: readonly string[]): string {
  const refuse = (problem: string) => invalidPayload({ domain: [problem] })
  const written = sent.trim().replace(/\.$/, '')
  if (written.includes('*')) throw refuse('Must be one domain, not a wildcard')
  // The URL parser would rewrite brackets and all-numeric names to IP addresses, so check them first.
  if (isIP(written.replace(/^\[|\]$/g, '')) !== 0) throw refuse('Must be a domain name, not an IP address')
  // The URL parser would cut the text at these characters, and we would connect the wrong domain.
  if (/[\s/\\?#@:%]/.test(written)) throw refuse(EXAMPLE)
  const ascii = domainToASCII(written.toLowerCase())
  if (isIP(ascii) !== 0) throw refuse('Must be a domain name, not an IP address')
  const { domain: apex, subdomain } = parse(ascii, { allowPrivateDomains: true, validateHostname: false })
  if (!ascii.split('.').every((label) => LABEL.test(label)) || ascii.length > LENGTH_MAX) {
    throw refuse(EXAMPLE)
  }
  if (apex === null) throw refuse('Must be your own domain, not a public suffix such as co.uk')
  const domain = subdomain === 'www' ? apex : ascii
  if (ownHosts.includes(domain)) throw refuse('Must be your own domain, not one of this service')
  return domain
}

/** An apex domain cannot have a CNAME next to its other records, so it needs address records. */
export const isApex = (domain: string): boolean => parse(domain, { allowPrivateDomains: true }).domain === domain

/** The apex domain that a domain belongs to. It may be the domain itself. */
export const apexOf = (domain: string): string => parse(domain, { allowPrivateDomains: true }).domain ?? domain
