import { BlockList, type IPVersion, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The IPv4 ranges that are not public. All others are. */
const PRIVATE_IPV4 = subnets('ipv4', [
  '0.0.0.0/8', // "this network"; many systems connect to themselves
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // looks public, but is the platform service of Azure machines
  '169.254.0.0/16', // link-local, where most clouds serve credentials
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, including broadcast
])

/**
 * The only allocated part of IPv6. It excludes loopback, IPv4-mapped, NAT64, discard, segment routing, unique-local,
 * link-local, site-local and multicast, so those need no rule.
 */
const GLOBAL_IPV6 = subnets('ipv6', ['2000::/3'])

const PRIVATE_IPV6 = subnets('ipv6', [
  '2001::/23', // protocol assignments, including Teredo, which embeds an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '3fff::/20', // documentation
])

/** Whether an address is on the public internet: neither this machine nor its network. */
export function isPublicAddress(address: string, ownAddresses: readonly string[]): boolean {
  const family = familyOf(address)
  if (family === undefined || isOwnAddress(address, ownAddresses)) return false
  // Separate lists, because a BlockList also matches every IPv4 address as an IPv4-mapped IPv6 address.
  if (family === 'ipv4') return !PRIVATE_IPV4.check(address, family)
  return GLOBAL_IPV6.check(address, family) && !PRIVATE_IPV6.check(address, family)
}

function subnets(family: IPVersion, notations: readonly string[]): BlockList {
  const list = new BlockList()
  for (const notation of notations) {
    const [network = '', prefix] = notation.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** Compares by value: an IPv6 address has many notations. */
export function isOwnAddress(address: string, ownAddresses: readonly string[]): boolean {
  const list = new BlockList()
  for (const one of ownAddresses) list.addAddress(one, familyOf(one))
  return list.check(address, familyOf(address))
}

export const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))

/** Rejects an address with a zone (`…%eth0`), which would select the network interface. */
export function familyOf(address: string): IPVersion | undefined {
  if (isIPv4(address)) return 'ipv4'
  return isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined
}
