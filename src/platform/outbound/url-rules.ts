import { isIP } from 'node:net'

/** A host in the operator's own network, and the only addresses that its name may resolve to. */
export interface PrivateHost {
  /** In lower case and in ASCII, as in a parsed URL. */
  name: string
  /** Addresses, or ranges such as `10.0.0.0/8`. */
  ranges: readonly string[]
}

export interface OutboundUrlRules {
  ports: readonly number[]
  /** In development, each `host:port` here is exempt from the rules on HTTPS, host, address and port. */
  devAllow: readonly string[]
  /** In production, these hosts may be private. All other rules apply to them. */
  privateHosts?: readonly PrivateHost[]
}

type CheckedUrl = { url: URL; isExempt: boolean } | { problem: string }

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const LENGTH_MAX = 253
/**
 * Names of this machine, or with a different meaning on every network. The first line is reserved for that, the second
 * is in wide use for it, and none of them is a public top-level domain.
 */
const PRIVATE_SUFFIXES = [
  ...['localhost', 'local', 'internal', 'home.arpa', 'test', 'invalid', 'onion', 'alt'],
  ...['localdomain', 'lan', 'home', 'corp', 'intranet', 'private', 'svc'],
]
const PRIVATE_NAME = new RegExp(`(^|\\.)(${PRIVATE_SUFFIXES.join('|').replaceAll('.', '\\.')})$`)
const HTTPS = 'Must be an HTTPS URL such as https://acme.com/path'

/** Returns the normalised URL to request, or a message for the customer that says what is wrong with it. */
export function checkOutboundUrl(text: string, { ports, devAllow, privateHosts = [] }: OutboundUrlRules): CheckedUrl {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  const url = URL.parse(text)
  // The URL parser drops tabs and line breaks and reads a backslash as a slash. Other parsers may not.
  if (authority === undefined || url === null || /[\p{Cc}\\]/u.test(text)) return { problem: HTTPS }
  // Checks the text, because the parser drops an empty user name.
  if (authority.includes('@')) return { problem: 'Must not contain a user name or password' }
  const isHttps = url.protocol === 'https:'
  const port = Number(url.port || (isHttps ? 443 : 80))
  if (devAllow.includes(`${url.hostname}:${port}`)) return { url, isExempt: true }
  if (!isHttps) return { problem: HTTPS }
  // Certificates do not cover a name with a final dot. Strip it before checking the host, because assigning parses it
  // again: `127.0.0.1..` is a name, but with one dot less it is an address.
  url.hostname = url.hostname.replace(/\.$/, '')
  // The parser has normalised every notation to dotted decimals: hexadecimal, one number, other scripts, escapes.
  if (url.hostname.startsWith('[') || isIP(url.hostname) !== 0) {
    return { problem: 'Must name a host such as acme.com, not an IP address' }
  }
  const isListed = privateHosts.some(({ name }) => name === url.hostname)
  if (!isListed && !isPublicName(url.hostname)) return { problem: 'Must name a public host such as acme.com' }
  if (!ports.includes(port)) return { problem: `Must use port ${ports.join(' or ')}` }
  return { url, isExempt: false }
}

const isPublicName = (name: string): boolean => isHostName(name) && !PRIVATE_NAME.test(name)

/** Whether it is well formed, with at least two labels: a single one has another meaning on every machine. */
export function isHostName(name: string): boolean {
  const labels = name.split('.')
  return labels.length >= 2 && name.length <= LENGTH_MAX && labels.every((label) => LABEL.test(label))
}
