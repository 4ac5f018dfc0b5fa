/** A proxy gets certificates for verified domains and the service's own hosts, and for nothing else. */
import { expect, test } from 'vitest'
import { scan } from '../../../testing/data/scans.ts'
import { explain, firstIndex } from '../../../testing/engines/plans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({
  config: {
    appUrl: 'https://app.waymark.example',
    publicUrl: 'https://go.waymark.example',
    acceptsAnyHost: false,
    trustProxy: '192.0.2.0/24',
  },
})

const ask = async (domain: string, headers: Record<string, string> = {}) =>
  (await scan(harness, `/internal/tls-ask?domain=${encodeURIComponent(domain)}`, { host: '127.0.0.1', ...headers }))
    .status

async function connect(tenant: Tenant, domain: string) {
  const { status, body } = await tenant.post('/v1/custom-domains', { domain })
  expect(status).toBe(201)
  return body.id as string
}

test('only a verified domain is served, and no longer once it is disconnected', async () => {
  const acme = await harness.createTenant()
  const id = await connect(acme, 'id.acme.com')
  expect(await ask('id.acme.com')).toBe(404)
  await harness.verifyDomain(acme, id)
  expect(await ask('id.acme.com')).toBe(200)
  expect(await ask('ID.acme.com.')).toBe(200)
  expect(await ask('www.id.acme.com'), 'www. is only for an apex domain').toBe(404)
  expect(await ask('acme.com')).toBe(404)
  await acme.delete(`/v1/custom-domains/${id}`)
  expect(await ask('id.acme.com')).toBe(404)
})

test('www. of a verified apex domain and our own hosts are served', async () => {
  const acme = await harness.createTenant()
  await harness.verifyDomain(acme, await connect(acme, 'acme.co.uk'))
  for (const domain of ['acme.co.uk', 'www.acme.co.uk', 'app.waymark.example', 'go.waymark.example']) {
    expect(await ask(domain), domain).toBe(200)
  }
  for (const domain of ['www.www.acme.co.uk', 'co.uk', 'www.co.uk', '', 'www.', '127.0.0.1', 'a b', 'x'.repeat(300)]) {
    expect(await ask(domain), domain).toBe(404)
  }
})

test('a visitor who asks through the proxy gets 404', async () => {
  expect(await ask('go.waymark.example', { 'x-forwarded-for': '203.0.113.7' })).toBe(404)
  expect(await ask('go.waymark.example', { forwarded: 'for=203.0.113.7' })).toBe(404)
})

test('asks the database once, by an index', async () => {
  const statements = await harness.statementsOf(() => ask('never-asked.acme.com'))
  const asked = statements.filter(({ sql }) => sql.includes('"domain" in'))
  expect(asked).toHaveLength(1)
  expect(firstIndex(await explain(harness.service.database, asked[0]!))).toBe('custom_domains_verified_key')
})
