import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type DnsServer, startDnsServer } from '../../testing/world/dns-server.ts'
import { createOutboundClient, type OutboundClient } from './client.ts'
import { hostileUrls, PRIVATE_ADDRESSES } from './testing/hostile-urls.ts'
import { type Sink, startSink } from './testing/sink.ts'

/** Public addresses that no test may connect to: one configured as our own, one that DNS returns only with others. */
const OWN = '93.184.215.14'
const PUBLIC = '93.184.215.15'
const GET = { method: 'GET', timeoutMs: 10_000, bodyBytesMax: 1000, whenLarger: 'fail' } as const

let sink: Sink
let dns: DnsServer
let client: OutboundClient
let answer: (name: string, type: 'A' | 'AAAA') => string[] | undefined

beforeEach(async () => {
  sink = await startSink()
  dns = await startDnsServer((name, type) => answer(name, type))
  client = createOutboundClient({
    ports: [443, sink.port],
    devAllow: [],
    dnsServers: [dns.address],
    ownAddresses: () => [OWN],
  })
})
afterEach(async () => {
  client.close()
  await dns.close()
  await sink.close()
})

const outcome = (url: string) => client.request(url, GET).catch(({ kind, cause }) => kind ?? cause)
const byFamily = (addresses: string[], type: 'A' | 'AAAA') =>
  addresses.filter((address) => address.includes(':') === (type === 'AAAA'))

/** Connects once itself, to prove that the sink does count connections. */
async function expectNoConnections(): Promise<void> {
  const before = sink.connections()
  connect(sink.port, '127.0.0.1').on('error', () => {})
  await eventually(() => sink.connections() > before)
  expect(before).toBe(0)
  expect(sink.connections()).toBe(1)
}

test('refuses at least 200 hostile URLs and every private DNS answer, and never connects', async () => {
  const queried: string[] = []
  answer = (name, type) => {
    queried.push(name)
    return byFamily([PRIVATE_ADDRESSES[Number.parseInt(name, 10)] ?? PUBLIC], type)
  }
  const urls = hostileUrls(sink.port)
  expect(urls.length).toBeGreaterThanOrEqual(200)
  expect(new Set(await Promise.all(urls.map(outcome)))).toEqual(new Set(['refused_url']))
  expect(queried).toEqual([])
  const names = PRIVATE_ADDRESSES.map((_address, index) => `https://${index}.acme.example:${sink.port}/`)
  expect(new Set(await Promise.all(names.map(outcome)))).toEqual(new Set(['refused_address']))
  await expectNoConnections()
})

test('refuses 300 rounds of changing and mixed DNS answers, and never connects', async () => {
  const rounds: string[][] = [
    [OWN],
    ['127.0.0.1'],
    [OWN],
    ['::1'],
    [PUBLIC, '127.0.0.1'],
    ['127.0.0.1', PUBLIC],
    [PUBLIC, '::1'],
    [PUBLIC, '::ffff:127.0.0.1'],
    [PUBLIC, PUBLIC, PUBLIC, '0.0.0.0'],
    [PUBLIC, OWN],
  ]
  for (let round = 0; round < 300; round++) {
    answer = (_name, type) => byFamily(rounds[round % rounds.length]!, type)
    expect(await outcome(`https://rebind.acme.example:${sink.port}/`)).toBe('refused_address')
  }
  await expectNoConnections()
})

test.runIf(process.platform === 'linux')(
  'a listed private host is reached at its listed addresses, and DNS cannot move it to any other',
  async () => {
    // Settings cannot list loopback; here it plays the private network. Only Linux has more than one such address.
    const listed = await startSink('127.0.0.2', sink.port)
    const inside = createOutboundClient({
      ports: [443, sink.port],
      devAllow: [],
      dnsServers: [dns.address],
      ownAddresses: () => [OWN, '127.0.0.3'],
      privateHosts: [{ name: 'hooks.acme.internal', ranges: ['127.0.0.2/31'] }],
    })
    const open = (url: string) => inside.request(url, GET).catch(({ kind }) => kind)
    answer = (_name, type) => byFamily(['127.0.0.2'], type)
    expect(await open(`https://hooks.acme.internal:${sink.port}/`)).toBe('tls')
    expect(await open(`https://HOOKS.acme.internal.:${sink.port}/`)).toBe('tls')
    expect(listed.connections()).toBe(2)
    // Neither another name, nor plain HTTP, nor the address itself.
    expect(await open(`https://erp.acme.example:${sink.port}/`)).toBe('refused_address')
    for (const host of ['http://hooks.acme.internal', 'https://a.hooks.acme.internal', 'https://127.0.0.2'])
      expect(await open(`${host}:${sink.port}/`)).toBe('refused_url')
    expect(new Set(await Promise.all(hostileUrls(sink.port).map(open)))).toEqual(new Set(['refused_url']))
    const rounds = [
      ['127.0.0.1'],
      ['127.0.0.3'],
      ['127.0.0.2', '127.0.0.1'],
      ['::1', '127.0.0.2'],
      [PUBLIC, '127.0.0.2'],
    ]
    for (const addresses of [...rounds, [PUBLIC], [OWN], ['10.1.2.3'], ['169.254.169.254'], ['::ffff:127.0.0.2']]) {
      answer = (_name, type) => byFamily(addresses, type)
      expect(await open(`https://hooks.acme.internal:${sink.port}/`)).toBe('refused_address')
    }
    expect(listed.connections()).toBe(2)
    await expectNoConnections()
    inside.close()
    await listed.close()
  },
)

test('distinguishes a name without an address from one that is refused', async () => {
  answer = (name) => (name.startsWith('nowhere') ? undefined : [])
  expect(await outcome('https://nowhere.acme.example/')).toBe('dns')
  expect(await outcome('https://empty.acme.example/')).toBe('dns')
})

test('gives up on a silent name server after the timeout, or when the client closes', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const dnsServers = [`127.0.0.1:${silent.address().port}`]
  const waiting = createOutboundClient({ ports: [443], devAllow: [], dnsServers })
  await expect(waiting.request('https://acme.example/', { ...GET, timeoutMs: 100 })).rejects.toMatchObject({
    kind: 'timeout',
  })
  const queried = once(silent, 'message')
  const broken = expect(waiting.request('https://shop.acme.example/', GET)).rejects.toMatchObject({ kind: 'connect' })
  await queried
  waiting.close()
  await broken
  silent.close()
})

test.each([
  ['with the resolver of the system', () => []],
  ['with configured name servers, without a query', () => [dns.address]],
])('resolves localhost %s if devAllow lists it', async (_name, dnsServers) => {
  answer = () => undefined
  const exempt = createOutboundClient({ ports: [], devAllow: [`localhost:${sink.port}`], dnsServers: dnsServers() })
  await expect(exempt.request(`https://localhost:${sink.port}/`, GET)).rejects.toMatchObject({ kind: 'tls' })
  expect(sink.connections()).toBe(1)
  exempt.close()
})

test('the error message does not reveal the resolved address', async () => {
  answer = (_name, type) => byFamily(['10.1.2.3'], type)
  await expect(client.request('https://inside.acme.example/', GET)).rejects.toThrow(
    /^The host inside.acme.example resolves to an address that is not public$/,
  )
})
