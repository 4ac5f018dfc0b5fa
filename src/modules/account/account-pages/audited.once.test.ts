import { describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { createAccessToken } from '../../../testing/data/access-token.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useMailingHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'
import { addMember } from '../members/index.ts'
import { createLink } from '../one-time-links/index.ts'
import { getRole } from '../roles/index.ts'

const { harness, smtp } = await useMailingHarness({ config: { trustProxy: '127.0.0.0/8' } })

const PASSWORD = 'lamp river seven'
let addresses = 0
const visitor = () => new Visitor(harness.baseUrl, { 'x-forwarded-for': `203.0.113.${++addresses}` })
const now = () => timestamp(harness.nowMs())

/** A person who belongs to two organisations. */
async function inTwo() {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [browser, email] = [visitor(), `audited-${addresses}@acme.com`]
  const { database } = harness.service
  const token = await database.write((tx) => createLink(tx, 'set_up', { orgId: acme.orgId }, now()))
  await browser.fillIn(`/account/set-up?token=${token}`, { token, email, password: PASSWORD })
  const users = database.kysely.selectFrom('users').select('id').where('email', '=', email)
  const { id: userId } = await users.executeTakeFirstOrThrow()
  await database.write((tx) => addMember(tx, other.orgId, userId, 'member', now()))
  await browser.open('/account')
  return { acme, other, browser, email, userId }
}

const entriesOf = async (tenant: Tenant, action: string) =>
  (await tenant.get(`/v1/audit-log?action=${action}`)).body.data

const signIn = async (email: string) => {
  const browser = visitor()
  await browser.fillIn('/account/sign-in', { email, password: PASSWORD, next: '' })
  return browser
}

describe('an entry in every organisation of the person is', () => {
  test('a new name, and the same name again is none', async () => {
    const { acme, other, browser, userId } = await inTwo()
    for (let n = 0; n < 2; n++) await browser.send('/account', { first_name: 'Kim', last_name: '' })
    for (const tenant of [acme, other]) {
      expect(await entriesOf(tenant, 'user.updated')).toMatchObject([
        { actor: { id: userId }, resource: { id: userId }, changes: { first_name: { from: null, to: 'Kim' } } },
      ])
    }
  })

  test('the end of a session: by signing out, of one, and of all others', async () => {
    const { acme, other, browser, email } = await inTwo()
    const leaving = await signIn(email)
    await leaving.open('/account')
    await leaving.send('/account/sign-out', {})
    for (const tenant of [acme, other]) expect(await entriesOf(tenant, 'session.ended')).toHaveLength(1)
    await signIn(email)
    const id = /name="id" value="([^"]+)"><button class="plain">Sign out/.exec(
      (await browser.open('/account')).text,
    )?.[1] as string
    await browser.send('/account/sessions/end', { id })
    for (const tenant of [acme, other]) {
      expect((await entriesOf(tenant, 'session.ended'))[0].resource).toMatchObject({ type: 'session', id })
    }
    await Promise.all([signIn(email), signIn(email)])
    await browser.send('/account/sessions/end-others', {})
    for (const tenant of [acme, other]) {
      expect((await entriesOf(tenant, 'session.ended'))[0].resource.ids).toHaveLength(2)
    }
    await browser.send('/account/sessions/end-others', {})
    expect(await entriesOf(acme, 'session.ended'), 'nothing has ended').toHaveLength(3)
  })

  test('a sign-in, one that failed, and a new password', async () => {
    const { acme, other, browser, email } = await inTwo()
    await signIn(email)
    await visitor().fillIn('/account/sign-in', { email, password: 'wrong', next: '' })
    await browser.open('/account')
    await browser.send('/account/password', { current_password: PASSWORD, new_password: 'boat orange nine' })
    for (const tenant of [acme, other]) {
      for (const action of ['session.created', 'user.password_changed']) {
        expect(await entriesOf(tenant, action), action).toHaveLength(1)
      }
      await eventually(async () => (await entriesOf(tenant, 'sign_in.failed')).length === 1)
    }
  })

  test('a link for a new password or another address that somebody has asked for', async () => {
    const { acme, other, browser, email } = await inTwo()
    await visitor().fillIn('/account/forgot-password', { email })
    await eventually(() => smtp.to(email)[0])
    await browser.open('/account')
    await browser.send('/account/email', { new_email: `new-${email}` })
    for (const tenant of [acme, other]) {
      expect(await entriesOf(tenant, 'user.password_reset_requested')).toHaveLength(1)
      expect(await entriesOf(tenant, 'user.email_change_requested')).toMatchObject([
        { changes: { email: { from: email, to: `new-${email}` } } },
      ])
    }
  })

  test('the end of a connected application with a new password', async () => {
    const { acme, other, browser, userId } = await inTwo()
    for (const { orgId } of [acme, other]) {
      await createAccessToken(harness.service.database, { orgId, userId }, ['qr.view'], harness.nowMs())
    }
    await browser.send('/account/password', {
      current_password: PASSWORD,
      new_password: 'boat orange nine',
      disconnect: '1',
    })
    for (const tenant of [acme, other]) {
      expect(await entriesOf(tenant, 'connected_application.deleted')).toMatchObject([{ actor: { id: userId } }])
    }
  })
})

test('an invitation that is declined is an entry', async () => {
  const acme = await harness.createTenant()
  const email = 'declining@acme.com'
  const { body } = await acme.post('/v1/team/invitations', { email, role_id: getRole('agent').id })
  const { path } = await eventually(() => smtp.to(email)[0])
  const token = new URL(path, 'http://localhost').searchParams.get('token') as string
  await visitor().fillIn(path, { token, decline: '1' })
  expect(await entriesOf(acme, 'invitation.declined')).toMatchObject([
    { actor: { type: 'person', id: null, name: email }, resource: { type: 'invitation', id: body.id } },
  ])
})

test('a test or a replay of a webhook, and every export, is an entry', async () => {
  const acme = await harness.createTenant()
  const { id } = await harness.subscribe(acme, ['qr_group.created'])
  const { body: delivery } = await acme.post(`/v1/webhooks/${id}/test`, {})
  await acme.post(`/v1/webhooks/${id}/deliveries/${delivery.id}/replay`)
  const from = timestamp(harness.nowMs() - 60_000)
  expect((await acme.post(`/v1/webhooks/${id}/replay`, { from, status: 'failed' })).status).toBe(200)
  for (const path of ['submissions/export.csv', 'submissions/export.xlsx', 'audit-log/export.csv']) {
    expect((await acme.get(`/v1/${path}`)).status, path).toBe(200)
  }
  const actions = (await acme.get('/v1/audit-log')).body.data.map(({ action }: any) => action)
  expect(actions.slice(0, 6).sort()).toEqual([
    'audit_log.exported',
    'submission.exported',
    'submission.exported',
    'webhook_delivery.replayed',
    'webhook_endpoint.replayed',
    'webhook_endpoint.tested',
  ])
})
