import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { invalidPayload } from '../../../platform/errors/index.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const LENGTH_MAX = 253
const EXAMPLE = 'Must be a domain name such as shop.acme.com'

/** The one spelling of a domain, or the `invalid_payload` that says what is wrong with it. */
export function normaliseDomain(sent: string, ownHosts: readonly string[]): string {
  const refuse = (complaint: string) => invalidPayload({ domain: [complaint] })
  const written = sent.trim().replace(/\.$/, '')
  if (written.includes('*')) throw refuse('Must be one domain, not a wildcard')
  // Brackets and all-numeric names are addresses to a URL parser; it would rewrite them before we could tell.
  if (isIP(written.replace(/^\[|\]$/g, '')) !== 0) throw refuse('Must be a domain name, not an IP address')
  // It would also cut off at these, and the rest would be connected as if it had been meant.
  if (/[\s/\\?#@:%]/.test(written)) throw refuse(EXAMPLE)
  const ascii = domainToASCII(written.toLowerCase())
  if (isIP(ascii) !== 0) throw refuse('Must be a domain name, not an IP address')
  const { domain: apex, subdomain } = parse(ascii, { allowPrivateDomains: true, validateHostname: false })
  if (!ascii.split('.').every((label) => LABEL.test(label)) || ascii.length > LENGTH_MAX) {
    throw refuse(EXAMPLE)
  }
  if (apex === null) throw refuse('Must be a domain of your own, not a public suffix')
  const domain = subdomain === 'www' ? apex : ascii
  if (ownHosts.includes(domain)) throw refuse("Must be a domain of your own, not this service's")
  return domain
}

/** An apex cannot have a CNAME beside its other records, so it points by address. */
export const isApex = (domain: string): boolean => parse(domain, { allowPrivateDomains: true }).domain === domain
