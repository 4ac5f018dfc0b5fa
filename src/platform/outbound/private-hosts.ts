import { BlockList, type IPVersion, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { familyOf, isOwnAddress, machineAddresses } from './address-rules.ts'
import { isHostName, type PrivateHost } from './url-rules.ts'

/** The ranges that a company uses inside. Everything else that is not public belongs to a machine or a platform. */
const COMPANY_NETWORKS: readonly string[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
]

/** Within these ranges, but clouds serve credentials there. */
const METADATA_ADDRESSES: readonly string[] = ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']

/** Means this machine, also if DNS says otherwise. */
const LOOPBACK_NAME = /(^|\.)localhost(\.localdomain)?$/

/**
 * Reads `name=address` pairs. An address may be a range, and a name may come several times. Throws an error that says what
 * is wrong with which pair.
 */
export function readPrivateHosts(pairs: readonly string[], ownAddresses = machineAddresses()): PrivateHost[] {
  const hosts = new Map<string, string[]>()
  for (const pair of pairs) {
    const [given = '', range = '', ...rest] = pair.split('=').map((part) => part.trim())
    const name = domainToASCII(given.replace(/\.$/, ''))
    if (range === '' || rest.length > 0) throw new Error(`${pair} must be a name and an address: name=address`)
    if (isIP(name) !== 0 || !isHostName(name) || LOOPBACK_NAME.test(name)) {
      throw new Error(`${given} must be a full host name such as hooks.acme.internal`)
    }
    const problem = problemOf(range, ownAddresses)
    if (problem !== undefined) throw new Error(`${range} ${problem}`)
    hosts.set(name, [...(hosts.get(name) ?? []), range])
  }
  return [...hosts].map(([name, ranges]) => ({ name, ranges }))
}

/** Whether a private host may be reached at this address. */
export const isListedAddress = ({ ranges }: PrivateHost, address: string, ownAddresses: readonly string[]): boolean =>
  !isForbidden(address, ownAddresses) && ranges.some((range) => contains(range, address))

function problemOf(range: string, ownAddresses: readonly string[]): string | undefined {
  const parsed = parse(range)
  if (parsed === undefined) return 'must be an address such as 10.1.2.3, or a range such as 10.0.0.0/8'
  const { address, bits, bitsMax } = parsed
  // Both ends: a range that begins in one of these networks could reach beyond it.
  const isInside = COMPANY_NETWORKS.some((network) => contains(network, address) && bits >= (parse(network)?.bits ?? 0))
  if (!isInside) return `is not allowed, because it is not in ${COMPANY_NETWORKS.join(', ')}`
  if (bits === bitsMax && isForbidden(address, ownAddresses)) {
    return 'is not allowed, because it is an address of this machine or of the platform that it runs on'
  }
  return undefined
}

const isForbidden = (address: string, ownAddresses: readonly string[]): boolean =>
  isOwnAddress(address, [...ownAddresses, ...METADATA_ADDRESSES])

interface Range {
  address: string
  bits: number
  bitsMax: number
  family: IPVersion
}

function parse(range: string): Range | undefined {
  const [address = '', prefix, ...rest] = range.split('/')
  const family = familyOf(address)
  if (family === undefined || rest.length > 0) return undefined
  const bitsMax = family === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? bitsMax : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  return bits < 0 || bits > bitsMax ? undefined : { address, bits, bitsMax, family }
}

function contains(range: string, address: string): boolean {
  const parsed = parse(range)
  // A BlockList also matches an IPv4-mapped IPv6 address.
  if (parsed === undefined || parsed.family !== familyOf(address)) return false
  const list = new BlockList()
  list.addSubnet(parsed.address, parsed.bits, parsed.family)
  return list.check(address, parsed.family)
}
