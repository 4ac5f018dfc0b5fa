import { BlockList, isIP } from 'node:net'

/** Addresses that every machine has for itself, and those that stand for "any address of this machine". */
const OWN = new BlockList()
OWN.addSubnet('127.0.0.0', 8)
OWN.addAddress('0.0.0.0')
OWN.addAddress('::1', 'ipv6')
OWN.addAddress('::', 'ipv6')

/** Whether a URL leads every device to itself, such as `http://localhost:8080`. Nobody who scans it gets to us. */
export function isLoopbackUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  const version = isIP(host)
  return version !== 0 && OWN.check(host, version === 6 ? 'ipv6' : 'ipv4')
}
