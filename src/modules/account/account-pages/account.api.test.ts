import { describe, expect, test } from 'vitest'
import { HOUR_MS, timestamp } from '../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'
import { addMember } from '../members/index.ts'
import { createLink } from '../one-time-links/index.ts'
import { getRole } from '../roles/index.ts'
import { createUser } from '../users/index.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.0/8' } })

const PASSWORD = 'lamp river seven'
let addresses = 0
/** A browser at its own address, so that tests do not slow each other down. */
const visitor = (address = `203.0.113.${++addresses}`) =>
  new Visitor(harness.baseUrl, { 'x-forwarded-for': address, 'accept-language': 'en' })

const setUpLink = ({ orgId }: Tenant) =>
  harness.service.database.write((tx) => createLink(tx, 'set_up', { orgId }, timestamp(harness.nowMs())))

let owners = 0

/** Creates the owner of a new organisation by a set-up link. */
async function signUp() {
  const acme = await harness.createTenant()
  const browser = visitor()
  const email = `owner-${++owners}@acme.com`
  const token = await setUpLink(acme)
  const reply = await browser.fillIn(`/account/set-up?token=${token}`, {
    token,
    email,
    first_name: 'Kim',
    last_name: '',
    password: PASSWORD,
  })
  expect(reply).toMatchObject({ status: 303, location: '/account' })
  return { acme, browser, email, token }
}

const signIn = (browser: Visitor, email: string, password = PASSWORD) =>
  browser.fillIn('/account/sign-in', { email, password, next: '' })

describe('the first owner', () => {
  test('signs up with a link that works once', async () => {
    const { acme, browser, email, token } = await signUp()
    expect((await browser.open('/account')).text).toContain(email)
    const { data } = (await acme.get('/v1/team/members')).body
    expect(data).toMatchObject([{ email, role: 'owner', first_name: 'Kim', last_name: null }])
    expect((await visitor().open(`/account/set-up?token=${token}`)).status).toBe(404)
  })

  test('sees which field is wrong and why, and can use the link again', async () => {
    const acme = await harness.createTenant()
    const token = await setUpLink(acme)
    const browser = visitor()
    await browser.open(`/account/set-up?token=${token}`)
    const tryWith = (fields: Record<string, string>) =>
      browser.send('/account/set-up', { token, email: 'kim@acme.com', password: PASSWORD, ...fields })
    const common = await tryWith({ password: 'password123' })
    expect(common.status).toBe(400)
    expect(common.text).toContain('too common')
    expect(common.text, 'what was typed is kept').toContain('value="kim@acme.com"')
    expect(common.text).not.toContain('password123')
    expect((await tryWith({ email: 'nonsense' })).text).toContain('Enter an email address')
    expect((await acme.get('/v1/team/members')).body.total).toBe(0)
    expect((await tryWith({})).status).toBe(303)
  })

  test('cannot sign up with the link once the organisation has an owner, and reads why', async () => {
    const acme = await harness.createTenant()
    const token = await setUpLink(acme)
    const browser = visitor()
    await browser.open(`/account/set-up?token=${token}`)
    const { memberId } = await harness.createPerson(acme, 'owner')
    const page = await visitor().open(`/account/set-up?token=${token}`)
    expect(page.status).toBe(404)
    expect(page.text).toContain('has an owner now')
    const late = await browser.send('/account/set-up', { token, email: 'late@acme.com', password: PASSWORD })
    expect(late.status).toBe(404)
    expect(late.text).toContain('ask the owner to invite you')
    const { data } = (await acme.get('/v1/team/members')).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([memberId])
  })

  test('can use the link although other organisations have owners', async () => {
    await harness.createPerson(await harness.createTenant(), 'owner')
    await signUp()
  })

  test('cannot use the link while another owner is being made', async () => {
    const acme = await harness.createTenant()
    const token = await setUpLink(acme)
    const browser = visitor()
    await browser.open(`/account/set-up?token=${token}`)
    const now = timestamp(harness.nowMs())
    const person = { email: 'operator@acme.com', first_name: null, last_name: null, passwordHash: null }
    const { late } = await harness.service.database.write(async (tx) => {
      await addMember(tx, acme.orgId, (await createUser(tx, person, now)).id, 'owner', now)
      const late = browser.send('/account/set-up', { token, email: 'racer@acme.com', password: PASSWORD })
      return { late: { reply: late } }
    })
    expect((await late.reply).location).not.toBe('/account')
    expect((await acme.get('/v1/team/members')).body.data).toMatchObject([{ email: 'operator@acme.com' }])
  })

  test('of two people who use one link at once, one becomes the owner', async () => {
    const acme = await harness.createTenant()
    const token = await setUpLink(acme)
    const replies = await Promise.all(
      ['one@acme.com', 'two@acme.com'].map((email) =>
        visitor().fillIn(`/account/set-up?token=${token}`, { token, email, password: PASSWORD }),
      ),
    )
    expect(replies.map(({ location }) => location).sort()).toEqual(['/account', '/account/sign-in'])
    expect((await acme.get('/v1/team/members')).body.total).toBe(1)
  })
})

describe('signing in', () => {
  test('starts a session, and signing out ends it', async () => {
    const { email } = await signUp()
    const browser = visitor()
    expect(await signIn(browser, email.toUpperCase())).toMatchObject({ status: 303, location: '/account' })
    const token = browser.cookies.get('waymark_session') as string
    expect((await harness.inSession(token).get('/v1/me')).status).toBe(200)
    await browser.open('/account')
    expect(await browser.send('/account/sign-out', {})).toMatchObject({ status: 303, location: '/' })
    expect(browser.cookies.has('waymark_session')).toBe(false)
    harness.advance(1000)
    expect((await harness.inSession(token).get('/v1/me')).status).toBe(401)
  })

  test('says the same about a wrong password and an unknown address', async () => {
    const { email } = await signUp()
    const wrong = await signIn(visitor(), email, 'lamp river eight')
    const unknown = await signIn(visitor(), 'nobody@acme.com')
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    const strip = (text: string, address: string) =>
      text.replaceAll(address, 'X').replace(/(?<=name="form_token" value=")[^"]+/g, 'X')
    expect(strip(wrong.text, email)).toBe(strip(unknown.text, 'nobody@acme.com'))
  })

  test('slows down after failures, but not in a browser that the person has used before', async () => {
    const { email, browser } = await signUp()
    await browser.open('/account')
    await browser.send('/account/sign-out', {})
    using _stopped = harness.stopClock()
    for (let n = 0; n < 5; n++) expect((await signIn(visitor(), email, 'wrong password')).status).toBe(401)
    const slowed = await signIn(visitor(), email)
    expect(slowed.status).toBe(429)
    expect(slowed.text).toContain('Try again in')
    expect((await signIn(browser, email)).status).toBe(303)
    harness.advance(30_000)
    expect((await signIn(visitor(), email)).status, 'nobody is locked out for good').toBe(303)
  })

  test('slows down an address that guesses, also if it signs in to an account of its own in between', async () => {
    const [own, victim] = [await signUp(), await signUp()]
    const address = '198.51.100.77'
    using _stopped = harness.stopClock()
    const statuses: number[] = []
    for (let n = 0; n < 34; n++) {
      const guessed = `${n}-${victim.email}`
      statuses.push((await signIn(visitor(address), guessed, 'wrong password')).status)
      if (n % 10 === 9) await signIn(visitor(address), own.email)
    }
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401))
    expect(statuses.slice(30)).toEqual(Array(4).fill(429))
  })

  test('does not slow down an office where many people sign in', async () => {
    const { email } = await signUp()
    for (let n = 0; n < 35; n++) expect((await signIn(visitor('198.51.100.78'), email)).status).toBe(303)
  })

  test('leads to a page of ours only', async () => {
    const { email } = await signUp()
    const goTo = async (next: string) =>
      (await visitor().fillIn('/account/sign-in', { email, password: PASSWORD, next })).location
    expect(await goTo('/account/team')).toBe('/account/team')
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/account/..//evil',
      'javascript:1',
    ]) {
      expect(await goTo(next), next).toBe('/account')
    }
  })

  test('a page for people who are signed in leads to it and back', async () => {
    expect(await visitor().open('/account/team')).toMatchObject({
      status: 303,
      location: '/account/sign-in?next=%2Faccount%2Fteam',
    })
  })
})

describe('a form', () => {
  test('without the token of the page, or from another site, changes nothing', async () => {
    const { acme, browser } = await signUp()
    await browser.open('/account/api-keys')
    const total = async () => (await acme.get('/v1/api-keys')).body.total
    const before = await total()
    const fields = { name: 'Evil' }
    const replies = [
      await browser.send('/account/api-keys', { ...fields, form_token: '' }),
      await browser.send('/account/api-keys', { ...fields, form_token: 'x'.repeat(43) }),
      await browser.send('/account/api-keys', fields, { 'sec-fetch-site': 'cross-site' }),
      await browser.send('/account/api-keys', fields, { 'sec-fetch-site': 'same-site' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await total()).toBe(before)
    expect((await browser.send('/account/api-keys', fields)).status).toBe(200)
    expect(await total()).toBe(before + 1)
  })

  test('that is too large, or not a form, changes nothing', async () => {
    const { browser } = await signUp()
    await browser.open('/account')
    expect((await browser.send('/account', { first_name: 'x'.repeat(70_000) })).status).toBe(403)
    expect((await browser.send('/account', {}, { 'content-type': 'text/plain' })).status).toBe(403)
  })
})

describe('an invitation', () => {
  async function invited(role: 'agent' | 'admin' = 'agent', email = `new-${++owners}@acme.com`) {
    const owner = await signUp()
    const { body } = await owner.acme.post('/v1/team/invitations', { email, role_id: getRole(role).id })
    return { ...owner, email, path: `/account/invitation?token=${body.token}`, token: body.token as string }
  }

  test('is accepted by a new person, who then has its role', async () => {
    const { acme, email, path, token } = await invited()
    const browser = visitor()
    const reply = await browser.fillIn(path, { token, first_name: 'Alex', last_name: 'Lind', password: PASSWORD })
    expect(reply).toMatchObject({ status: 303, location: '/account' })
    const { data } = (await acme.get('/v1/team/members')).body
    expect(data[0]).toMatchObject({ email, role: 'agent', first_name: 'Alex' })
    expect((await browser.open('/account/team')).text).not.toContain('Invite a person')
    expect((await browser.open('/account/api-keys')).status).toBe(403)
    expect((await visitor().open(path)).status, 'it works once').toBe(404)
  })

  test('is accepted by a person who has an account, but by nobody else', async () => {
    const person = await signUp()
    const { acme, path, token } = await invited('admin', person.email)
    const stranger = await signUp()
    expect((await stranger.browser.open(path)).text).toContain(`This invitation is for ${person.email}`)
    await stranger.browser.send('/account/invitation', { token })
    expect((await acme.get('/v1/team/members')).body.total).toBe(1)
    expect((await visitor().fillIn(path, { token, password: PASSWORD })).text).toContain('There is an account')
    expect((await person.browser.fillIn(path, { token })).location).toBe('/account')
    const { data } = (await acme.get('/v1/team/members')).body
    expect(data[0]).toMatchObject({ email: person.email, role: 'admin' })
    const me = await harness.inSession(person.browser.cookies.get('waymark_session') as string).get('/v1/me')
    expect(me.body.org.id, 'the person now works there').toBe(acme.orgId)
  })

  test('can be declined', async () => {
    const { acme, path, token } = await invited()
    expect((await visitor().fillIn(path, { token, decline: '1' })).text).toContain('declined')
    expect((await acme.get('/v1/team/invitations')).body.total).toBe(0)
    expect((await visitor().open(path)).status).toBe(404)
  })
})

describe('a new password', () => {
  test('is set by a link, which ends all sessions and works once', async () => {
    const { browser, email } = await signUp()
    const { id } = await harness.service.database.kysely
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const token = await harness.service.database.write((tx) =>
      createLink(tx, 'reset_password', { userId: id }, timestamp(harness.nowMs())),
    )
    const other = visitor()
    expect((await other.fillIn(`/account/reset-password?token=${token}`, { token, password: 'short' })).status).toBe(
      400,
    )
    const reply = await other.send('/account/reset-password', { token, password: 'boat orange nine' })
    expect(reply.location).toBe('/account')
    harness.advance(1000)
    expect((await browser.open('/account')).status, 'the old session has ended').toBe(303)
    expect((await signIn(visitor(), email)).status).toBe(401)
    expect((await signIn(visitor(), email, 'boat orange nine')).status).toBe(303)
    expect((await visitor().open(`/account/reset-password?token=${token}`)).status).toBe(404)
  })

  test('a link expires after an hour', async () => {
    const { userId } = await harness.createPerson(await harness.createTenant(), 'member')
    const token = await harness.service.database.write((tx) =>
      createLink(tx, 'reset_password', { userId }, timestamp(harness.nowMs())),
    )
    harness.advance(HOUR_MS)
    expect((await visitor().open(`/account/reset-password?token=${token}`)).status).toBe(404)
  })

  test('needs the current one, and ends the other sessions', async () => {
    const { browser, email } = await signUp()
    const other = visitor()
    await signIn(other, email)
    await browser.open('/account')
    const change = (current_password: string) =>
      browser.send('/account/password', { current_password, new_password: 'boat orange nine' })
    expect((await change('wrong')).text).toContain('not your current password')
    expect(await change(PASSWORD)).toMatchObject({ status: 303, location: '/account?saved' })
    harness.advance(1000)
    expect((await browser.open('/account')).status).toBe(200)
    expect((await other.open('/account')).status).toBe(303)
  })
})

test('a person sees their sessions, and can end one or all others', async () => {
  const { browser, email } = await signUp()
  const [second, third] = [visitor('203.0.113.201'), visitor('203.0.113.202')]
  await signIn(second, email)
  await signIn(third, email)
  const page = await browser.open('/account')
  expect(page.text.match(/Firefox, Linux/g)).toHaveLength(3)
  expect(page.text).toContain('203.0.113.201')
  const id = /203\.0\.113\.201[\s\S]*?name="id" value="([^"]+)"/.exec(page.text)?.[1] as string
  await browser.send('/account/sessions/end', { id })
  harness.advance(1000)
  expect((await second.open('/account')).status).toBe(303)
  expect((await third.open('/account')).status).toBe(200)
  await browser.send('/account/sessions/end-others', {})
  harness.advance(1000)
  expect((await third.open('/account')).status).toBe(303)
  expect((await browser.open('/account')).status).toBe(200)
})

test('a person switches between their organisations, and into no other', async () => {
  const [first, second, foreign] = [await signUp(), await signUp(), await signUp()]
  const { body } = await second.acme.post('/v1/team/invitations', {
    email: first.email,
    role_id: getRole('member').id,
  })
  await first.browser.fillIn(`/account/invitation?token=${body.token}`, { token: body.token })
  const current = async () =>
    (await harness.inSession(first.browser.cookies.get('waymark_session') as string).get('/v1/me')).body.org.id
  expect(await current()).toBe(second.acme.orgId)
  await first.browser.open('/account')
  const before = first.browser.cookies.get('waymark_session') as string
  await first.browser.send('/account/organisations/switch', { id: first.acme.orgId })
  expect(await current()).toBe(first.acme.orgId)
  expect((await harness.inSession(before).get('/v1/me')).status, 'the session has a new token').toBe(401)
  await first.browser.send('/account/organisations/switch', { id: foreign.acme.orgId })
  expect(await current()).toBe(first.acme.orgId)
})

test('a form of an organisation is refused once its person works in another one, in another tab', async () => {
  const [first, second] = [await signUp(), await signUp()]
  const role_id = getRole('admin').id
  const { body } = await second.acme.post('/v1/team/invitations', { email: first.email, role_id })
  await first.browser.fillIn(`/account/invitation?token=${body.token}`, { token: body.token })
  const { text } = await first.browser.open('/account/team')
  const shown = /name="form_organisation" value="([^"]+)"/.exec(text)?.[1]
  expect(shown).toBe(second.acme.orgId)
  await first.browser.open('/account')
  await first.browser.send('/account/organisations/switch', { id: first.acme.orgId })

  const invited = { email: 'next@acme.com', role_id, form_organisation: shown as string }
  const refused = await first.browser.send('/account/team/invite', invited)
  expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('You have switched organisations') })
  for (const { acme } of [first, second]) {
    expect((await acme.get('/v1/team/invitations')).body.data).not.toContainEqual(
      expect.objectContaining({ email: 'next@acme.com' }),
    )
  }
  // What belongs to the person themselves does not depend on it.
  const renamed = { first_name: 'Kim', last_name: 'Acme', form_organisation: shown as string }
  expect((await first.browser.send('/account', renamed)).status).not.toBe(409)
  expect(
    (await first.browser.send('/account/team/invite', { ...invited, form_organisation: first.acme.orgId })).status,
  ).not.toBe(409)
})

test('pages may load nothing from elsewhere, are not stored, and name no address to others', async () => {
  const { headers } = await visitor().open('/account/sign-in')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  for (const cookie of headers.getSetCookie()) expect(cookie).toContain('HttpOnly')
})

test('an unknown page is not found, and the start page leads on', async () => {
  const unknown = await visitor().open('/account/nonsense')
  expect(unknown.status).toBe(404)
  expect(unknown.text).toContain('Page not found')
  const start = await visitor().open('/')
  expect(start.status).toBe(200)
  expect(start.text).toContain('href="/account/sign-in"')
  expect(start.text).toContain('href="/docs"')
})

test('what people enter is shown as text', async () => {
  const { browser } = await signUp()
  await browser.open('/account')
  await browser.send('/account', { first_name: '<script>alert(1)</script>', last_name: '"><img src=x>' })
  const { text } = await browser.open('/account')
  expect(text).toContain('&lt;script&gt;')
  expect(text).not.toContain('<script>')
  expect(text).not.toContain('<img')
})

test('a key is created with scopes and an end, and what was chosen is shown again if it is refused', async () => {
  const { acme, browser } = await signUp()
  const { text: empty } = await browser.open('/account/api-keys')
  expect(empty).toContain('<option value="days90">90 days</option>')
  const chosen = new URLSearchParams({ name: 'Warehouse', valid_for: 'days30' })
  for (const scope of ['qr.view', 'articles.view', 'articles.manage']) chosen.append('scopes', scope)
  const { status, text } = await browser.send('/account/api-keys', chosen)
  expect(status).toBe(200)
  expect(text).toContain('QR codes: View · Articles: View and change')
  expect(text).toMatch(/Expires on/)
  const [key] = (await acme.get('/v1/api-keys')).body.data
  expect(key).toMatchObject({ name: 'Warehouse', scopes: ['qr.view', 'articles.manage'] })
  expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBeCloseTo(30 * 24 * 60 * 60 * 1000, -4)

  const total = async () => (await acme.get('/v1/api-keys')).body.total
  const before = await total()
  for (const [name, value] of [
    ['scopes', 'everything.manage'],
    ['valid_for', 'days31'],
    ['name', ''],
  ] as const) {
    const wrong = new URLSearchParams(chosen)
    wrong.set(name, value)
    const refused = await browser.send('/account/api-keys', wrong)
    expect(refused.status).toBe(400)
    if (name === 'name') {
      expect(refused.text).toContain('value="qr.view" checked')
      expect(refused.text).toContain('<option value="days30" selected>')
    }
  }
  expect(await total()).toBe(before)
  await browser.send('/account/api-keys', { name: 'All', valid_for: 'never' })
  expect((await acme.get('/v1/api-keys')).body.data[0]).toMatchObject({ name: 'All', scopes: null, expires_at: null })
  const printed = { name: 'Printed', valid_for: 'never', scopes: 'codes.slugs' }
  expect((await browser.send('/account/api-keys', printed)).text).toContain('May do everything · Choose the addresses')
  expect((await acme.get('/v1/api-keys')).body.data[0]).toMatchObject({ scopes: ['all', 'codes.slugs'] })
})

test('the audit log tells the whole story to an owner, and nothing to an agent', async () => {
  const { acme, browser } = await signUp()
  await browser.open('/account/api-keys')
  await browser.send('/account/api-keys', { name: 'Warehouse' })
  const { text } = await browser.open('/account/audit-log')
  expect(text).toContain('api_key.created')
  expect(text).toContain('member.joined')
  expect(text).toContain('Kim')
  expect(text).not.toMatch(/wm_live_\w{40}/)
  const agent = await harness.createPerson(acme, 'agent')
  const other = visitor()
  other.cookies.set('waymark_session', agent.token)
  expect((await other.open('/account/audit-log')).status).toBe(403)
})

test('webhook endpoints are created, paused, given a new secret and deleted, by whom the role allows it', async () => {
  const { acme, browser } = await signUp()
  await browser.open('/account/webhooks')
  const refused = await browser.send('/account/webhooks', { url: 'http://acme.com/hooks', events: 'qr_code.scanned' })
  expect(refused.status).toBe(400)
  const created = await browser.send('/account/webhooks', { url: 'https://acme.com/hooks', events: 'qr_code.created' })
  const secret = /whsec_[0-9a-f]{64}/.exec(created.text)?.[0]
  expect(secret).toBeDefined()
  expect((await browser.open('/account/webhooks')).text).not.toContain('whsec_')
  const endpoint = async () => (await acme.get('/v1/webhooks')).body.data[0]
  const { id } = await endpoint()
  await browser.send('/account/webhooks/change', { id, pause: '1' })
  expect((await endpoint()).isActive).toBe(false)
  await acme.post('/v1/qr-codes', {})
  const deliveries = await browser.open(`/account/webhooks/deliveries?id=${id}`)
  expect(deliveries.text).toContain('qr_code.created')
  expect(deliveries.text).toContain('held')
  const rotated = await browser.send('/account/webhooks/change', { id, rotate: '1' })
  expect(/whsec_[0-9a-f]{64}/.exec(rotated.text)?.[0]).not.toBe(secret)
  const agent = await harness.createPerson(acme, 'agent')
  const other = visitor()
  other.cookies.set('waymark_session', agent.token)
  expect((await other.open('/account/webhooks')).text).toContain('https://acme.com/hooks')
  await other.open('/account')
  expect((await other.send('/account/webhooks/change', { id, delete: '1' })).status).toBe(400)
  expect((await endpoint()).id).toBe(id)
  await browser.open('/account/webhooks')
  expect((await browser.send('/account/webhooks/change', { id, delete: '1' })).status).toBe(303)
  expect(await endpoint()).toBeUndefined()
})

test('awkward input gets an answer that says what to do, and never a failure', async () => {
  const { browser, email } = await signUp()
  await browser.open('/account')
  const long = await browser.send('/account', { first_name: 'x'.repeat(101), last_name: '' })
  expect(long.status).toBe(400)
  expect(long.text).toContain('at most 100 characters, not blank'.slice(-9))
  for (const name of ['\u0000Kim', '🏷️', 'مرحبا', "'; drop table users; --", '\ud800']) {
    expect((await browser.send('/account', { first_name: name, last_name: '' })).status, name).toBe(303)
  }
  for (const [address, password] of [
    ['\u0000', '\u0000'],
    ['x'.repeat(5000), 'y'.repeat(5000)],
    [email, ''],
    ['', ''],
  ] as const) {
    expect((await signIn(visitor(), address, password)).status).toBe(401)
  }
  for (const path of ['/account/set-up?token=%00', '/account/invitation?token=x', '/account/reset-password']) {
    expect((await visitor().open(path)).status, path).toBe(404)
  }
  const ids = ['nonsense', '', '%00']
  for (const id of ids) {
    expect((await browser.send('/account/team/member', { id, remove: '1' })).status).toBe(400)
    expect((await browser.send('/account/sessions/end', { id })).status).toBe(303)
    expect((await browser.open(`/account/webhooks/deliveries?id=${id}`)).status).toBe(404)
  }
})

test('pages are in the language of the browser', async () => {
  const browser = new Visitor(harness.baseUrl, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' })
  const { text, headers } = await browser.open('/account/sign-in')
  expect(headers.get('content-language')).toBe('de')
  expect(text).toContain('<html lang="de">')
  expect(text).toContain('Anmelden')
})
