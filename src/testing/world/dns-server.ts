import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** Format `address:port`. */
  address: string
  close(): Promise<void>
}

const NUMBERS = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const
export type RecordType = keyof typeof NUMBERS

export interface DnsRecord {
  name: string
  type: RecordType
  value: string
}

const HEADER_BYTES = 12
const CODES = { found: 0, server_failure: 2, no_such_name: 3 } as const

/** `silence`: nothing is sent. */
export type DnsReply = DnsRecord[] | 'server_failure' | 'no_such_name' | 'silence'

/**
 * Starts a name server on loopback. It calls `lookUp` for every query, so each query can get a different response (with
 * a TTL of 0). `[]` means that the name has no such record, `undefined` that the name does not exist.
 */
export const startDnsServer = (
  lookUp: (name: string, type: 'A' | 'AAAA') => string[] | undefined,
): Promise<DnsServer> =>
  startNameServer((name, type) => {
    const addresses = type === 'A' || type === 'AAAA' ? lookUp(name, type) : []
    return addresses === undefined ? 'no_such_name' : addresses.map((value) => ({ name, type: typeOf(value), value }))
  })

/** The same for all types of records. */
export async function startNameServer(lookUp: (name: string, type: RecordType) => DnsReply): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const reply = type === undefined ? [] : lookUp(name, type)
    if (reply !== 'silence') socket.send(write(query.subarray(0, end), reply), port, address)
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

const typeOf = (address: string): RecordType => (address.includes(':') ? 'AAAA' : 'A')

function readQuestion(query: Buffer): { name: string; type: RecordType | undefined; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const number = query.readUInt16BE(at + 1)
  const type = (Object.keys(NUMBERS) as RecordType[]).find((one) => NUMBERS[one] === number)
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

/** `query` is the header and the question. The response repeats both, because resolvers check that. */
function write(query: Buffer, reply: Exclude<DnsReply, 'silence'>): Buffer {
  const records = Array.isArray(reply) ? reply : []
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180 | CODES[Array.isArray(reply) ? 'found' : reply], 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records.map(toRecord)])
}

function toRecord({ name, type, value }: DnsRecord): Buffer {
  const data = toData[type](value)
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(NUMBERS[type], 0)
  fields.writeUInt16BE(1, 2) // class: internet
  fields.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameBytes(name), fields, data])
}

const toData: Record<RecordType, (value: string) => Buffer> = {
  A: (address) => Buffer.from(address.split('.').map(Number)),
  AAAA: ipv6Bytes,
  CNAME: nameBytes,
  // A text is sent in parts of at most 255 bytes.
  TXT: (text) => Buffer.concat((text.match(/.{1,255}/gs) ?? ['']).map(withLength)),
}

const withLength = (text: string): Buffer => Buffer.from([text.length, ...Buffer.from(text, 'latin1')])

function nameBytes(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(withLength), Buffer.from([0])])
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser converts an embedded IPv4 address into two groups.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text = '') => text.split(':').filter((group) => group !== '')
  const tail = groups(right)
  const zeros = new Array(8 - groups(left).length - tail.length).fill('0')
  return Buffer.from([...groups(left), ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
