/** What a thief of a password tries, and how the person gets their account back. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { createAccessToken } from '../../../testing/data/access-token.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useMailingHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'
import type { ReceivedMail } from '../../../testing/world/smtp-server.ts'
import { codeAt } from '../factors/totp.ts'
import { createLink } from '../one-time-links/index.ts'
import { getRole } from '../roles/index.ts'

const { harness, smtp } = await useMailingHarness({ config: { trustProxy: '127.0.0.0/8' } })

const PASSWORD = 'lamp river seven'
const NEW_PASSWORD = 'boat orange nine'
const UNDO = '/account/undo-email-change'
let addresses = 0
const visitor = () => new Visitor(harness.baseUrl, { 'x-forwarded-for': `203.0.113.${++addresses}` })

let people = 0
const newEmail = (name: string) => `${name}-${++people}@acme.com`

async function signUp() {
  const acme = await harness.createTenant()
  const [browser, email] = [visitor(), newEmail('kim')]
  const now = timestamp(harness.nowMs())
  const token = await harness.service.database.write((tx) => createLink(tx, 'set_up', { orgId: acme.orgId }, now))
  await browser.fillIn(`/account/set-up?token=${token}`, { token, email, password: PASSWORD })
  return { acme, browser, email }
}

async function signIn(email: string, password = PASSWORD) {
  const browser = visitor()
  const { status, location } = await browser.fillIn('/account/sign-in', { email, password, next: '' })
  return { browser, status, location }
}

async function idOf(email: string): Promise<string> {
  const users = harness.service.database.kysely.selectFrom('users').select('id').where('email', '=', email)
  return (await users.executeTakeFirstOrThrow()).id
}

const linksOf = (userId: string) =>
  harness.service.database.kysely.selectFrom('one_time_links').select('purpose').where('user_id', '=', userId).execute()

const mailTo = (email: string, subject: RegExp): Promise<ReceivedMail> =>
  eventually(() => smtp.to(email).find((mail) => subject.test(mail.subject)))
const tokenOf = ({ path }: ReceivedMail) => new URL(path, 'http://localhost').searchParams.get('token') as string
const CONFIRM = /^Confirm your new email/
const CHANGED = /^Your email address was changed/

async function askForChange(browser: Visitor, email: string) {
  await browser.open('/account')
  return browser.send('/account/email', { new_email: email })
}

/** Somebody who is signed in changes the address. */
async function changeEmail(browser: Visitor, to: string) {
  expect((await askForChange(browser, to)).location).toBe('/account?email_sent')
  const mail = await mailTo(to, CONFIRM)
  const reply = await browser.fillIn(mail.path, { token: tokenOf(mail) })
  expect(reply.text).toContain('was changed')
}

const undo = (mail: ReceivedMail, browser = visitor()) => browser.fillIn(mail.path, { token: tokenOf(mail) })

/** Follows the link of a mail to the end. */
async function takeBack(mail: ReceivedMail) {
  const browser = visitor()
  const undone = await undo(mail, browser)
  expect(undone.location).toMatch(/^\/account\/reset-password\?token=/)
  const path = undone.location as string
  const token = new URL(path, 'http://localhost').searchParams.get('token') as string
  return browser.fillIn(path, { token, password: NEW_PASSWORD })
}

describe('a new password', () => {
  test('ends the link to another address that a thief has asked for', async () => {
    const { acme, email } = await signUp()
    const thief = await signIn(email)
    const stolen = newEmail('thief')
    await askForChange(thief.browser, stolen)
    const link = await mailTo(stolen, CONFIRM)
    await visitor().fillIn('/account/forgot-password', { email })
    const reset = await mailTo(email, /^Set a new password/)
    await visitor().fillIn(reset.path, { token: tokenOf(reset), password: NEW_PASSWORD })
    const late = visitor()
    expect((await late.open(link.path)).status).toBe(404)
    expect((await late.send('/account/change-email', { token: tokenOf(link) })).status).not.toBe(200)
    expect((await acme.get('/v1/team/members')).body.data[0].email).toBe(email)
  })

  test('ends it when the person changes it themselves, too', async () => {
    const { browser, email } = await signUp()
    const thief = await signIn(email)
    const stolen = newEmail('thief')
    await askForChange(thief.browser, stolen)
    const link = await mailTo(stolen, CONFIRM)
    await browser.open('/account')
    await browser.send('/account/password', { current_password: PASSWORD, new_password: NEW_PASSWORD })
    expect((await visitor().open(link.path)).status).toBe(404)
  })
})

describe('asking for another address', () => {
  test('needs a recent proof of who the person is, with the second factor if they have one', async () => {
    const { browser } = await signUp()
    const { text } = await browser.open('/account/factors/totp')
    const seed = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') as string
    const ticket = /name="ticket" value="([^"]+)"/.exec(text)?.[1] as string
    await browser.send('/account/factors/totp', { ticket, code: codeAt(seed, harness.nowMs()) })
    harness.advance(10 * MINUTE_MS)
    const email = newEmail('next')
    const asked = await askForChange(browser, email)
    expect(asked).toMatchObject({ status: 403, text: expect.stringContaining('Confirm that it is you') })
    const fields = { action: '/account/email', fields: new URLSearchParams({ new_email: email }).toString() }
    const withPassword = await browser.send('/account/confirm', { ...fields, password: PASSWORD, code: '' })
    expect(withPassword.status).toBe(401)
    expect(smtp.to(email)).toEqual([])
    harness.advance(MINUTE_MS)
    const code = codeAt(seed, harness.nowMs())
    const confirmed = await browser.send('/account/confirm', { ...fields, password: PASSWORD, code })
    expect(confirmed.location).toBe('/account?email_sent')
    await mailTo(email, CONFIRM)
  })

  test('in a session that has just ended does nothing', async () => {
    const { browser, email } = await signUp()
    const thief = await signIn(email)
    await browser.open('/account')
    using _stopped = harness.stopClock()
    await thief.browser.open('/account')
    await browser.send('/account/sessions/end-others', {})
    const stolen = newEmail('thief')
    expect((await thief.browser.send('/account/email', { new_email: stolen })).status).toBe(401)
    expect(await linksOf(await idOf(email))).toEqual([])
  })
})

describe('a changed address', () => {
  test('is restored by a link to the old one, and nothing that a thief has is left', async () => {
    const { acme, email } = await signUp()
    const thief = await signIn(email)
    const stolen = newEmail('thief')
    await changeEmail(thief.browser, stolen)
    const person = { orgId: acme.orgId, userId: await idOf(stolen) }
    const { token } = await createAccessToken(harness.service.database, person, ['qr.view'], harness.nowMs())
    await visitor().fillIn('/account/forgot-password', { email: stolen })
    const reset = await mailTo(stolen, /^Set a new password/)

    const mail = await mailTo(email, CHANGED)
    expect(mail.text).toContain(`New address: ${stolen}`)
    const page = await visitor().open(mail.path)
    expect(page.text).toContain(`Your account will use ${email} again`)
    expect((await acme.get('/v1/team/members')).body.data[0].email, 'opening the link changes nothing').toBe(stolen)
    const browser = visitor()
    expect((await undo(mail, browser)).location).toContain('/account/reset-password')
    expect((await signIn(stolen)).status, 'the old password works for nobody').toBe(401)
    expect((await signIn(email)).status).toBe(401)
    const { data } = (await acme.get('/v1/audit-log?action=user.email_change_undone')).body
    expect(data).toMatchObject([{ changes: { email: { from: stolen, to: email } } }])
    harness.advance(SECOND_MS)
    expect((await thief.browser.open('/account')).status).toBe(303)
    expect((await harness.client(token).get('/v1/me')).status).toBe(401)
    expect((await visitor().open(reset.path)).status).toBe(404)
    expect((await visitor().open(mail.path)).status, 'it works once').toBe(404)
    await mailTo(stolen, CHANGED)
    expect(
      smtp.to(stolen).filter(({ path }) => path.startsWith(UNDO)),
      'the thief cannot undo it',
    ).toEqual([])
  })

  test('leads to a new password, with which the person signs in', async () => {
    const { email, browser } = await signUp()
    await changeEmail(browser, newEmail('next'))
    expect((await takeBack(await mailTo(email, CHANGED))).location).toBe('/account')
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(303)
  })

  test('twice is undone by the first link, which a new password of the thief does not end', async () => {
    const { email } = await signUp()
    const { browser } = await signIn(email)
    const [first, second] = [newEmail('thief'), newEmail('thief')]
    await changeEmail(browser, first)
    await browser.open('/account')
    await browser.send('/account/password', { current_password: PASSWORD, new_password: 'thief likes bikes' })
    await changeEmail(browser, second)
    const [theirs, ours] = [await mailTo(first, CHANGED), await mailTo(email, CHANGED)]
    expect((await undo(theirs)).location).toContain('/account/reset-password')
    expect((await takeBack(ours)).location).toBe('/account')
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(303)
  })

  test('undone by the first link cannot be undone again by a later one', async () => {
    const { acme, email, browser } = await signUp()
    const first = newEmail('thief')
    await changeEmail(browser, first)
    await changeEmail(browser, newEmail('thief'))
    const [theirs, ours] = [await mailTo(first, CHANGED), await mailTo(email, CHANGED)]
    await takeBack(ours)
    expect((await visitor().open(theirs.path)).status).toBe(404)
    expect((await acme.get('/v1/team/members')).body.data[0].email).toBe(email)
  })

  test('loses a passkey or an app that a thief has added, and keeps one that the person had before', async () => {
    const [{ email, browser }, other] = [await signUp(), await signUp()]
    const { text } = await browser.open('/account/factors/totp')
    const seed = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') as string
    const ticket = /name="ticket" value="([^"]+)"/.exec(text)?.[1] as string
    await browser.send('/account/factors/totp', { ticket, code: codeAt(seed, harness.nowMs()) })
    await changeEmail(browser, newEmail('thief'))
    expect((await takeBack(await mailTo(email, CHANGED))).location, 'no second step').toBe('/account')
    expect((await signIn(email, NEW_PASSWORD)).location).toBe('/account')

    const { text: page } = await other.browser.open('/account/factors/totp')
    const old = /class="secret">([A-Z2-7 ]+)</.exec(page)?.[1]?.replaceAll(' ', '') as string
    const offer = /name="ticket" value="([^"]+)"/.exec(page)?.[1] as string
    await other.browser.send('/account/factors/totp', { ticket: offer, code: codeAt(old, harness.nowMs()) })
    // Two steps, so that the session does not end for want of use.
    for (const days of [4, 4]) {
      harness.advance(days * DAY_MS)
      await other.browser.open('/account')
      await eventually(async () => (await other.browser.open('/account')).status === 200)
    }
    await other.browser.fillIn('/account/confirm', {
      next: '',
      password: PASSWORD,
      code: codeAt(old, harness.nowMs()),
    })
    await changeEmail(other.browser, newEmail('next'))
    expect((await takeBack(await mailTo(other.email, CHANGED))).location).toContain('/account/sign-in/second-step')
  })

  test('is not free for others as long as it can be taken back', async () => {
    const { email, browser } = await signUp()
    await changeEmail(browser, newEmail('next'))
    const other = await signUp()
    const { status, body } = await other.acme.post('/v1/team/invitations', { email, role_id: getRole('member').id })
    expect({ status, token: body.token }).toEqual({ status: 201, token: undefined })
    const invitation = await mailTo(email, /^Join/)
    const join = () => visitor().fillIn(invitation.path, { token: tokenOf(invitation), password: PASSWORD })
    expect((await join()).text).toContain('There is an account with this address')
    expect((await takeBack(await mailTo(email, CHANGED))).location).toBe('/account')
  })

  test('cannot be undone after seven days, and is free then', async () => {
    const { email, browser } = await signUp()
    await changeEmail(browser, newEmail('next'))
    const mail = await mailTo(email, CHANGED)
    harness.advance(7 * DAY_MS)
    expect((await visitor().open(mail.path)).status).toBe(404)
    const other = await signUp()
    await other.acme.post('/v1/team/invitations', { email, role_id: getRole('member').id })
    const invitation = await mailTo(email, /^Join/)
    const joined = await visitor().fillIn(invitation.path, { token: tokenOf(invitation), password: PASSWORD })
    expect(joined.location).toBe('/account')
  })
})
