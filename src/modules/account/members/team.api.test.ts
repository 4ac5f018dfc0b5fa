import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Client } from '../../../testing/client.ts'
import { createAccessToken } from '../../../testing/data/access-token.ts'
import { useHarness } from '../../../testing/harness.ts'
import { getRole, ROLES } from '../roles/index.ts'
import { deactivateUser } from '../users/index.ts'

const harness = useHarness()

const roleId = (name: Parameters<typeof getRole>[0]) => getRole(name).id

test('lists the five roles, the most powerful first', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.get('/v1/team/roles')
  expect(body).toMatchObject({ object: 'list', total: 5 })
  expect(body.data.map(({ name }: any) => name)).toEqual(['owner', 'admin', 'manager', 'agent', 'member'])
  expect(body.data).toEqual(ROLES)
})

test('a member has the fields of the contract and is found by id and in the list', async () => {
  const acme = await harness.createTenant()
  const owner = await harness.createPerson(acme, 'owner')
  const { body } = await acme.get(`/v1/team/members/${owner.memberId}`)
  expect(body).toEqual({
    object: 'member',
    id: owner.memberId,
    user_id: owner.userId,
    first_name: 'Kim',
    last_name: null,
    email: owner.email,
    avatar_url: null,
    role_id: roleId('owner'),
    role: 'owner',
    joined_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await acme.get('/v1/team/members')).body).toMatchObject({ total: 1, data: [body] })
  expect(await acme.lastEvent()).toMatchObject({ type: 'member.joined', data: body })
})

test('a role can be changed, which an event tells with the old and the new one', async () => {
  const acme = await harness.createTenant()
  await harness.createPerson(acme, 'owner')
  const { memberId } = await harness.createPerson(acme, 'member')
  const { status, body } = await acme.patch(`/v1/team/members/${memberId}`, { role_id: roleId('manager') })
  expect({ status, role: body.role }).toEqual({ status: 200, role: 'manager' })
  const event = await acme.lastEvent()
  expect(event).toMatchObject({ type: 'member.role_changed', data: body })
  expect(event.data.changes.role).toEqual({ from: 'member', to: 'manager' })
  await acme.patch(`/v1/team/members/${memberId}`, { role_id: roleId('manager') })
  expect((await acme.lastEvent()).id, 'the same role again is no change').toBe(event.id)
})

test('nobody becomes an owner with an API key, and an unknown role is 422', async () => {
  const acme = await harness.createTenant()
  const { memberId } = await harness.createPerson(acme, 'admin')
  const path = `/v1/team/members/${memberId}`
  const refused = await acme.patch(path, { role_id: roleId('owner') })
  expect(refused).toMatchObject({ status: 409, body: { error: 'conflict', details: { field: 'role_id' } } })
  expect((await acme.patch(path, { role_id: memberId })).body.error).toBe('unprocessable')
  expect((await acme.get(path)).body.role).toBe('admin')
})

test('an owner is lowered or removed by an owner who has signed in recently, and by nothing else', async () => {
  const acme = await harness.createTenant()
  const admin = await harness.createPerson(acme, 'admin')
  const [first, second] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'owner')]
  const person = { orgId: acme.orgId, userId: second.userId }
  const { token } = await createAccessToken(harness.service.database, person, ['team.manage'], harness.nowMs())
  const path = `/v1/team/members/${first.memberId}`
  const attempts = async (client: Pick<Client, 'patch' | 'delete'>) => [
    await client.patch(path, { role_id: roleId('agent') }),
    await client.delete(path),
  ]
  const byKey = await attempts(harness.client(acme.apiKey))
  const byToken = await attempts(harness.client(token))
  for (const reply of [...byKey, ...byToken, ...(await attempts(admin))]) {
    expect(reply).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(reply.body.details?.required).toBeUndefined()
  }
  const making = await harness.client(acme.apiKey).patch(path.replace(first.memberId, admin.memberId), {
    role_id: roleId('owner'),
  })
  expect(making.status, 'making an owner').toBe(409)
  harness.advance(10 * MINUTE_MS)
  for (const reply of await attempts(second)) {
    expect(reply).toMatchObject({ status: 403, body: { details: { required: 'recent_sign_in' } } })
  }
  expect((await acme.get(path)).body.role).toBe('owner')
  await harness.confirmPeople(acme)
  harness.advance(1000)
  expect((await second.patch(path, { role_id: roleId('agent') })).body.role).toBe('agent')
})

test('of two owners who lower each other at once, one remains', async () => {
  const acme = await harness.createTenant()
  const [first, second] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'owner')]
  const replies = await Promise.all([
    first.patch(`/v1/team/members/${second.memberId}`, { role_id: roleId('admin') }),
    second.patch(`/v1/team/members/${first.memberId}`, { role_id: roleId('admin') }),
  ])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403])
  const { data } = (await acme.get('/v1/team/members')).body
  expect(data.map(({ role }: any) => role).sort()).toEqual(['admin', 'owner'])
})

test('who has just lost their role cannot use the moment before that is known to get it back', async () => {
  const acme = await harness.createTenant()
  const [owner, admin] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'admin')]
  using _stopped = harness.stopClock()
  expect((await admin.get('/v1/me')).status).toBe(200)
  expect((await owner.patch(`/v1/team/members/${admin.memberId}`, { role_id: roleId('member') })).status).toBe(200)
  const replies = [
    await admin.patch(`/v1/team/members/${admin.memberId}`, { role_id: roleId('admin') }),
    await admin.post('/v1/team/invitations', { email: 'new@acme.com', role_id: roleId('admin') }),
    await admin.post('/v1/api-keys', { name: 'Warehouse' }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403])
})

test('the last owner cannot be lowered or removed, even by two requests at once', async () => {
  const acme = await harness.createTenant()
  const [first, second] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'owner')]
  const replies = await Promise.all([
    first.delete(`/v1/team/members/${first.memberId}`),
    second.patch(`/v1/team/members/${second.memberId}`, { role_id: roleId('member') }),
  ])
  expect(replies.map(({ status }) => status).sort()).toEqual([expect.any(Number), 409])
  const { data } = (await acme.get('/v1/team/members')).body
  expect(data.filter(({ role }: any) => role === 'owner')).toHaveLength(1)
})

test('an owner who is deactivated does not count as another one, and can be removed', async () => {
  const acme = await harness.createTenant()
  const [first, second] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'owner')]
  const now = timestamp(harness.nowMs())
  await harness.service.database.write((tx) => deactivateUser(tx, second.userId, now, now))
  const leaving = await first.delete(`/v1/team/members/${first.memberId}`)
  expect(leaving).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('last owner who can sign in') },
  })
  const lowering = await first.patch(`/v1/team/members/${first.memberId}`, { role_id: roleId('admin') })
  expect(lowering.status).toBe(409)
  expect((await first.delete(`/v1/team/members/${second.memberId}`)).status).toBe(204)
})

test('a removed member gets 404 afterwards, an event, and is refused within a second', async () => {
  const acme = await harness.createTenant()
  await harness.createPerson(acme, 'owner')
  const agent = await harness.createPerson(acme, 'agent')
  expect((await agent.get('/v1/me')).status).toBe(200)
  expect((await acme.delete(`/v1/team/members/${agent.memberId}`)).status).toBe(204)
  expect((await acme.get(`/v1/team/members/${agent.memberId}`)).body.error).toBe('not_found')
  expect(await acme.lastEvent()).toMatchObject({ type: 'member.removed', data: { id: agent.memberId } })
  harness.advance(1000)
  expect((await agent.get('/v1/me')).body.error).toBe('forbidden')
})

test('an invitation is shown with its token once, and only while it is pending', async () => {
  const acme = await harness.createTenant()
  const admin = await harness.createPerson(acme, 'admin')
  const { status, body } = await admin.post('/v1/team/invitations', {
    email: ' New@Acme.com ',
    role_id: roleId('agent'),
  })
  expect(status).toBe(201)
  const { token, ...invitation } = body
  expect(token).toMatch(/^wmi_[0-9A-Za-z]{43}$/)
  expect(invitation).toMatchObject({
    email: 'New@Acme.com',
    role: 'agent',
    status: 'pending',
    invited_by: admin.userId,
  })
  expect((await acme.get(`/v1/team/invitations/${invitation.id}`)).body).toEqual(invitation)
  expect(await acme.lastEvent()).toMatchObject({ type: 'member.invited', data: invitation })
  harness.advance(7 * DAY_MS)
  expect((await acme.get('/v1/team/invitations')).body).toMatchObject({ total: 0, data: [] })
  expect((await acme.get(`/v1/team/invitations/${invitation.id}`)).body.error).toBe('not_found')
  const again = await acme.post('/v1/team/invitations', { email: 'new@acme.com', role_id: roleId('agent') })
  expect(again.status, 'an expired one does not stand in the way').toBe(201)
})

test('an address has one pending invitation and cannot be that of a member', async () => {
  const acme = await harness.createTenant()
  const { email } = await harness.createPerson(acme, 'member')
  const invite = (address: string) => acme.post('/v1/team/invitations', { email: address, role_id: roleId('member') })
  const replies = await Promise.all([invite('new@acme.com'), invite('NEW@acme.com')])
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await invite(email.toUpperCase())).body).toMatchObject({ error: 'conflict', details: { field: 'email' } })
})

test('nobody is invited as an owner with an API key', async () => {
  const acme = await harness.createTenant()
  const reply = await acme.post('/v1/team/invitations', { email: 'new@acme.com', role_id: roleId('owner') })
  expect(reply).toMatchObject({ status: 409, body: { details: { field: 'role_id' } } })
})

test('a revoked invitation is gone, and an event tells it', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.post('/v1/team/invitations', { email: 'new@acme.com', role_id: roleId('member') })
  expect((await acme.delete(`/v1/team/invitations/${body.id}`)).status).toBe(204)
  expect((await acme.get(`/v1/team/invitations/${body.id}`)).body.error).toBe('gone')
  expect(await acme.lastEvent()).toMatchObject({ type: 'invitation.revoked', data: { id: body.id, status: 'revoked' } })
})

test('an organisation has at most 200 pending invitations', async () => {
  const acme = await harness.createTenant()
  const invite = (n: number) =>
    acme.post('/v1/team/invitations', { email: `new-${n}@acme.com`, role_id: roleId('member') })
  for (let n = 0; n < 200; n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, i) => invite(n + i)))
  }
  expect((await invite(200)).body.error).toBe('unprocessable')
  expect((await acme.get('/v1/team/invitations')).body.total).toBe(200)
})
