import { expect, test } from 'vitest'
import { createAccessToken } from '../../../testing/data/access-token.ts'
import { type Person, useHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'
import { getRole, type RoleName } from '../roles/index.ts'

const harness = useHarness({ role: 'api' })

const role_id = (name: RoleName) => getRole(name).id

/** An admin who has created a key, and has sent invitations in all ways. */
async function busyAdmin() {
  const acme = await harness.createTenant()
  const [owner, admin] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'admin')]
  const key = (await admin.post('/v1/api-keys', { name: 'Warehouse' })).body
  const person = { orgId: acme.orgId, userId: admin.userId }
  const { token } = await createAccessToken(harness.service.database, person, ['team.manage'], harness.nowMs())
  const invitations = []
  for (const client of [admin, harness.client(key.api_key), harness.client(token)]) {
    const email = `new-${invitations.length}@acme.com`
    const { status, body } = await client.post('/v1/team/invitations', { email, role_id: role_id('admin') })
    expect(status).toBe(201)
    invitations.push(body)
  }
  return { acme, owner, admin, key, invitations }
}

const stateOf = async (owner: Person, id: string) => (await owner.get(`/v1/api-keys/${id}`)).body.state

test.each([
  ['is removed', (owner: Person, { memberId }: Person) => owner.delete(`/v1/team/members/${memberId}`)],
  [
    'gets a lower role',
    (owner: Person, { memberId }: Person) =>
      owner.patch(`/v1/team/members/${memberId}`, { role_id: role_id('manager') }),
  ],
])('when an admin %s, their invitations are revoked and their keys are paused', async (_how, lower) => {
  const { acme, owner, admin, key, invitations } = await busyAdmin()
  const kept = await owner.post('/v1/team/invitations', { email: 'kept@acme.com', role_id: role_id('agent') })
  expect((await lower(owner, admin)).status).toBeLessThan(300)
  for (const { id, token } of invitations) {
    expect((await owner.get(`/v1/team/invitations/${id}`)).body.error).toBe('gone')
    expect((await new Visitor(harness.baseUrl).open(`/account/invitation?token=${token}`)).status).toBe(404)
  }
  expect((await owner.get('/v1/team/invitations')).body.data).toMatchObject([{ id: kept.body.id }])
  expect(await stateOf(owner, key.id)).toBe('paused')
  harness.advance(1000)
  expect((await harness.client(key.api_key).get('/v1/me')).body.error).toBe('api_key_paused')
  const entries = (await owner.get('/v1/audit-log?limit=5')).body.data
  expect(entries.map(({ action }: any) => action)).toEqual(
    expect.arrayContaining(['invitation.revoked', 'api_key.updated']),
  )
  expect(entries[0].actor.id, 'by the person who removed or lowered them').toBe(owner.userId)
  const events = (await acme.get('/v1/events?type=invitation.revoked')).body.data
  expect(events.map(({ data }: any) => data.id).sort()).toEqual(invitations.map(({ id }) => id).sort())
  expect((await harness.client(acme.apiKey).get('/v1/me')).status, 'a key of nobody still works').toBe(200)
})

test('a higher role changes nothing, and a paused key can be resumed', async () => {
  const { owner, admin, key, invitations } = await busyAdmin()
  await owner.patch(`/v1/team/members/${admin.memberId}`, { role_id: role_id('owner') })
  expect(await stateOf(owner, key.id)).toBe('active')
  expect((await owner.get(`/v1/team/invitations/${invitations[0].id}`)).status).toBe(200)
  await owner.delete(`/v1/team/members/${admin.memberId}`)
  expect(await stateOf(owner, key.id)).toBe('paused')
  expect((await owner.post(`/v1/api-keys/${key.id}/resume`)).body.state).toBe('active')
})

test('a key cannot invite anybody in the moment before it is known to be paused', async () => {
  const { owner, admin, key } = await busyAdmin()
  using _stopped = harness.stopClock()
  const program = harness.client(key.api_key)
  expect((await program.get('/v1/me')).status).toBe(200)
  await owner.delete(`/v1/team/members/${admin.memberId}`)
  const late = await program.post('/v1/team/invitations', { email: 'late@acme.com', role_id: role_id('admin') })
  expect(late.status).toBe(403)
})

test('an owner sees who created a key, and that nobody is known for others', async () => {
  const { owner, admin, key } = await busyAdmin()
  const { data } = (await owner.get('/v1/api-keys')).body
  expect(data.map(({ id, created_by }: any) => [id === key.id, created_by])).toEqual([
    [true, admin.userId],
    [false, null],
  ])
})
