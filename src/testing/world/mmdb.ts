/** The value of a record, limited to the types that the tests need. */
type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

/** A node of the search tree: the branches for the next bit of an address. */
type TreeNode = [TreeNode | Leaf | undefined, TreeNode | Leaf | undefined]
interface Leaf {
  value: Value
}

const SEPARATOR = Buffer.alloc(16)
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/**
 * Builds a database in MaxMind's format with 24-bit records: a tree over the bits of an address, the data that it
 * points to, and the metadata. An IPv6 file contains the IPv4 networks at the start of its address space.
 */
export function buildMmdb(networks: Readonly<Record<string, Value>>, ipVersion: 4 | 6 = 6): Buffer {
  const root: TreeNode = [undefined, undefined]
  for (const [network, value] of Object.entries(networks)) insert(root, networkBits(network, ipVersion), { value })
  const nodes = listNodes(root)
  const numbers = new Map(nodes.map((node, number) => [node, number]))
  const data: Buffer[] = []
  let dataBytes = 0
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.flat().forEach((branch, at) => {
    let record = nodes.length
    if (Array.isArray(branch)) record = numbers.get(branch)!
    else if (branch !== undefined) {
      record = nodes.length + SEPARATOR.length + dataBytes
      data.push(encode(branch.value))
      dataBytes += data.at(-1)!.length
    }
    tree.writeUIntBE(record, at * 3, 3)
  })
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_800_000_000,
    database_type: 'Test-City',
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: 24,
  })
  return Buffer.concat([tree, SEPARATOR, ...data, MARKER, metadata])
}

function insert(root: TreeNode, bits: readonly (0 | 1)[], leaf: Leaf): void {
  let node = root
  for (const bit of bits.slice(0, -1)) {
    node[bit] ??= [undefined, undefined]
    node = node[bit] as TreeNode
  }
  node[bits.at(-1)!] = leaf
}

const listNodes = (node: TreeNode): TreeNode[] => [
  node,
  ...node.flatMap((branch) => (Array.isArray(branch) ? listNodes(branch) : [])),
]

/** Returns the bits of a network such as `192.0.2.0/24` or `2001:db8::/32`. */
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

/** Three bits for the type and five for the size. Sizes above 28 would need more bytes. */
function control(type: number, size: number): Buffer {
  if (size >= 29) throw new RangeError(`size ${size} is above 28`)
  return Buffer.from([(type << 5) | size])
}
