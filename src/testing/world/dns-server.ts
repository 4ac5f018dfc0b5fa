import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** As a resolver wants it: `address:port`. */
  address: string
  close(): Promise<void>
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const
type RecordType = (typeof TYPES)[keyof typeof TYPES]

const HEADER_BYTES = 12
const NAME_ERROR = 3

/**
 * A name server on loopback. `answer` is asked for every query, so each can get another answer (with a TTL of 0);
 * `[]` is a name without such a record, `undefined` a name that does not exist.
 */
export async function startDnsServer(
  answer: (name: string, type: RecordType) => string[] | undefined,
): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const addresses = type === undefined ? [] : answer(name, type)
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

/** `asked` is the query's header and question; the answer repeats both, as resolvers check that it does. */
function reply(asked: Buffer, addresses: string[] | undefined): Buffer {
  const head = Buffer.from(asked)
  head.writeUInt16BE(0x8180 | (addresses === undefined ? NAME_ERROR : 0), 2)
  head.writeUInt16BE(addresses?.length ?? 0, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...(addresses ?? []).map(toRecord)])
}

function toRecord(address: string): Buffer {
  const bytes = address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number))
  const record = Buffer.alloc(HEADER_BYTES)
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0) // the name: that of the question
  record.writeUInt16BE(address.includes(':') ? 28 : 1, 2)
  record.writeUInt16BE(1, 4) // the internet
  record.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([record, bytes])
}

function ipv6Bytes(address: string): Buffer {
  // A URL parser writes an embedded IPv4 address as two groups of its own.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text = '') => text.split(':').filter((group) => group !== '')
  const tail = groups(right)
  const zeros = new Array(8 - groups(left).length - tail.length).fill('0')
  return Buffer.from([...groups(left), ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
