/** What a record of the file can hold; as much of the format as the tests need. */
type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

/** A fork of the search tree: what the next bit of an address leads to. */
type Fork = [Fork | Leaf | undefined, Fork | Leaf | undefined]
interface Leaf {
  value: Value
}

const SEPARATOR = Buffer.alloc(16)
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/**
 * A database in MaxMind's format, with 24-bit records: a tree over the bits of an address, the data it leads to,
 * and a description at the end. A file for IPv6 holds IPv4 at the start of its space.
 */
export function buildMmdb(networks: Readonly<Record<string, Value>>, ipVersion: 4 | 6 = 6): Buffer {
  const root: Fork = [undefined, undefined]
  for (const [network, value] of Object.entries(networks)) plant(root, networkBits(network, ipVersion), { value })
  const forks = listForks(root)
  const numbers = new Map(forks.map((fork, number) => [fork, number]))
  const data: Buffer[] = []
  let dataBytes = 0
  const tree = Buffer.alloc(forks.length * 6)
  forks.flat().forEach((branch, at) => {
    let record = forks.length
    if (Array.isArray(branch)) record = numbers.get(branch)!
    else if (branch !== undefined) {
      record = forks.length + SEPARATOR.length + dataBytes
      data.push(encode(branch.value))
      dataBytes += data.at(-1)!.length
    }
    tree.writeUIntBE(record, at * 3, 3)
  })
  const description = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_800_000_000,
    database_type: 'Test-City',
    ip_version: ipVersion,
    node_count: forks.length,
    record_size: 24,
  })
  return Buffer.concat([tree, SEPARATOR, ...data, MARKER, description])
}

function plant(root: Fork, bits: readonly (0 | 1)[], leaf: Leaf): void {
  let fork = root
  for (const bit of bits.slice(0, -1)) {
    fork[bit] ??= [undefined, undefined]
    fork = fork[bit] as Fork
  }
  fork[bits.at(-1)!] = leaf
}

const listForks = (fork: Fork): Fork[] => [
  fork,
  ...fork.flatMap((branch) => (Array.isArray(branch) ? listForks(branch) : [])),
]

/** The bits of a network such as `192.0.2.0/24` or `2001:db8::/32`. */
function networkBits(network: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address = '', length] = network.split('/')
  const isIPv4 = !address.includes(':')
  const bytes = isIPv4 ? address.split('.').map(Number) : ipv6Bytes(address)
  const before = isIPv4 && ipVersion === 6 ? Array<number>(12).fill(0) : []
  const bits = [...before, ...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map(Number))
  return bits.slice(0, before.length * 8 + Number(length)) as (0 | 1)[]
}

function ipv6Bytes(address: string): number[] {
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([control(7, entries.length), ...entries.flat().map((part) => encode(part as Value))])
}

/** Three bits of type, five of size; sizes from 29 on would need more bytes. */
function control(type: number, size: number): Buffer {
  if (size >= 29) throw new RangeError(`No size above 28: ${size}`)
  return Buffer.from([(type << 5) | size])
}
