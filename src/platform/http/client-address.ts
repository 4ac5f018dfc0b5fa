import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/**
 * Who asks, as far as proxies that we trust can tell. `trustProxy`: whether to trust all of them, or the addresses
 * and ranges of those that are trusted.
 */
export function clientAddressReader(trustProxy: boolean | string): (request: IncomingMessage) => string {
  const own = ({ socket }: IncomingMessage) => socket.remoteAddress ?? ''
  if (trustProxy === false) return own
  const isTrusted = trustProxy === true ? () => true : toList(trustProxy)
  return (request) => {
    // From the nearest hop to the farthest: the first that is not ours is who asked.
    const hops = [own(request), ...forwarded(request).reverse()]
    return hops.find((address) => !isTrusted(address)) ?? hops.at(-1) ?? ''
  }
}

const forwarded = ({ headers }: IncomingMessage): string[] =>
  String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => isIP(address) !== 0)

function toList(addresses: string): (address: string) => boolean {
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
