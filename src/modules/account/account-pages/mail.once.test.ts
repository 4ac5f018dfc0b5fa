import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { hashToken } from '../../../platform/ids/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import { createAccessToken } from '../../../testing/data/access-token.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Harness, useHarness, useMailingHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'
import type { ReceivedMail } from '../../../testing/world/smtp-server.ts'
import { WebhookReceiver } from '../../../testing/world/webhook-receiver.ts'
import { Mails } from '../../mail/mails/index.ts'
import { factorMails } from '../factors/index.ts'
import { organisationPeople } from '../members/index.ts'
import { createLink } from '../one-time-links/index.ts'
import { getRole } from '../roles/index.ts'

const receiver = await WebhookReceiver.start()
const { harness, smtp } = await useMailingHarness({
  config: { trustProxy: '127.0.0.0/8', outbound: receiver.outbound },
})

const PASSWORD = 'lamp river seven'
let addresses = 0
/** A browser at its own address, so that tests do not slow each other down. */
const visitor = (language = 'en', { baseUrl }: Harness = harness) =>
  new Visitor(baseUrl, {
    'x-forwarded-for': `203.0.${Math.floor(++addresses / 200)}.${addresses % 200}`,
    'accept-language': language,
  })

let people = 0
const newEmail = () => `mailed-${++people}@acme.com`

/** Creates the owner of a new organisation by a set-up link. */
async function signUp(language = 'en', on: Harness = harness) {
  const acme = await on.createTenant()
  const browser = visitor(language, on)
  const email = newEmail()
  const token = await on.service.database.write((tx) =>
    createLink(tx, 'set_up', { orgId: acme.orgId }, timestamp(on.nowMs())),
  )
  await browser.fillIn(`/account/set-up?token=${token}`, { token, email, password: PASSWORD })
  return { acme, browser, email }
}

const signIn = (browser: Visitor, email: string, password = PASSWORD) =>
  browser.fillIn('/account/sign-in', { email, password, next: '' })

/** Waits for the n-th mail to an address. */
const mailTo = (email: string, n = 1): Promise<ReceivedMail> => eventually(() => smtp.to(email)[n - 1])

const tokenOf = ({ path }: ReceivedMail) => new URL(path, 'http://localhost').searchParams.get('token') as string

describe('an invitation', () => {
  test('is mailed in the language of the inviter, and its link works', async () => {
    const { acme, browser, email: owner } = await signUp('de')
    await browser.open('/account/team')
    const email = newEmail()
    const page = await browser.send('/account/team/invite', { email, role_id: getRole('agent').id })
    expect(page.text).toContain(`Wir haben eine Einladung an ${email} gesendet`)
    expect(page.text, 'only the invited person sees the link').not.toContain('class="secret"')
    const mail = await mailTo(email)
    expect(mail.subject).toMatch(/^Acme \d+ auf Waymark beitreten$/)
    expect(mail.text).toContain(`Eingeladen von: ${owner}`)
    const joined = await visitor().fillIn(mail.path, { token: tokenOf(mail), password: PASSWORD })
    expect(joined.location).toBe('/account')
    expect((await acme.get('/v1/team/members')).body.data[0]).toMatchObject({ email, role: 'agent' })
  })

  test('of a program is mailed in English', async () => {
    const acme = await harness.createTenant()
    const email = newEmail()
    await acme.post('/v1/team/invitations', { email, role_id: getRole('agent').id })
    expect((await mailTo(email)).subject).toContain('on Waymark')
  })

  test('has no token in any response to anybody', async () => {
    const acme = await harness.createTenant()
    const owner = await harness.createPerson(acme, 'owner')
    const person = { orgId: acme.orgId, userId: owner.userId }
    const access = await createAccessToken(harness.service.database, person, ['team.manage'], harness.nowMs())
    for (const client of [owner, harness.client(acme.apiKey), harness.client(access.token)]) {
      const { status, body } = await client.post('/v1/team/invitations', {
        email: newEmail(),
        role_id: getRole('agent').id,
      })
      expect({ status, id: body.id }).toEqual({ status: 201, id: expect.any(String) })
      expect(body).not.toHaveProperty('token')
    }
  })

  test('that its inviter was shown before there was mail proves nothing: the person confirms their address', async () => {
    const acme = await harness.createTenant()
    const [email, token] = [newEmail(), `wmi_${'a'.repeat(42)}${people}`.slice(0, 47)]
    const { body } = await acme.post('/v1/team/invitations', { email, role_id: getRole('agent').id })
    const { kysely } = harness.service.database
    await kysely
      .updateTable('invitations')
      .set({ is_mailed: false, token_hash: hashToken(token) })
      .where('org_id', '=', acme.orgId)
      .where('id', '=', body.id)
      .execute()
    const browser = visitor()
    const joined = await browser.fillIn(`/account/invitation?token=${token}`, { token, password: PASSWORD })
    expect(joined.location).toBe('/account/sign-in/address-step?next=%2Faccount')
    expect((await browser.open('/account/sign-in/address-step')).text).toContain(`We have sent a link to ${email}`)
    expect(browser.cookies.has('waymark_session')).toBe(false)
    const isConfirm = ({ path }: ReceivedMail) => path.startsWith('/account/confirm-email')
    // Two mails at once arrive in any order.
    await eventually(() => smtp.to(email).filter(isConfirm)[0])
    expect((await signIn(visitor(), email)).location).toContain('/account/sign-in/address-step')
    const mail = await eventually(() => smtp.to(email).filter(isConfirm)[1])
    expect((await visitor().open(mail.path)).text).toContain(`Confirm that ${email} is your address`)
    expect((await signIn(visitor(), email)).location, 'opening the link is not enough').toContain('address-step')
    const latest = await eventually(() => smtp.to(email).filter(isConfirm)[2])
    const confirmed = await visitor().fillIn(latest.path, { token: tokenOf(latest) })
    expect(confirmed.text).toContain('You can sign in now')
    expect((await signIn(visitor(), email)).location).toBe('/account')
  })
})

describe('a forgotten password', () => {
  const ask = (email: string, browser = visitor()) => browser.fillIn('/account/forgot-password', { email })

  test('is replaced by a mailed link, and the person gets a notice', async () => {
    const { email, browser } = await signUp('fr')
    expect((await visitor().open('/account/sign-in')).text).toContain('href="/account/forgot-password"')
    expect((await ask(email.toUpperCase())).text).toContain('a link is on its way')
    const mail = await mailTo(email)
    expect(mail.subject).toBe('Définir un nouveau mot de passe Waymark')
    const other = visitor()
    const reply = await other.fillIn(mail.path, { token: tokenOf(mail), password: 'boat orange nine' })
    expect(reply.location).toBe('/account')
    const notice = await mailTo(email, 2)
    expect(notice.subject).toBe('Votre mot de passe a été modifié')
    expect(notice.text).toContain('Firefox, Linux')
    harness.advance(SECOND_MS)
    expect((await browser.open('/account')).status).toBe(303)
  })

  test('nothing tells whether there is an account, and nobody else gets a mail', async () => {
    const { email } = await signUp()
    const strip = (text: string) => text.replace(/value="[^"]{43}"/g, '')
    const [known, unknown, nonsense] = [await ask(email), await ask('nobody@acme.com'), await ask('')]
    expect(strip(unknown.text)).toBe(strip(known.text))
    expect(strip(nonsense.text)).toBe(strip(known.text))
    expect([known.status, unknown.status, nonsense.status]).toEqual([200, 200, 200])
    await mailTo(email)
    expect(smtp.to('nobody@acme.com')).toEqual([])
  })

  test('five links an hour are enough', async () => {
    const { email } = await signUp()
    for (let n = 1; n <= 5; n++) {
      await ask(email)
      await mailTo(email, n)
    }
    await ask(email)
    await ask(email)
    harness.advance(HOUR_MS + 10 * 60 * SECOND_MS)
    await ask(email)
    await mailTo(email, 6)
    expect(smtp.to(email)).toHaveLength(6)
  })

  test('a deactivated person gets no link', async () => {
    const { email } = await signUp()
    const { kysely } = harness.service.database
    const now = timestamp(harness.nowMs())
    await kysely.updateTable('users').set({ deactivated_at: now }).where('email', '=', email).execute()
    await ask(email)
    const { email: other } = await signUp()
    await ask(other)
    await mailTo(other)
    expect(smtp.to(email)).toEqual([])
  })
})

describe('an email address', () => {
  async function requested() {
    const person = await signUp()
    const next = newEmail()
    await person.browser.open('/account')
    const reply = await person.browser.send('/account/email', { new_email: next })
    expect(reply).toMatchObject({ status: 303, location: '/account?email_sent' })
    const mail = await mailTo(next)
    return { ...person, next, mail, token: tokenOf(mail) }
  }

  test('is changed by a link to the new one; the old one gets a notice, and other sessions end', async () => {
    const { acme, browser, email, next, mail, token } = await requested()
    expect((await browser.open('/account?email_sent')).text).toContain('We have sent a link to your new address')
    const other = visitor()
    await signIn(other, email)
    const page = await browser.open(mail.path)
    expect(page.text).toContain(`Your account will use ${next}`)
    expect((await acme.get('/v1/team/members')).body.data[0].email, 'opening the link changes nothing').toBe(email)
    expect((await browser.send('/account/change-email', { token })).text).toContain('Your email address was changed')
    expect((await browser.open('/account')).text).toContain(next)
    const notice = await eventually(() => smtp.to(email).find(({ subject }) => subject.includes('address was changed')))
    expect(notice.text).toContain(`New address: ${next}`)
    harness.advance(SECOND_MS)
    expect((await other.open('/account')).status).toBe(303)
    expect((await signIn(visitor(), email)).status).toBe(401)
    expect((await signIn(visitor(), next)).status).toBe(303)
    expect((await visitor().open(mail.path)).status, 'it works once').toBe(404)
    const { data } = (await acme.get('/v1/audit-log?action=user.email_changed')).body
    expect(data).toMatchObject([{ changes: { email: { from: email, to: next } } }])
  })

  test('can be confirmed in a browser where nobody is signed in, and by one of two requests', async () => {
    const { next, mail, token } = await requested()
    const browsers = [visitor(), visitor()]
    for (const browser of browsers) await browser.open(mail.path)
    const replies = await Promise.all(browsers.map((browser) => browser.send('/account/change-email', { token })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await signIn(visitor(), next)).status).toBe(303)
  })

  test('stays the same if the new one is none or the same', async () => {
    const { browser, email } = await signUp()
    await browser.open('/account')
    for (const bad of ['nonsense', '', email.toUpperCase(), 'a@acme.com\r\nBcc: b@acme.com']) {
      const { text } = await browser.send('/account/email', { new_email: bad })
      expect(text, bad).toContain('Enter an email address')
    }
  })

  test('that somebody else has taken in between is not changed', async () => {
    const { acme, browser, email, next, mail, token } = await requested()
    await browser.open(mail.path)
    await harness.service.database.kysely
      .updateTable('users')
      .set({ email: next, email_folded: next })
      .where('email', '=', (await signUp()).email)
      .execute()
    const reply = await browser.send('/account/change-email', { token })
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('Another account uses this address now')
    expect((await acme.get('/v1/team/members')).body.data[0].email).toBe(email)
  })

  test('nobody learns whether an address has an account before they can read its mail', async () => {
    const [person, somebody] = [await signUp(), await signUp()]
    await person.browser.open('/account')
    const reply = await person.browser.send('/account/email', { new_email: somebody.email })
    expect(reply.location).toBe('/account?email_sent')
    expect((await mailTo(somebody.email)).subject).toBe('Confirm your new email address')
  })

  test('old links stop working, and a link expires after a day', async () => {
    const { email, browser, mail, token } = await requested()
    await visitor().fillIn('/account/forgot-password', { email })
    const reset = await mailTo(email)
    await browser.open(mail.path)
    await browser.send('/account/change-email', { token })
    expect((await visitor().open(reset.path)).status).toBe(404)
    const late = await requested()
    harness.advance(DAY_MS)
    expect((await visitor().open(late.mail.path)).status).toBe(404)
  })

  test('five links an hour are enough', async () => {
    const { browser } = await signUp()
    await browser.open('/account')
    const change = () => browser.send('/account/email', { new_email: newEmail() })
    for (let n = 0; n < 5; n++) expect((await change()).status).toBe(303)
    expect((await change()).text).toContain('Too many links were sent')
  })
})

describe('a person gets a notice', () => {
  test('when somebody signs in with a new browser, but not with one that they have used before', async () => {
    const { email, browser } = await signUp()
    await browser.open('/account')
    await browser.send('/account/sign-out', {})
    expect((await signIn(browser, email)).status).toBe(303)
    expect((await signIn(visitor('sv'), email)).status).toBe(303)
    const mail = await mailTo(email)
    expect(mail.subject).toBe('Ny inloggning på ditt konto')
    expect(mail.text).toMatch(/Webbläsare: Firefox, Linux\nIP-adress: 203\.0\.\d+\.\d+\nTid: .* UTC\n/)
    expect((await signIn(visitor('en'), email)).status).toBe(303)
    await mailTo(email, 2)
    expect(smtp.to(email), 'one for each new browser').toHaveLength(2)
  })

  test('when their password is changed', async () => {
    const { email, browser } = await signUp()
    await browser.open('/account')
    const passwords = { current_password: PASSWORD, new_password: 'boat orange nine' }
    expect((await browser.send('/account/password', passwords)).status).toBe(303)
    expect((await mailTo(email)).subject).toBe('Your password was changed')
  })

  test('when a second factor changes', async () => {
    const { database, keyring } = harness.service
    const mails = new Mails({
      keyring,
      limiter: createRateLimiter(database),
      people: organisationPeople,
      canSend: true,
    })
    const { userId, email } = await harness.createPerson(await harness.createTenant(), 'member')
    const now = timestamp(harness.nowMs())
    const origin = { device: 'Firefox, Linux', address: '192.0.2.7' }
    const person = { id: userId, email, language: 'ja' }
    await database.write((tx) => mails.toPerson(tx, person, factorMails.changed, { ...origin, time: now }, now))
    const mail = await mailTo(email)
    expect(mail.subject).toBe('サインイン設定が変更されました')
    expect(mail.text).toContain('192.0.2.7')
  })
})

test('the owners, and nobody else, get a notice when a webhook endpoint is disabled', async () => {
  const { acme, email } = await signUp('it')
  const agent = await harness.createPerson(acme, 'agent')
  receiver.reply = 410
  const hook = await harness.subscribe(acme, ['qr_group.created'], { url: receiver.url('/gone?key=secret') })
  await acme.post('/v1/qr-groups', { name: 'Spring' })
  const mail = await mailTo(email)
  expect(mail.subject).toMatch(/^Un endpoint webhook di Acme \d+ è stato disattivato$/)
  expect(mail.text).toContain(`Endpoint: ${receiver.url('/gone')}\n`)
  expect(mail.text).not.toContain('secret')
  expect(smtp.to(agent.email)).toEqual([])
  expect((await acme.get(`/v1/webhooks/${hook.id}`)).body.isActive).toBe(false)

  receiver.reply = 500
  const failing = await harness.subscribe(acme, ['qr_group.created'], { url: receiver.url('/failing') })
  for (let day = 1; day <= 5; day++) {
    for (let n = 0; n < 2; n++) await acme.post('/v1/qr-groups', { name: 'Spring' })
    await eventually(() => receiver.at('/failing').length >= 2 * day)
    harness.advance(DAY_MS)
  }
  await acme.post('/v1/qr-groups', { name: 'Spring' })
  await eventually(async () => !(await acme.get(`/v1/webhooks/${failing.id}`)).body.isActive)
  const second = await mailTo(email, 2)
  expect(second.text).toContain(`Endpoint: ${receiver.url('/failing')}\nFallisce dal: `)
  await receiver.close()
})

describe('without an SMTP server', () => {
  const silent = useHarness({ config: { trustProxy: '127.0.0.0/8' } })

  test('pages say so and what to do instead, and nothing is written', async () => {
    const { browser, acme } = await signUp('en', silent)
    expect((await browser.open('/account')).text).toContain('waymark user change-email')
    expect((await browser.send('/account/email', { new_email: newEmail() })).location).toBe('/account')
    await browser.open('/account/team')
    const role_id = getRole('agent').id
    const invited = await browser.send('/account/team/invite', { email: newEmail(), role_id })
    expect(invited.text).toContain('This installation does not send mail. Send this link to')
    expect(invited.text).toMatch(/class="secret">[^<]+\/account\/invitation\?token=wmi_/)
    const stranger = visitor('en', silent)
    const forgot = await stranger.open('/account/forgot-password')
    expect(forgot.text).toContain('waymark user reset-password')
    expect(forgot.text).not.toContain('<form')
    expect((await acme.get('/v1/team/invitations')).body.total).toBe(1)
    expect(await silent.service.database.kysely.selectFrom('mails').select('id').execute()).toEqual([])
  })
})
