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
    const hops = [own(request), ...forwarded(request)]
    return hops.find((address) => !isTrusted(address)) ?? hops.at(-1) ?? ''
  }
}

/** The nearest first. Beyond what is no address it is not known who wrote the rest: anybody can send such a header. */
function forwarded({ headers }: IncomingMessage): string[] {
  const written = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .reverse()
  const end = written.findIndex((address) => isIP(address) === 0)
  return end === -1 ? written : written.slice(0, end)
}

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
