import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** In the format `address:port`. */
  address: string
  close(): Promise<void>
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const
type RecordType = (typeof TYPES)[keyof typeof TYPES]

const HEADER_BYTES = 12
const NAME_ERROR = 3

/**
 * Starts a name server on loopback. It calls `lookUp` for every query, so each query can get a different response (with
 * a TTL of 0). `[]` means that the name has no such record, `undefined` that the name does not exist.
 */
export async function startDnsServer(
  lookUp: (name: string, type: RecordType) => string[] | undefined,
): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const addresses = type === undefined ? [] : lookUp(name, type)
    socket.send(reply(query.subarray(0, end), addresses), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: RecordType | undefined; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = TYPES[query.readUInt16BE(at + 1) as keyof typeof TYPES]
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

/** `query` is the header and the question. The response repeats both, because resolvers check that. */
function reply(query: Buffer, addresses: string[] | undefined): Buffer {
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180 | (addresses === undefined ? NAME_ERROR : 0), 2)
  head.writeUInt16BE(addresses?.length ?? 0, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...(addresses ?? []).map(toRecord)])
}

function toRecord(address: string): Buffer {
  const bytes = address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number))
  const record = Buffer.alloc(HEADER_BYTES)
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0) // the same name as in the question
  record.writeUInt16BE(address.includes(':') ? 28 : 1, 2)
  record.writeUInt16BE(1, 4) // class: internet
  record.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([record, bytes])
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser converts an embedded IPv4 address into two groups.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text = '') => text.split(':').filter((group) => group !== '')
  const tail = groups(right)
  const zeros = new Array(8 - groups(left).length - tail.length).fill('0')
  return Buffer.from([...groups(left), ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
