import { describe, expect, test } from 'vitest'
import { getRole } from '../modules/account/roles/index.ts'
import { MINUTE_MS } from '../platform/clock/index.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { allOperations, exampleBody, pathTo } from '../testing/operations.ts'

const harness = useHarness({ role: 'api' })

const declaring = allOperations.filter(({ declared }) => declared.needsRecentSignIn)
const REFUSAL = {
  status: 403,
  body: {
    error: 'forbidden',
    message: 'You signed in more than 10 minutes ago. Confirm that it is you at /account/confirm, then try again.',
    details: { required: 'recent_sign_in' },
  },
}
const OWNER = getRole('owner').id

test('operations that show a secret or delete an organisation declare that they need a recent sign-in', () => {
  expect(declaring.map(({ id }) => id).sort()).toEqual([
    'api-keys.create',
    'organisation-deletion.request',
    'webhooks.create',
    'webhooks.rotateSecret',
  ])
})

test.each(declaring.map((operation) => [operation.id, operation] as const))(
  '%s needs it in a session, and not with an API key',
  async (_id, operation) => {
    const acme = await harness.createTenant()
    const owner = await harness.createPerson(acme, 'owner')
    const { method } = operation.declared
    const send = (client: { request: Tenant['request'] }) =>
      client.request(method, pathTo(operation), { body: exampleBody(operation) })
    harness.advance(10 * MINUTE_MS - 1000)
    expect((await send(owner)).status).not.toBe(403)
    harness.advance(1000)
    expect(await send(owner)).toMatchObject(REFUSAL)
    if (operation.onlyInSession) return
    expect((await send(acme)).status).not.toBe(403)
  },
)

test('it comes after the role: who may not do it at all is not asked who they are', async () => {
  const agent = await harness.createPerson(await harness.createTenant(), 'agent')
  harness.advance(10 * MINUTE_MS)
  const { body } = await agent.post('/v1/api-keys', { name: 'Warehouse' })
  expect(body.details).toEqual({ required_scope: 'team.manage' })
})

describe('an owner who has signed in recently', () => {
  test('makes a member an owner, and nobody else does', async () => {
    const acme = await harness.createTenant()
    const [owner, admin] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'admin')]
    const { memberId } = await harness.createPerson(acme, 'member')
    const makeOwner = (client: { patch: Tenant['patch'] }) =>
      client.patch(`/v1/team/members/${memberId}`, { role_id: OWNER })
    for (const client of [acme, admin]) {
      expect(await makeOwner(client)).toMatchObject({ status: 409, body: { details: { field: 'role_id' } } })
    }
    expect((await makeOwner(owner)).body.role).toBe('owner')
    expect(await acme.lastEvent()).toMatchObject({ type: 'member.role_changed', data: { role: 'owner' } })
    const { memberId: other } = await harness.createPerson(acme, 'member')
    harness.advance(10 * MINUTE_MS)
    expect(await owner.patch(`/v1/team/members/${other}`, { role_id: OWNER })).toMatchObject(REFUSAL)
    expect((await owner.patch(`/v1/team/members/${other}`, { role_id: getRole('admin').id })).status).toBe(200)
  })

  test('invites an owner, and nobody else does', async () => {
    const acme = await harness.createTenant()
    const [owner, admin] = [await harness.createPerson(acme, 'owner'), await harness.createPerson(acme, 'admin')]
    const invite = (client: { post: Tenant['post'] }) =>
      client.post('/v1/team/invitations', { email: 'new@acme.com', role_id: OWNER })
    for (const client of [acme, admin]) {
      expect(await invite(client)).toMatchObject({ status: 409, body: { details: { field: 'role_id' } } })
    }
    expect(await invite(owner)).toMatchObject({ status: 201, body: { role: 'owner' } })
    harness.advance(10 * MINUTE_MS)
    expect(await invite(owner)).toMatchObject(REFUSAL)
  })
})
