import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DnsZone } from '../../testing/world/dns-zone.ts'
import { createDnsClient, type DnsClient } from './index.ts'

let zone: DnsZone
let dns: DnsClient
beforeAll(async () => {
  zone = await DnsZone.start()
  dns = createDnsClient([zone.address])
})
afterAll(async () => {
  dns.close()
  await zone.close()
})

test('returns the values of each type', async () => {
  zone.set('acme.com', 'A', '192.0.2.1', '192.0.2.2')
  zone.set('acme.com', 'AAAA', '2001:db8::1')
  zone.set('www.acme.com', 'CNAME', 'Shop.Acme.com')
  zone.set('_proof.acme.com', 'TXT', `long ${'x'.repeat(300)}`, 'short')
  expect(await dns.lookUp('acme.com', 'A')).toEqual({ kind: 'found', values: ['192.0.2.1', '192.0.2.2'] })
  expect(await dns.lookUp('acme.com', 'AAAA')).toEqual({ kind: 'found', values: ['2001:db8::1'] })
  expect(await dns.lookUp('www.acme.com', 'CNAME')).toEqual({ kind: 'found', values: ['shop.acme.com'] })
  const texts = [`long ${'x'.repeat(300)}`, 'short']
  expect(await dns.lookUp('_proof.acme.com', 'TXT')).toEqual({ kind: 'found', values: texts })
})

test('a name without such a record, one that does not exist and one that cannot exist have none', async () => {
  zone.set('only-a.acme.com', 'A', '192.0.2.1')
  for (const type of ['TXT', 'AAAA', 'CNAME'] as const) {
    expect(await dns.lookUp('only-a.acme.com', type)).toEqual({ kind: 'none' })
  }
  expect(await dns.lookUp('nowhere.acme.com', 'A')).toEqual({ kind: 'none' })
  expect(await dns.lookUp(`${'a.'.repeat(130)}com`, 'TXT')).toEqual({ kind: 'none' })
})

test('a server that fails, is unreachable or does not answer has failed, and a later answer is not an old one', async () => {
  zone.set('flaky.acme.com', 'A', '192.0.2.1')
  zone.fail('flaky.acme.com', 'server_failure')
  expect(await dns.lookUp('flaky.acme.com', 'A')).toMatchObject({ kind: 'failed' })
  zone.fail('flaky.acme.com', undefined)
  expect(await dns.lookUp('flaky.acme.com', 'A')).toEqual({ kind: 'found', values: ['192.0.2.1'] })
  zone.set('flaky.acme.com', 'A', '192.0.2.9')
  expect(await dns.lookUp('flaky.acme.com', 'A')).toEqual({ kind: 'found', values: ['192.0.2.9'] })

  const unreachable = createDnsClient(['127.0.0.1:1'])
  expect(await unreachable.lookUp('acme.com', 'A')).toMatchObject({ kind: 'failed' })

  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const waiting = createDnsClient([`127.0.0.1:${silent.address().port}`])
  const asked = waiting.lookUp('acme.com', 'A')
  await once(silent, 'message')
  waiting.close()
  expect(await asked).toMatchObject({ kind: 'failed' })
  silent.close()
})
