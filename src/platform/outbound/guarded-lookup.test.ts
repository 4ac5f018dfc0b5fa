import https from 'node:https'
import { expect, test } from 'vitest'
import { startDnsServer } from '../../testing/world/dns-server.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { createResolver } from './resolver.ts'
import { startSink } from './testing/sink.ts'

// Only Linux answers on all of 127.0.0.0/8 without being told to. Here one loopback address plays the public one,
// so that a connection that is allowed can really be made.
test.runIf(process.platform === 'linux')(
  'in 300 rounds of rebinding a socket asks once and connects only to what was checked',
  async () => {
    const open = await startSink('127.0.0.1')
    const closed = await startSink('127.0.0.2', open.port)
    let queries = 0
    // Every second answer leads inside, so whoever asks twice connects to what the first answer did not say.
    const dns = await startDnsServer((_name, type) => {
      if (type === 'AAAA') return []
      return [queries++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2']
    })
    const resolver = createResolver([dns.address])
    const lookup = guardedLookup(resolver.resolve, (address) => address === '127.0.0.1')
    const agent = new https.Agent({ lookup, autoSelectFamily: true })
    const dial = () =>
      new Promise<Error>((resolve) => {
        https.get({ hostname: 'rebind.acme.example', port: open.port, agent }).on('error', resolve)
      })
    for (let round = 0; round < 150; round++) {
      expect(await dial()).toMatchObject({ code: 'ECONNRESET' })
      expect(await dial()).toMatchObject({ kind: 'refused_address' })
    }
    expect(queries).toBe(300)
    expect(open.connections()).toBe(150)
    expect(closed.connections()).toBe(0)
    resolver.close()
    await Promise.all([dns.close(), open.close(), closed.close()])
  },
)

test('one address that may not be dialled refuses them all, wherever it stands among them', async () => {
  for (const addresses of [['::1', '127.0.0.1', '127.0.0.2'], ['127.0.0.1', '::1'], ['::1']]) {
    const lookup = guardedLookup(
      async () => addresses,
      (address) => address !== '::1',
    )
    const { promise, resolve } = Promise.withResolvers<unknown[]>()
    lookup('acme.com', { all: true }, (...answer) => resolve(answer))
    expect(await promise).toEqual([expect.objectContaining({ kind: 'refused_address' }), []])
  }
})
