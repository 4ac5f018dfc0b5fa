import { expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.0/8' } })

/** Connections to PostgreSQL. As many transactions run at once. */
const CONNECTIONS = 10

const PATH = '/v1/audit-log?action=api_key.used_from_new_address&limit=100'

const callFrom = (tenant: Tenant, address: string) =>
  harness.client(tenant.apiKey).get('/v1/me', { 'x-forwarded-for': address, 'user-agent': 'Warehouse/1.0' })

/** The addresses of the entries, the newest first, when there are as many as expected. */
async function addresses(tenant: Tenant, count: number): Promise<string[]> {
  const owner = await harness.createPerson(tenant, 'owner')
  let found: string[] = []
  await eventually(async () => {
    found = (await owner.get(PATH)).body.data.map(({ address }: { address: string }) => address)
    return found.length >= count
  })
  return found
}

test('the first use of a key from another address is an entry of the audit log, and later ones are not', async () => {
  const acme = await harness.createTenant()
  await callFrom(acme, '203.0.113.7')
  await harness.restart()
  for (const address of ['203.0.113.7', '198.51.100.9', '203.0.113.7']) await callFrom(acme, address)
  expect(await addresses(acme, 1)).toEqual(['198.51.100.9'])
  await harness.restart()
  await callFrom(acme, '203.0.113.7')
  await callFrom(acme, '192.0.2.1')
  expect(await addresses(acme, 2)).toEqual(['192.0.2.1', '198.51.100.9'])
  const owner = await harness.createPerson(acme, 'owner')
  const [entry] = (await owner.get(PATH)).body.data
  expect(entry).toMatchObject({
    actor: { type: 'api_key', id: acme.keyId, name: 'Tests' },
    resource: { type: 'api_key', id: acme.keyId },
    changes: null,
    device: 'Warehouse/1.0',
  })
})

test('an IPv6 network is one address', async () => {
  const acme = await harness.createTenant()
  for (const address of ['203.0.113.7', '2001:db8:1:2::1', '2001:db8:1:2::2']) {
    await callFrom(acme, address)
    // Waits until it is stored.
    await harness.restart()
  }
  expect(await addresses(acme, 1)).toEqual(['2001:db8:1:2::1'])
})

test('of a key that is used from everywhere, about 100 addresses are stored', async () => {
  const acme = await harness.createTenant()
  await Promise.all(Array.from({ length: 200 }, (_, n) => callFrom(acme, `198.51.100.${n}`)))
  await harness.restart()
  const rows = await harness.service.database.read
    .selectFrom('known_addresses')
    .select('address')
    .where('org_id', '=', acme.orgId)
    .execute()
  expect(rows.length).toBeGreaterThanOrEqual(100)
  expect(rows.length).toBeLessThan(100 + CONNECTIONS)
})

test('a request without a valid key is no use', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  await harness.client(`${acme.apiKey.slice(0, -1)}x`).get('/v1/me')
  await callFrom(other, '203.0.113.8')
  await harness.restart()
  await callFrom(other, '203.0.113.9')
  expect(await addresses(other, 1)).toEqual(['203.0.113.9'])
  expect(await addresses(acme, 0)).toEqual([])
})
