import { expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { findOwnTarget, gs1KeySlug, targetKey } from '../scan-targets/index.ts'

const harness = useHarness()

const KEY = '8004/9506000CHAIR0042'

const targetOf = (tenant: Tenant, slug: string) =>
  findOwnTarget(harness.service.database.read, tenant.orgId, targetKey('object', slug))
const gs1TargetOf = (tenant: Tenant, gs1Key: string) => targetOf(tenant, gs1KeySlug(tenant.orgId, gs1Key))
const find = (tenant: Tenant, gs1Key: string) => tenant.get(`/v1/objects?gs1_key=${encodeURIComponent(gs1Key)}`)

test.each([
  ['an asset', KEY, KEY],
  ['an asset with reserved characters', '8004/9506000%2fA(1)', '8004/9506000%2FA%281%29'],
  ['a returnable asset', '8003/09506000134352R1', '8003/09506000134352R1'],
  ['a location', '414/9506000134352', '414/9506000134352'],
  ['a part of a location', '414/9506000134352/254/B2/', '414/9506000134352/254/B2'],
  ['a logistic unit', '00/095060001343500002', '00/095060001343500002'],
  ['a document', '253/9506000134352D7', '253/9506000134352D7'],
  ['a component', '8010/9506000AB-1/8011/42', '8010/9506000AB-1/8011/42'],
])('%s is stored in its canonical form and found by any form', async (_name, sent, canonical) => {
  const acme = await harness.createTenant()
  const reply = await acme.post('/v1/objects', { type: 'chair', gs1_key: sent })
  expect(reply, reply.text).toMatchObject({ status: 201, body: { gs1_key: canonical } })
  for (const form of [sent, canonical])
    expect((await find(acme, form)).body).toMatchObject({ total: 1, data: [reply.body] })
  expect((await find(acme, '8004/9506000OTHER')).body).toMatchObject({ total: 0, data: [] })
  expect(await gs1TargetOf(acme, canonical)).toMatchObject({ id: reply.body.id, setup: { status: 'active' } })
})

test.each([
  ['a product', '01/09506000134352'],
  ['a wrong check digit', '414/9506000134353'],
  ['a wrong check digit of a logistic unit', '00/095060001343500003'],
  ['an unknown identifier', '8005/123456'],
  ['a value that is too long', `8004/9506000${'A'.repeat(24)}`],
  ['another character set', '8004/9506000ö'],
  ['emoji', '8004/9506000🪑'],
  ['qualifiers of another key', `${KEY}/254/B2`],
  ['a query', `${KEY}?17=261231`],
  ['a broken escape', '8004/9506000%2'],
  ['no value', '8004/'],
  ['a whole link', `https://id.acme.com/${KEY}`],
  ['an empty text', ''],
  ['a number', 8004],
])('%s returns 400 and changes nothing', async (_name, gs1_key) => {
  const acme = await harness.createTenant()
  const { body: object } = await acme.post('/v1/objects', { type: 'chair', external_id: 'chair-1' })
  for (const reply of [
    await acme.post('/v1/objects', { type: 'chair', gs1_key }),
    await acme.post('/v1/objects', { type: 'chair', external_id: 'chair-1', gs1_key }),
    await acme.patch(`/v1/objects/${object.id}`, { gs1_key }),
  ]) {
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    expect(Object.keys(reply.body.details.fieldErrors)).toEqual(['gs1_key'])
  }
  expect(await find(acme, String(gs1_key))).toMatchObject({ status: 400, body: { error: 'invalid_query' } })
  expect((await acme.get('/v1/objects')).body).toMatchObject({ total: 1, data: [object] })
})

test('scans find the object by its GS1 key with the same setup as by its slug, until it loses the key', async () => {
  const acme = await harness.createTenant()
  const url_params = [{ key: 'from', value: 'label' }]
  const destination = { url: 'https://acme.com/chairs' }
  const { body } = await acme.post('/v1/objects', { type: 'chair', gs1_key: KEY, destination, url_params })
  const path = `/v1/objects/${body.id}`
  const expectSameRule = async (gs1Key: string) => {
    const own = await targetOf(acme, body.public_slug)
    expect(own?.setup).not.toBeNull()
    expect(await gs1TargetOf(acme, gs1Key)).toEqual({ ...own, key: expect.any(String) })
  }
  await expectSameRule(KEY)
  await acme.patch(path, { is_active: false })
  await expectSameRule(KEY)
  await acme.put(`${path}/url-params`, { url_params: [] })
  await expectSameRule(KEY)

  const moved = await acme.patch(path, { gs1_key: '8004/9506000CHAIR0043' })
  expect(moved.body.gs1_key).toBe('8004/9506000CHAIR0043')
  await expectSameRule('8004/9506000CHAIR0043')
  expect((await gs1TargetOf(acme, KEY))?.setup).toBeNull()
  const { data } = (await acme.get('/v1/events?type=object.updated')).body
  expect(data[0].data.changes).toEqual({ gs1_key: { from: KEY, to: '8004/9506000CHAIR0043' } })

  const { body: next } = await acme.post('/v1/objects', { type: 'chair', gs1_key: KEY })
  expect(await gs1TargetOf(acme, KEY)).toMatchObject({ id: next.id, setup: { status: 'active' } })
  await acme.patch(`/v1/objects/${next.id}`, { gs1_key: null })
  expect((await gs1TargetOf(acme, KEY))?.setup).toBeNull()
  await acme.delete(path)
  expect((await gs1TargetOf(acme, '8004/9506000CHAIR0043'))?.setup).toBeNull()
})

test('is unique in its organisation; a conflict reports it as it was sent and changes nothing', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const { body: first } = await acme.post('/v1/objects', { type: 'chair', external_id: 'chair-1', gs1_key: KEY })
  const { body: second } = await acme.post('/v1/objects', { type: 'chair', external_id: 'chair-2' })
  const sent = KEY.replace('CHAIR', '%43HAIR')
  for (const reply of [
    await acme.post('/v1/objects', { type: 'chair', gs1_key: sent }),
    await acme.post('/v1/objects', { type: 'chair', external_id: 'chair-3', gs1_key: sent }),
    await acme.post('/v1/objects', { type: 'chair', external_id: 'chair-2', gs1_key: sent }),
    await acme.patch(`/v1/objects/${second.id}`, { gs1_key: sent }),
  ]) {
    expect(reply).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(reply.body.details).toEqual({ field: 'gs1_key', value: sent })
  }
  expect((await acme.get('/v1/objects')).body).toMatchObject({ total: 2, data: [second, first] })
  expect(await gs1TargetOf(acme, KEY)).toMatchObject({ id: first.id })
  expect(await acme.patch(`/v1/objects/${first.id}`, { gs1_key: sent })).toMatchObject({ status: 200, body: first })
  expect(await other.post('/v1/objects', { type: 'chair', gs1_key: KEY })).toMatchObject({ status: 201 })
  await acme.delete(`/v1/objects/${first.id}`)
  expect(await acme.patch(`/v1/objects/${second.id}`, { gs1_key: KEY })).toMatchObject({ status: 200 })
})

test('of concurrent requests with the same key one object gets it', async () => {
  const acme = await harness.createTenant()
  for (let round = 0; round < 3; round++) {
    const gs1_key = `8004/9506000${round}`
    const alone = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        acme.post('/v1/objects', { type: 'chair', gs1_key, ...(n % 2 === 0 && { external_id: `${round}-${n}` }) }),
      ),
    )
    expect(alone.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    // The external id says that all of them mean the same object.
    const chair = { type: 'chair', external_id: `chair-${round}`, gs1_key: `${gs1_key}T` }
    const together = await Promise.all(Array.from({ length: 5 }, () => acme.post('/v1/objects', chair)))
    expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
  }
  expect((await acme.get('/v1/objects')).body.total).toBe(6)
})
