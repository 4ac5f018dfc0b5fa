/** The pages of the service itself are on its own hosts only, and never on the domain of a customer. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, expect, test } from 'vitest'
import { isServedOnDomain } from '../../../platform/contract/reserved-words.ts'
import { scan } from '../../../testing/data/scans.ts'
import { useHarness } from '../../../testing/harness.ts'

const paths = new Set<string>()
const observe = (message: unknown) => {
  const { fastify } = message as { fastify: { addHook(name: string, hook: (route: { url: string }) => void): void } }
  fastify.addHook('onRoute', ({ url }) => void paths.add(url.replace(/:\w+|\*/g, 'x')))
}
subscribe('fastify.initialization', observe)
afterAll(() => unsubscribe('fastify.initialization', observe))

// A service without addresses in its settings has to be found under any name.
const harness = useHarness()

test('a domain shows nothing of our own pages, also if the service answers under any other name', async () => {
  const acme = await harness.createTenant()
  const { body: domain } = await acme.post('/v1/custom-domains', { domain: 'go.acme.com' })
  await harness.verifyDomain(acme, domain.id)
  const statusAt = async (host: string, path: string) => (await scan(harness, path, { host })).status
  // Files of the root have a dot in their name. Everybody may ask for them.
  const ours = [...paths].filter((path) => !/^\/[^/]*\./.test(path) && !isServedOnDomain(path.slice(1)))
  expect(ours).toEqual(expect.arrayContaining(['/', '/account', '/account/x', '/docs', '/docs/x', '/docs/style.css']))
  for (const path of ours) expect([path, await statusAt('go.acme.com', path)]).toEqual([path, 404])
  for (const host of ['127.0.0.1', 'waymark.internal', 'localhost'])
    for (const path of ['/docs', '/docs/domains', '/account/sign-in'])
      expect([host, path, await statusAt(host, path)]).toEqual([host, path, 200])
})
