import { expect, test } from 'vitest'
import { DAY_MS } from '../../../platform/clock/index.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const REQUEST = '/v1/organisation/request-deletion'
const CANCEL = '/v1/organisation/cancel-deletion'

test('an owner can have the organisation deleted in 30 days, and change their mind', async () => {
  const acme = await harness.createTenant()
  const owner = await harness.createPerson(acme, 'owner')
  const before = Date.now()
  const { status, body } = await owner.post(REQUEST, { slug: acme.slug })
  expect(status).toBe(200)
  expect(Date.parse(body.deletes_at) - before).toBeGreaterThanOrEqual(30 * DAY_MS)
  expect((await owner.post(REQUEST, { slug: acme.slug })).body, 'a second request changes nothing').toEqual(body)
  expect((await acme.get('/v1/organisation')).body, 'everything keeps working').toEqual(body)
  const kept = await owner.post(CANCEL)
  expect(kept).toMatchObject({ status: 200, body: { deletes_at: null } })
  expect((await owner.post(CANCEL)).body).toEqual(kept.body)
  const entries = (await acme.get('/v1/audit-log?action=organisation.updated')).body.data
  expect(entries.map(({ actor, changes }: any) => [actor.id, Object.keys(changes)])).toEqual([
    [owner.userId, ['deletes_at']],
    [owner.userId, ['deletes_at']],
  ])
})

test('it needs the slug of this organisation', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const owner = await harness.createPerson(acme, 'owner')
  const { status, body } = await owner.post(REQUEST, { slug: other.slug })
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'unprocessable' })
  for (const tenant of [acme, other]) expect((await tenant.get('/v1/organisation')).body.deletes_at).toBeNull()
})

test('nobody else can: no admin, and no API key', async () => {
  const acme = await harness.createTenant()
  const admin = await harness.createPerson(acme, 'admin')
  for (const client of [admin, harness.client(acme.apiKey)]) {
    for (const [path, sent] of [[REQUEST, { slug: acme.slug }], [CANCEL]] as const) {
      expect((await client.post(path, sent)).status).toBe(403)
    }
  }
})
