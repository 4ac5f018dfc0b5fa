import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/**
 * Returns a function that reads the address of the client, as reported by trusted proxies. `trustProxy` is true to
 * trust all proxies, false to trust none, or a list of trusted addresses and ranges.
 */
export function clientAddressReader(trustProxy: boolean | string): (request: IncomingMessage) => string {
  const peer = ({ socket }: IncomingMessage) => socket.remoteAddress ?? ''
  if (trustProxy === false) return peer
  const isTrusted = proxyMatcher(trustProxy)
  return (request) => {
    // The order is from the nearest hop to the farthest: the first one that is not a trusted proxy is the client.
    const hops = [peer(request), ...forwarded(request)]
    return hops.find((address) => !isTrusted(address)) ?? hops.at(-1) ?? ''
  }
}

/** The forwarded addresses, nearest first. Stops at the first invalid one: the entries beyond it may be forged. */
function forwarded({ headers }: IncomingMessage): string[] {
  const written = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .reverse()
  const end = written.findIndex((address) => isIP(address) === 0)
  return end === -1 ? written : written.slice(0, end)
}

/** Returns a function that says whether an address is a trusted proxy. */
export function proxyMatcher(trustProxy: boolean | string): (address: string) => boolean {
  return typeof trustProxy === 'boolean' ? () => trustProxy : toMatcher(trustProxy)
}

function toMatcher(addresses: string): (address: string) => boolean {
  const list = new BlockList()
  for (const item of addresses.split(',')) {
    const [address = '', bits] = item.trim().split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return isIP(plain) !== 0 && list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }
}
