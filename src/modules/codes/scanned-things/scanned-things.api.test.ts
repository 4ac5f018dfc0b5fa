import { expect, test } from 'vitest'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { findFacts, findShownThing, type ScannedThing } from './index.ts'

const harness = useHarness({ role: 'api' })

const factsOf = async (orgId: OrgId, kind: ScannedThing['kind'], id: string) =>
  Object.fromEntries(await findFacts(harness.service.database.read, orgId, { kind, id }))

async function create(tenant: Tenant, path: string, body: object): Promise<string> {
  const reply = await tenant.post(`/v1/${path}`, body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body.id
}

test('the facts of an object, a product and a code have their names and properties', async () => {
  const acme = await harness.createTenant()
  const properties = [
    { key: 'serial.number', value: 'A-1 🏭' },
    { key: 'note', value: '<b>' },
  ]
  const object = await create(acme, 'objects', { type: 'press', name: 'Press 4', external_id: 'p-4', properties })
  expect(await factsOf(acme.orgId, 'object', object)).toEqual({
    'object.name': 'Press 4',
    'object.type': 'press',
    'object.external_id': 'p-4',
    'object.properties.serial.number': 'A-1 🏭',
    'object.properties.note': '<b>',
  })
  const product = await create(acme, 'products', { name: 'Oil', gtin: '9506000134352' })
  await acme.put(`/v1/products/${product}/properties`, { properties: [{ key: 'size', value: 'L' }] })
  expect(await factsOf(acme.orgId, 'product', product)).toEqual({
    'product.name': 'Oil',
    'product.gtin': '09506000134352',
    'product.properties.size': 'L',
  })
  const code = await create(acme, 'qr-codes', { name: 'Door' })
  expect(await factsOf(acme.orgId, 'qr_code', code)).toEqual({ 'qr_code.name': 'Door' })
})

test("values that are missing, deleted things and another organisation's things have no facts", async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const object = await create(acme, 'objects', { type: 'press' })
  expect(await factsOf(acme.orgId, 'object', object)).toEqual({ 'object.type': 'press' })
  expect(await factsOf(other.orgId, 'object', object)).toEqual({})
  expect(await factsOf(acme.orgId, 'product', object)).toEqual({})
  await acme.delete(`/v1/objects/${object}`)
  expect(await factsOf(acme.orgId, 'object', object)).toEqual({})
})

test('visitors are shown the name of an object or a product, but no code, nothing without a name, and nothing of others', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const shown = (orgId: OrgId, kind: ScannedThing['kind'], id: string) =>
    findShownThing(harness.service.database.read, orgId, { kind, id })
  const object = await create(acme, 'objects', { type: 'press', name: 'Press 4', external_id: 'p-5' })
  const nameless = await create(acme, 'objects', { type: 'press', external_id: 'p-6' })
  const product = await create(acme, 'products', { name: 'Oil' })
  const code = await create(acme, 'qr-codes', { name: 'Door' })
  expect(await shown(acme.orgId, 'object', object)).toEqual({ name: 'Press 4', imageUrl: null })
  expect(await shown(acme.orgId, 'product', product)).toEqual({ name: 'Oil', imageUrl: null })
  for (const [orgId, kind, id] of [
    [acme.orgId, 'object', nameless],
    [acme.orgId, 'qr_code', code],
    [acme.orgId, 'product', object],
    [other.orgId, 'object', object],
    [other.orgId, 'product', product],
  ] as const)
    expect(await shown(orgId, kind, id)).toBeNull()
})
