import { describe, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { type VisitedPage, Visitor } from '../../../testing/visitor.ts'
import { Authenticator } from '../../../testing/world/authenticator.ts'
import { codeAt } from '../factors/totp.ts'
import { createLink } from '../one-time-links/index.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.0/8' } })

const PASSWORD = 'lamp river seven'
const SECOND_STEP = '/account/sign-in/second-step'
const STEP_MS = 30 * SECOND_MS

/** Passkeys need a host with a name. */
const origin = () => harness.baseUrl.replace('127.0.0.1', 'localhost')
let addresses = 0
/** A browser at its own address, so that tests do not slow each other down. */
const visitor = () => new Visitor(origin(), { 'x-forwarded-for': `198.51.100.${++addresses}`, 'accept-language': 'en' })

let owners = 0
async function signUp() {
  const acme = await harness.createTenant()
  const browser = visitor()
  const email = `factor-${++owners}@acme.com`
  const now = timestamp(harness.nowMs())
  const token = await harness.service.database.write((tx) => createLink(tx, 'set_up', { orgId: acme.orgId }, now))
  await browser.fillIn(`/account/set-up?token=${token}`, { token, email, password: PASSWORD })
  return { acme, browser, email }
}

const sessionOf = (browser: Visitor) => browser.cookies.get('waymark_session') as string
const statusOf = async (token: string) => (await harness.inSession(token).get('/v1/me')).status
const optionsIn = ({ text }: VisitedPage) =>
  JSON.parse((/data-options="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"'))
const codesIn = ({ text }: VisitedPage) =>
  [...text.matchAll(/<li>((?:\w{6}-){3}\w{6})<\/li>/g)].map(([, code]) => code!)

/** A code that was not used yet. */
function nextCode(seed: string): string {
  harness.advance(STEP_MS)
  return codeAt(seed, harness.nowMs())
}

async function addTotp(browser: Visitor) {
  const { text } = await browser.open('/account/factors/totp')
  const seed = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') as string
  const ticket = /name="ticket" value="([^"]+)"/.exec(text)?.[1] as string
  const reply = await browser.send('/account/factors/totp', { ticket, code: codeAt(seed, harness.nowMs()) })
  return { seed, ticket, reply, codes: codesIn(reply) }
}

async function addPasskey(browser: Visitor, { verifiesUser = true } = {}) {
  const passkey = new Authenticator(origin(), { verifiesUser })
  const credential = passkey.create(optionsIn(await browser.open('/account/factors/passkey')))
  const reply = await browser.send('/account/factors/passkey', { name: 'Work phone', credential })
  return { passkey, credential, reply, codes: codesIn(reply) }
}

async function withTotp() {
  const owner = await signUp()
  return { ...owner, ...(await addTotp(owner.browser)) }
}

const enterPassword = (browser: Visitor, email: string, next = '') =>
  browser.fillIn('/account/sign-in', { email, password: PASSWORD, next })

/** A browser that has entered the password and is asked for more. */
async function halfSignedIn(email: string): Promise<Visitor> {
  const browser = visitor()
  expect((await enterPassword(browser, email)).location).toBe(`${SECOND_STEP}?next=%2Faccount`)
  await browser.open(SECOND_STEP)
  return browser
}

/** Tries until it is too soon for the next attempt. A slow machine needs more attempts, because the first waits are short. */
async function untilSlowed(attempt: () => Promise<VisitedPage>) {
  for (let failures = 0; failures < 15; failures++) {
    const slowed = await attempt()
    if (slowed.text.includes('Try again in')) return { slowed, failures }
  }
  throw new Error('no attempt was slowed down')
}

const entriesOf = async (acme: { get: (path: string) => Promise<any> }, action: string) =>
  (await acme.get(`/v1/audit-log?action=${action}`)).body.data

describe('an authenticator app', () => {
  test('is added with a code of it, shows ten recovery codes once, and is then needed to sign in', async () => {
    const { acme, browser, email, seed, reply, codes } = await withTotp()
    expect(reply.status).toBe(200)
    expect(new Set(codes).size).toBe(10)
    const page = await browser.open('/account')
    expect(page.text).toContain('Recovery codes left: 10')
    expect(page.text).not.toContain(codes[0])
    const other = await halfSignedIn(email)
    const done = await other.send(SECOND_STEP, { code: nextCode(seed), next: '/account/team' })
    expect(done).toMatchObject({ status: 303, location: '/account/team' })
    expect(await statusOf(sessionOf(other))).toBe(200)
    expect(other.cookies.has('waymark_step')).toBe(false)
    expect(await entriesOf(acme, 'user.factor_added')).toMatchObject([{ changes: { factor: { to: 'totp' } } }])
    expect((await entriesOf(acme, 'session.created'))[0].changes).toEqual({ factor: { from: null, to: 'totp' } })
  })

  test('is not added with a wrong code, by another person, or after 30 minutes', async () => {
    const [first, second] = [await signUp(), await signUp()]
    const { text } = await first.browser.open('/account/factors/totp')
    const seed = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') as string
    const ticket = /name="ticket" value="([^"]+)"/.exec(text)?.[1] as string
    const send = (browser: Visitor, code: string) => browser.send('/account/factors/totp', { ticket, code })
    expect((await send(first.browser, '')).text).toContain('This code is not valid')
    await second.browser.open('/account')
    expect((await send(second.browser, codeAt(seed, harness.nowMs()))).text).toContain('took too long')
    expect((await enterPassword(visitor(), second.email)).location, 'nothing was added').toBe('/account')
    expect((await send(first.browser, codeAt(seed, harness.nowMs()))).text).toContain('Recovery codes')
    await first.browser.open('/account')
    expect((await send(first.browser, nextCode(seed))).location, 'there is one already').toBe('/account')
    harness.advance(30 * MINUTE_MS)
    await enterPassword(second.browser, second.email)
    expect((await send(second.browser, codeAt(seed, harness.nowMs()))).status).not.toBe(200)
  })

  test('a code works once, even in two requests at once', async () => {
    const { email, seed } = await withTotp()
    const browsers = [await halfSignedIn(email), await halfSignedIn(email)]
    const code = nextCode(seed)
    const replies = await Promise.all(browsers.map((browser) => browser.send(SECOND_STEP, { code })))
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401])
    const later = await halfSignedIn(email)
    expect((await later.send(SECOND_STEP, { code })).status).toBe(401)
    const before = codeAt(seed, harness.nowMs() - STEP_MS)
    expect((await later.send(SECOND_STEP, { code: before })).status, 'nor does one before it').toBe(401)
  })

  test('a recovery code works once, even in two requests at once and typed in another way', async () => {
    const { acme, browser, email, codes } = await withTotp()
    const browsers = [await halfSignedIn(email), await halfSignedIn(email)]
    const typed = [codes[0] as string, ` ${codes[0]?.toUpperCase().replaceAll('-', ' ')} `]
    const replies = await Promise.all(browsers.map((half, n) => half.send(SECOND_STEP, { code: typed[n] as string })))
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401])
    expect((await browser.open('/account')).text).toContain('Recovery codes left: 9')
    expect((await entriesOf(acme, 'session.created'))[0].changes.factor.to).toBe('recovery_code')
    const renewed = await browser.send('/account/factors/recovery-codes', {})
    expect(codesIn(renewed)).toHaveLength(10)
    const half = await halfSignedIn(email)
    expect((await half.send(SECOND_STEP, { code: codes[1] as string })).status, 'old codes stop working').toBe(401)
    expect((await half.send(SECOND_STEP, { code: codesIn(renewed)[1] as string })).status).toBe(303)
  })

  test('guesses are slowed down, and entering the password again does not help', async () => {
    const { acme, browser, email, seed } = await withTotp()
    const { slowed, failures: wrong } = await untilSlowed(async () =>
      (await halfSignedIn(email)).send(SECOND_STEP, { code: '000000' }),
    )
    expect(slowed.text).toContain('Try again in')
    await browser.open('/account')
    await browser.send('/account/sign-out', {})
    await enterPassword(browser, email)
    await browser.open(SECOND_STEP)
    const known = await browser.send(SECOND_STEP, { code: nextCode(seed) })
    expect(known.status, 'a browser that the person has used before').toBe(303)
    const failures = await eventually(async () => {
      const entries = await entriesOf(acme, 'sign_in.failed')
      return entries.length === wrong && entries
    })
    expect(JSON.stringify(failures)).not.toContain('000000')
  })

  test('its last factor removed, a person needs only the password, and the codes are gone', async () => {
    const { acme, browser, email, codes } = await withTotp()
    await browser.open('/account')
    await browser.send('/account/factors/remove', { id: 'totp' })
    expect((await enterPassword(visitor(), email)).location).toBe('/account')
    expect((await browser.open('/account')).text).not.toContain('Recovery codes left')
    const rows = await harness.service.database.kysely
      .selectFrom('recovery_codes')
      .innerJoin('users', 'users.id', 'recovery_codes.user_id')
      .select('hash')
      .where('email', '=', email)
      .execute()
    expect(rows).toEqual([])
    expect(codes).toHaveLength(10)
    expect(await entriesOf(acme, 'user.factor_removed')).toMatchObject([{ changes: { factor: { from: 'totp' } } }])
    for (const id of ['totp', 'nonsense', '019a7c00-0000-7000-8000-000000000001']) {
      expect((await browser.send('/account/factors/remove', { id })).location).toBe('/account')
    }
  })

  test('neither its seed nor a recovery code is stored as it is, or gets into the audit log', async () => {
    const { acme, seed, codes } = await withTotp()
    const { kysely } = harness.service.database
    const stored = JSON.stringify([
      await kysely.selectFrom('totp_secrets').selectAll().execute(),
      await kysely.selectFrom('recovery_codes').selectAll().execute(),
      (await acme.get('/v1/audit-log')).body,
    ])
    for (const secret of [seed, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(secret)
    }
  })
})

describe('between the two steps', () => {
  test('a person can call nothing, and reaches no page', async () => {
    const { email } = await withTotp()
    const half = await halfSignedIn(email)
    expect(half.cookies.has('waymark_session')).toBe(false)
    const ticket = half.cookies.get('waymark_step') as string
    for (const token of [ticket, ticket.slice(0, 43)]) {
      expect((await harness.inSession(token).get('/v1/me')).status).toBe(401)
    }
    for (const path of ['/account', '/account/confirm', '/account/factors/totp']) {
      expect((await half.open(path)).location, path).toBe(`/account/sign-in?next=${encodeURIComponent(path)}`)
    }
  })

  test('the second step is bound to the browser and the password, and ends after 5 minutes', async () => {
    const { browser, email, seed } = await withTotp()
    const half = await halfSignedIn(email)
    const thief = visitor()
    await thief.open('/account/sign-in')
    thief.cookies.set('waymark_step', half.cookies.get('waymark_step') as string)
    const stolen = await thief.send(SECOND_STEP, { code: nextCode(seed) })
    expect(stolen.location, 'another browser').toBe('/account/sign-in')
    for (const forged of ['nonsense', '1.AAAA', '999999.AAAA', '']) {
      thief.cookies.set('waymark_step', forged)
      expect((await thief.open(SECOND_STEP)).location, forged).toBe('/account/sign-in')
    }
    const late = await halfSignedIn(email)
    harness.advance(5 * MINUTE_MS)
    expect((await late.send(SECOND_STEP, { code: nextCode(seed) })).location, 'too late').toBe('/account/sign-in')
    const changed = await halfSignedIn(email)
    await browser.open('/account')
    await browser.send('/account/password', { current_password: PASSWORD, new_password: 'boat orange nine' })
    expect((await changed.send(SECOND_STEP, { code: nextCode(seed) })).location, 'another password').toBe(
      '/account/sign-in',
    )
  })

  test('a new password by a link does not replace the second factor', async () => {
    const { email, seed } = await withTotp()
    const token = await harness.service.database.write(async (tx) => {
      const { id } = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      return createLink(tx, 'reset_password', { userId: id }, timestamp(harness.nowMs()))
    })
    const browser = visitor()
    const reply = await browser.fillIn(`/account/reset-password?token=${token}`, {
      token,
      password: 'boat orange nine',
    })
    expect(reply.location).toBe(`${SECOND_STEP}?next=%2Faccount`)
    expect(browser.cookies.has('waymark_session')).toBe(false)
    await browser.open(SECOND_STEP)
    expect((await browser.send(SECOND_STEP, { code: nextCode(seed) })).location).toBe('/account')
  })
})

describe('a passkey', () => {
  /** The page that asks for a passkey, and what it sends. */
  const askAlone = async (browser: Visitor) => optionsIn(await browser.open('/account/sign-in/passkey?next='))
  const sendAlone = (browser: Visitor, credential: string) =>
    browser.send('/account/sign-in/passkey', { credential, next: '' })

  test('is a second factor, with recovery codes for the day that it is lost', async () => {
    const { acme, browser, email } = await signUp()
    const { passkey, reply, codes } = await addPasskey(browser)
    expect(reply.status).toBe(200)
    expect(codes).toHaveLength(10)
    expect((await browser.open('/account')).text).toContain('Work phone')
    const half = await halfSignedIn(email)
    const credential = passkey.get(optionsIn(await half.open(SECOND_STEP)))
    expect((await half.send(SECOND_STEP, { credential })).location).toBe('/account')
    expect((await entriesOf(acme, 'session.created'))[0].changes.factor.to).toBe('passkey')
    const other = await halfSignedIn(email)
    expect((await other.send(SECOND_STEP, { code: codes[0] as string })).location).toBe('/account')
  })

  test('alone signs in without an address, if it verifies the person', async () => {
    const [first, second] = [await signUp(), await signUp()]
    const { passkey } = await addPasskey(first.browser)
    const browser = visitor()
    expect((await sendAlone(browser, passkey.get(await askAlone(browser)))).location).toBe('/account')
    expect((await browser.open('/account')).text).toContain(first.email)
    const weak = await addPasskey(second.browser, { verifiesUser: false })
    const other = visitor()
    expect((await sendAlone(other, weak.passkey.get(await askAlone(other)))).status).toBe(401)
    const half = await halfSignedIn(second.email)
    const credential = weak.passkey.get(optionsIn(await half.open(SECOND_STEP)))
    expect((await half.send(SECOND_STEP, { credential })).status, 'but it is a second factor').toBe(303)
  })

  test('a signature works once, even in two requests at once, in its own browser, for 5 minutes', async () => {
    const { browser } = await signUp()
    const { passkey } = await addPasskey(browser)
    const one = visitor()
    const credential = passkey.get(await askAlone(one))
    const replies = await Promise.all([sendAlone(one, credential), sendAlone(one, credential)])
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401])
    const other = visitor()
    const stolen = passkey.get(await askAlone(visitor()))
    await askAlone(other)
    expect((await sendAlone(other, stolen)).status, 'signed in another browser').toBe(401)
    const late = passkey.get(await askAlone(other))
    harness.advance(5 * MINUTE_MS)
    expect((await sendAlone(other, late)).status, 'too late').toBe(401)
  })

  test('of another person, another site or another purpose is refused, and nonsense is, too', async () => {
    const [first, second] = [await signUp(), await signUp()]
    const { passkey } = await addPasskey(first.browser)
    await addPasskey(second.browser)
    const half = await halfSignedIn(second.email)
    const foreign = passkey.get(optionsIn(await half.open(SECOND_STEP)))
    expect((await half.send(SECOND_STEP, { credential: foreign })).status).toBe(401)
    const browser = visitor()
    const evil = new Authenticator('https://evil.example').get(await askAlone(browser))
    const secondStep = passkey.get(optionsIn(await half.open(SECOND_STEP)))
    const { id, ...withoutId } = JSON.parse(passkey.get(await askAlone(browser)))
    const nonsense = [
      '',
      '{}',
      'null',
      '[]',
      JSON.stringify({ ...withoutId, id: `${id}x` }),
      '{"id":"x","response":{}}',
    ]
    for (const credential of [evil, secondStep, ...nonsense]) {
      expect((await sendAlone(browser, credential)).status, credential.slice(0, 40)).toBe(401)
    }
  })

  test('belongs to one person, and nobody has more than ten', async () => {
    const [first, second] = [await signUp(), await signUp()]
    const { credential } = await addPasskey(first.browser)
    await first.browser.open('/account/factors/passkey')
    const again = await first.browser.send('/account/factors/passkey', { name: 'Again', credential })
    expect(again.text, 'a challenge works once').toContain('did not work')
    for (let n = 0; n < 9; n++) await addPasskey(first.browser)
    expect((await addPasskey(first.browser)).reply.text).toContain('at most 10 passkeys')
    const named = new Authenticator(origin())
    const created = named.create(optionsIn(await second.browser.open('/account/factors/passkey')))
    expect((await second.browser.send('/account/factors/passkey', { name: ' ', credential: created })).status).toBe(400)
    await second.browser.open('/account/factors/passkey')
    expect(
      (await second.browser.send('/account/factors/passkey', { name: '🔑 مفتاح', credential: created })).status,
    ).toBe(200)
    const { text } = await second.browser.open('/account')
    expect(text).toContain('🔑 مفتاح')
    const id = /name="id" value="([0-9a-f-]{36})"><button class="bad">/.exec(text)?.[1] as string
    await first.browser.open('/account')
    await first.browser.send('/account/factors/remove', { id })
    expect((await second.browser.open('/account')).text, 'of another person').toContain('🔑 مفتاح')
    await second.browser.send('/account/factors/remove', { id })
    expect((await second.browser.open('/account')).text).not.toContain('🔑 مفتاح')
  })

  test('needs a script, which no other page runs', async () => {
    const { browser } = await signUp()
    const policyOf = async (visited: Visitor, path: string) =>
      (await visited.open(path)).headers.get('content-security-policy')
    for (const [visited, path] of [
      [visitor(), '/account/sign-in/passkey'],
      [browser, '/account/factors/passkey'],
    ] as const) {
      expect(await policyOf(visited, path), path).toMatch(/; script-src 'self'; form-action 'self'; /)
    }
    for (const path of ['/account', '/account/factors/totp', '/account/confirm', '/account/api-keys']) {
      expect(await policyOf(browser, path), path).not.toContain('script')
    }
    const { text } = await browser.open('/account/factors/passkey')
    const script = await browser.open(/src="([^"]+)"/.exec(text)?.[1] as string)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.text).toContain('navigator.credentials')
    const byAddress = new Visitor(harness.baseUrl)
    expect((await byAddress.open('/account/sign-in')).text).not.toContain('/account/sign-in/passkey')
    expect((await byAddress.open('/account/sign-in/passkey')).status).toBe(404)
  })
})

describe('a person who signed in more than 10 minutes ago', () => {
  const OLD_MS = 10 * MINUTE_MS

  test('confirms who they are, and then the form that they have sent is applied', async () => {
    const { acme, browser } = await signUp()
    await browser.open('/account/api-keys')
    harness.advance(OLD_MS)
    const asked = await browser.send('/account/api-keys', { name: 'Ware & house' })
    expect(asked.status).toBe(403)
    expect(asked.text).toContain('Confirm that it is you')
    const kept = { action: '/account/api-keys', fields: 'name=Ware+%26+house' }
    expect(asked.text).toContain(kept.fields.replaceAll('&', '&amp;'))
    const wrong = await browser.send('/account/confirm', { ...kept, password: 'wrong' })
    expect(wrong.status).toBe(401)
    expect(wrong.text, 'the form is kept').toContain(kept.fields)
    const before = sessionOf(browser)
    const done = await browser.send('/account/confirm', { ...kept, password: PASSWORD })
    expect(done.status).toBe(200)
    expect(done.text).toMatch(/wm_live_\w{40}/)
    expect((await acme.get('/v1/api-keys')).body.data[0].name).toBe('Ware & house')
    expect(await statusOf(sessionOf(browser))).toBe(200)
    harness.advance(SECOND_MS)
    expect(await statusOf(before), 'the old id of the session').toBe(401)
    expect(await entriesOf(acme, 'session.confirmed')).toHaveLength(1)
  })

  test('is led to the page and back, and nowhere else', async () => {
    const { browser } = await signUp()
    harness.advance(OLD_MS)
    const next = '/account/factors/totp'
    expect((await browser.open(next)).location).toBe(`/account/confirm?next=${encodeURIComponent(next)}`)
    const confirm = (fields: Record<string, string>) =>
      browser.fillIn('/account/confirm', { password: PASSWORD, ...fields })
    expect((await confirm({ next })).location).toBe(next)
    expect((await browser.open(next)).status).toBe(200)
    for (const evil of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      expect((await confirm({ next: evil })).location, evil).toBe('/account')
    }
    for (const action of ['/account/confirm', '/account/sign-in', '/nonsense', 'https://evil.example', '']) {
      expect((await confirm({ action, fields: '' })).location, action).toBe('/account')
    }
  })

  test('needs all that they need to sign in: a code, too, or a passkey that verifies them', async () => {
    const { browser, seed } = await withTotp()
    const { passkey } = await addPasskey(browser)
    const confirm = (fields: Record<string, string>) => browser.send('/account/confirm', { next: '', ...fields })
    await browser.open('/account/confirm')
    expect((await confirm({ password: PASSWORD })).status).toBe(401)
    expect((await confirm({ password: PASSWORD, code: '000000' })).status).toBe(401)
    expect((await confirm({ password: 'wrong', code: nextCode(seed) })).status).toBe(401)
    expect((await confirm({ password: PASSWORD, code: nextCode(seed) })).status).toBe(303)
    const options = optionsIn(await browser.open('/account/confirm'))
    expect((await confirm({ credential: passkey.get(options) })).status).toBe(303)
    const alone = visitor()
    const other = passkey.get(optionsIn(await alone.open('/account/sign-in/passkey')))
    await browser.open('/account/confirm')
    expect((await confirm({ credential: other })).status, 'asked for another purpose').toBe(401)
  })

  test('is slowed down after wrong passwords', async () => {
    const { browser } = await signUp()
    await browser.open('/account/confirm')
    const { failures } = await untilSlowed(() => browser.send('/account/confirm', { password: 'no' }))
    expect(failures).toBeGreaterThanOrEqual(5)
  })

  test('is slowed down where the current password is asked for, too', async () => {
    const { browser } = await signUp()
    await browser.open('/account')
    const change = (current_password: string) =>
      browser.send('/account/password', { current_password, new_password: 'boat orange nine' })
    const { failures } = await untilSlowed(() => change('no'))
    expect(failures).toBeGreaterThanOrEqual(5)
  })

  test('must confirm before any change of their factors', async () => {
    const { browser } = await withTotp()
    await browser.open('/account')
    harness.advance(OLD_MS)
    for (const [path, fields] of [
      ['/account/factors/remove', { id: 'totp' }],
      ['/account/factors/recovery-codes', {}],
      ['/account/factors/totp', { ticket: '', code: '' }],
      ['/account/factors/passkey', { name: 'x', credential: '' }],
    ] as const) {
      const reply = await browser.send(path, fields)
      expect({ status: reply.status, asks: reply.text.includes('Confirm that it is you') }, path).toEqual({
        status: 403,
        asks: true,
      })
    }
    expect((await browser.open('/account')).text).toContain('Authenticator app')
  })
})

test('a session gets a new id whenever the person changes how they prove who they are, and the old one stops', async () => {
  const { browser } = await signUp()
  const ids = [sessionOf(browser)]
  const expectNewId = async (what: string) => {
    const old = ids.at(-1) as string
    expect(sessionOf(browser), what).not.toBe(old)
    expect(await statusOf(old), what).toBe(401)
    expect(await statusOf(sessionOf(browser)), what).toBe(200)
    ids.push(sessionOf(browser))
  }
  await addTotp(browser)
  await expectNewId('a factor was added')
  await addPasskey(browser)
  await expectNewId('another one was added')
  await browser.open('/account')
  await browser.send('/account/factors/recovery-codes', {})
  await expectNewId('recovery codes were renewed')
  await browser.open('/account')
  await browser.send('/account/factors/remove', { id: 'totp' })
  await expectNewId('a factor was removed')
  await browser.open('/account')
  await browser.send('/account/password', { current_password: PASSWORD, new_password: 'boat orange nine' })
  await expectNewId('the password was changed')
  expect(new Set(ids).size).toBe(6)
  const { text } = await browser.open('/account')
  expect(text.match(/Firefox, Linux/g), 'it is one session').toHaveLength(1)
})
