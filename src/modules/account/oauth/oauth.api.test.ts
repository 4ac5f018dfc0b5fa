import { beforeAll, describe, expect, inject, test } from 'vitest'
import { startService } from '../../../main/service.ts'
import { HOUR_MS, MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { Client } from '../../../testing/client.ts'
import { type Person, type Tenant, testConfig, useHarness } from '../../../testing/harness.ts'
import { OAuthApplication } from '../../../testing/oauth-application.ts'
import { Visitor } from '../../../testing/visitor.ts'
import { findFreePort } from '../../../testing/world/free-port.ts'
import { createLink } from '../one-time-links/index.ts'
import { getRole, type RoleName } from '../roles/index.ts'

const port = await findFreePort()
const appUrl = `http://127.0.0.1:${port}`
const harness = useHarness({ role: 'api', config: { port, appUrl, trustProxy: '127.0.0.0/8' } })

let acme: Tenant
let app: OAuthApplication
beforeAll(async () => {
  acme = await harness.createTenant()
  app = await OAuthApplication.register(appUrl, 'Acme Sync')
})

let addresses = 0
/** The browser of a person who is signed in. */
function browserOf(person: Person): Visitor {
  const browser = new Visitor(appUrl, { 'x-forwarded-for': `203.0.113.${++addresses % 250}`, 'accept-language': 'en' })
  browser.cookies.set('waymark_session', person.token)
  return browser
}

/** Connects the application for a new person. */
async function connect(scope = 'articles.manage', role: RoleName = 'owner', tenant = acme) {
  const person = await harness.createPerson(tenant, role)
  const browser = browserOf(person)
  const tokens = await app.connect(browser, scope)
  return { person, browser, tokens, api: new Client(appUrl, tokens.access_token) }
}

const errorOf = async (response: Response) => ({
  status: response.status,
  error: ((await response.json()) as { error: string }).error,
})
const INVALID_GRANT = { status: 400, error: 'invalid_grant' }
const INVALID_TOKEN = { status: 401, body: { error: 'invalid_api_key' } }

describe('an application', () => {
  test('connects for a person, and acts for them in their organisation', async () => {
    const { person, tokens, api } = await connect('qr.view articles.manage')
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'qr.view articles.manage' })
    expect(tokens.access_token).toMatch(/^wmo_live_[0-9A-Za-z]{40}$/)
    expect(tokens).not.toHaveProperty('id_token')
    const { body } = await api.get('/v1/me')
    expect(body).toEqual({
      object: 'me',
      connection_label: `${body.org_name} · Acme Sync`,
      org_name: body.org_name,
      auth: {
        type: 'oauth_token',
        client: { client_id: app.client.client_id, name: 'Acme Sync', logo_url: null },
        scopes: ['qr.view', 'articles.manage'],
      },
      org: { id: acme.orgId, name: body.org_name, slug: acme.slug },
      user: { id: person.userId, first_name: 'Kim', last_name: null },
    })
    expect(app.client.client_id).toMatch(/^wmc_[0-9a-f]{12}$/)
  })

  test('can do what its scopes allow, and nothing that only people may do', async () => {
    const { api } = await connect('qr.view articles.manage')
    expect((await api.get('/v1/qr-codes')).status).toBe(200)
    expect((await api.post('/v1/article-tags', { name: 'By an application' })).status).toBe(201)
    expect(await api.post('/v1/qr-codes', {})).toMatchObject({
      status: 403,
      body: { error: 'forbidden', details: { required_scope: 'qr.manage' } },
    })
    expect(await api.get('/v1/products')).toMatchObject({
      status: 403,
      body: { details: { required_scope: 'products.view' } },
    })
    for (const path of ['/v1/api-keys', '/v1/connected-applications']) {
      expect(await api.get(path), path).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    }
  })

  test('can do only what the role of its person allows, too, and follows when that changes', async () => {
    const { person, api } = await connect('qr.manage articles.manage', 'manager')
    expect((await api.post('/v1/article-tags', { name: 'While a manager' })).status).toBe(201)
    await acme.patch(`/v1/team/members/${person.memberId}`, { role_id: getRole('member').id })
    harness.advance(1000)
    expect((await api.get('/v1/article-tags')).status).toBe(200)
    expect(await api.post('/v1/article-tags', { name: 'While a member' })).toMatchObject({
      status: 403,
      body: { details: { required_scope: 'articles.manage' } },
    })
    expect((await api.get('/v1/me')).body.auth.scopes).toEqual(['qr.view', 'articles.view'])
  })

  test('is named in the audit log, with the person', async () => {
    const { api } = await connect('articles.manage')
    const { id } = (await api.post('/v1/article-tags', { name: 'Audited' })).body
    const { data } = (await acme.get(`/v1/audit-log?resource=${id}`)).body
    expect(data[0]).toMatchObject({
      action: 'article_tag.created',
      actor: { type: 'application', name: 'Acme Sync (Kim)' },
    })
    const connections = (await acme.get('/v1/audit-log?action=connected_application.created')).body.data
    expect(connections[0]).toMatchObject({ actor: { type: 'person', name: 'Kim' } })
    expect((await acme.get(`/v1/audit-log?actor=${data[0].actor.id}`)).body.data).toHaveLength(1)
  })

  test('shares the rate limit of the organisation, and replays a request after its token was refreshed', async () => {
    const { tokens, api } = await connect('articles.manage')
    const key = { 'idempotency-key': 'one' }
    const first = await api.post('/v1/article-tags', { name: 'Once' }, key)
    const { access_token } = await app.refresh(tokens.refresh_token)
    const again = await new Client(appUrl, access_token).post('/v1/article-tags', { name: 'Once' }, key)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const remaining = async (client: Client) =>
      Number((await client.get('/v1/me')).headers.get('x-ratelimit-remaining-minute'))
    const before = await remaining(acme)
    expect(await remaining(api)).toBeLessThan(before)
  })
})

describe('a person', () => {
  test('sees what the application may do, where they go afterwards, and what their role forbids', async () => {
    const person = await harness.createPerson(acme, 'agent')
    const browser = browserOf(person)
    const { url } = await app.ask('qr.manage articles.view conversations.manage')
    const { location } = await browser.open(url.pathname + url.search)
    const { text, headers } = await browser.open(location as string)
    expect(text).toContain('Connect Acme Sync?')
    expect(text).toContain('sync.acme.example')
    expect(text).toContain(person.email)
    const sections = text.split('<h2>').slice(1)
    expect(sections[0]).toMatch(/It may see and change<[\s\S]*Conversations/)
    expect(sections[1]).toMatch(/It may see, but not change<[\s\S]*QR codes[\s\S]*Articles/)
    expect(sections[2]).toMatch(/Your role does not include[\s\S]*QR codes/)
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https://sync.acme.example;")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('chooses the organisation, but none that they do not belong to', async () => {
    const [second, foreign] = [await harness.createTenant(), await harness.createTenant()]
    const owner = await harness.createPerson(second, 'owner')
    const { token, email } = await harness.createPerson(acme, 'member')
    const { body } = await owner.post('/v1/team/invitations', { email, role_id: getRole('manager').id })
    const browser = new Visitor(appUrl, { 'accept-language': 'en' })
    browser.cookies.set('waymark_session', token)
    await browser.fillIn(`/account/invitation?token=${body.token}`, { token: body.token })
    const asked = await app.ask('articles.manage')
    const { location } = await browser.open(asked.url.pathname + asked.url.search)
    const page = await browser.open(`${location}?organisation=${second.orgId}`)
    expect(page.text).toContain(`name="organisation" value="${second.orgId}"`)
    expect((await browser.send(location as string, { allow: '1', organisation: foreign.orgId })).status).toBe(403)
    expect((await browser.send(location as string, { allow: '1', organisation: 'nonsense' })).status).toBe(403)
    const decided = await browser.send(location as string, { allow: '1', organisation: second.orgId })
    const sent = await browser.open(decided.location as string)
    const tokens = await app.exchange(asked, new URL(sent.location as string))
    const me = await new Client(appUrl, tokens.access_token).get('/v1/me')
    expect(me.body.org.id).toBe(second.orgId)
  })

  test('who is not signed in signs in first, and comes back', async () => {
    const browser = new Visitor(appUrl)
    const { url } = await app.ask('qr.view')
    const { location } = await browser.open(url.pathname + url.search)
    expect(await browser.open(location as string)).toMatchObject({
      status: 303,
      location: `/account/sign-in?next=${encodeURIComponent(location as string)}`,
    })
  })

  test('can deny it', async () => {
    const asked = await app.ask('qr.view')
    const callback = await app.decide(browserOf(await harness.createPerson(acme, 'owner')), asked, { deny: '1' })
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: 'access_denied',
      state: asked.state,
      iss: appUrl,
    })
  })

  test('cannot be made to decide about a request that began in another browser', async () => {
    const [attacker, victim] = [
      browserOf(await harness.createPerson(acme, 'member')),
      browserOf(await harness.createPerson(acme, 'owner')),
    ]
    const { url } = await app.ask('team.manage')
    const { location } = await attacker.open(url.pathname + url.search)
    expect((await victim.open(location as string)).status).toBe(404)
    await victim.open('/account')
    expect((await victim.send(location as string, { allow: '1', organisation: acme.orgId })).status).toBe(404)
    const foreign = await attacker.open(location as string)
    expect(foreign.status).toBe(200)
    const crossSite = await attacker.send(
      location as string,
      { allow: '1', organisation: acme.orgId },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(crossSite.status).toBe(403)
  })

  test('who clicks twice has one connection', async () => {
    const person = await harness.createPerson(acme, 'owner')
    const browser = browserOf(person)
    const { url } = await app.ask('qr.view')
    const { location } = await browser.open(url.pathname + url.search)
    await browser.open(location as string)
    const fields = { allow: '1', organisation: acme.orgId }
    await Promise.all([1, 2, 3].map(() => browser.send(location as string, fields)))
    const { data } = (await person.get('/v1/connected-applications?page_size=100')).body
    expect(data.filter(({ user }: { user: { id: string } }) => user.id === person.userId)).toHaveLength(1)
  })

  test('sees and disconnects their applications; an admin those of everybody', async () => {
    const tenant = await harness.createTenant()
    const [member, other] = [await connect('qr.view', 'member', tenant), await connect('qr.view', 'agent', tenant)]
    const admin = await harness.createPerson(tenant, 'admin')
    const list = async (person: Client) => (await person.get('/v1/connected-applications')).body
    const own = await list(member.person)
    expect(own).toMatchObject({
      total: 1,
      data: [{ client: { name: 'Acme Sync' }, user: { id: member.person.userId }, scopes: ['qr.view'] }],
    })
    const { id } = own.data[0]
    const delete_ = (person: Client, id: string) => person.delete(`/v1/connected-applications/${id}`)
    expect((await delete_(other.person, id)).status, 'of somebody else').toBe(404)
    expect((await delete_(await harness.createPerson(acme, 'owner'), id)).status, 'of another organisation').toBe(404)
    expect((await list(admin)).total).toBe(2)
    expect((await member.api.get('/v1/me')).status).toBe(200)
    const page = await member.browser.open('/account/applications')
    expect(page.text).toContain('Acme Sync')
    expect(await member.browser.send('/account/applications', { id })).toMatchObject({ status: 303 })
    harness.advance(1000)
    expect(await member.api.get('/v1/me')).toMatchObject(INVALID_TOKEN)
    expect(await errorOf(await app.requestRefresh(member.tokens.refresh_token))).toEqual(INVALID_GRANT)
    expect((await delete_(admin, (await list(admin)).data[0].id)).status).toBe(204)
    harness.advance(1000)
    expect(await other.api.get('/v1/me')).toMatchObject(INVALID_TOKEN)
    const { data } = (await tenant.get('/v1/audit-log?action=connected_application.deleted')).body
    expect(data.map(({ actor }: { actor: { id: string } }) => actor.id)).toEqual([admin.userId, member.person.userId])
  })

  test('who is removed from the organisation leaves no working token behind', async () => {
    const { person, tokens, api } = await connect('articles.manage', 'manager')
    expect((await api.get('/v1/me')).status).toBe(200)
    expect((await acme.delete(`/v1/team/members/${person.memberId}`)).status).toBe(204)
    harness.advance(1000)
    expect(await api.get('/v1/me')).toMatchObject(INVALID_TOKEN)
    expect(await errorOf(await app.requestRefresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
  })
})

describe('a refresh token', () => {
  test('works once and has a successor', async () => {
    const { tokens, api } = await connect()
    const next = await app.refresh(tokens.refresh_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await new Client(appUrl, next.access_token).get('/v1/me')).status).toBe(200)
    expect((await api.get('/v1/me')).status, 'the first access token lives on').toBe(200)
    expect((await app.refresh(next.refresh_token)).access_token).toMatch(/^wmo_live_/)
  })

  test('that is used twice ends all tokens of its grant', async () => {
    const { tokens, api } = await connect()
    const next = await app.refresh(tokens.refresh_token)
    expect(await errorOf(await app.requestRefresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
    harness.advance(1000)
    expect(await api.get('/v1/me')).toMatchObject(INVALID_TOKEN)
    expect(await new Client(appUrl, next.access_token).get('/v1/me')).toMatchObject(INVALID_TOKEN)
    expect(await errorOf(await app.requestRefresh(next.refresh_token))).toEqual(INVALID_GRANT)
  })

  test('that is used twice at the same moment ends them, too', async () => {
    const { tokens, api } = await connect()
    const responses = await Promise.all([1, 2].map(() => app.requestRefresh(tokens.refresh_token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    harness.advance(1000)
    expect(await api.get('/v1/me')).toMatchObject(INVALID_TOKEN)
  })

  test('can ask for fewer scopes, and for no others', async () => {
    const { tokens } = await connect('qr.view articles.manage')
    const narrow = await app.refresh(tokens.refresh_token, { scope: 'qr.view' })
    expect(narrow.scope).toBe('qr.view')
    const api = new Client(appUrl, narrow.access_token)
    expect((await api.get('/v1/qr-codes')).status).toBe(200)
    expect((await api.get('/v1/article-tags')).status).toBe(403)
    expect(await errorOf(await app.requestRefresh(narrow.refresh_token, { scope: 'team.manage' }))).toEqual({
      status: 400,
      error: 'invalid_scope',
    })
    expect((await app.refresh(narrow.refresh_token)).scope).toBe('qr.view articles.manage')
  })

  test('belongs to one application', async () => {
    const { tokens, api } = await connect()
    const other = await OAuthApplication.register(appUrl, 'Another')
    expect(await errorOf(await other.requestRefresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
    await other.revoke(tokens.refresh_token)
    await other.revoke(tokens.access_token)
    harness.advance(1000)
    expect((await api.get('/v1/me')).status).toBe(200)
  })
})

describe('an authorisation code', () => {
  test('works once; a second use ends the tokens of the first', async () => {
    const browser = browserOf(await harness.createPerson(acme, 'owner'))
    const asked = await app.ask('qr.view')
    const callback = await app.decide(browser, asked)
    const tokens = await app.exchange(asked, callback)
    expect(await errorOf(await app.requestTokens(asked, callback))).toEqual(INVALID_GRANT)
    harness.advance(1000)
    expect(await new Client(appUrl, tokens.access_token).get('/v1/me')).toMatchObject(INVALID_TOKEN)
  })

  test('is worth nothing without the verifier, for another application, or after a minute', async () => {
    const browser = browserOf(await harness.createPerson(acme, 'owner'))
    const asked = await app.ask('qr.view')
    const callback = await app.decide(browser, asked)
    const other = await app.ask('qr.view')
    expect(await errorOf(await app.requestTokens({ ...asked, verifier: other.verifier }, callback))).toEqual(
      INVALID_GRANT,
    )
    const code = callback.searchParams.get('code') as string
    const send = (fields: Record<string, string>) =>
      fetch(`${appUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          client_id: app.client.client_id,
          redirect_uri: app.redirectUri,
          code_verifier: asked.verifier,
          ...fields,
        }),
      })
    const another = await OAuthApplication.register(appUrl, 'Another')
    expect(await errorOf(await send({ client_id: another.client.client_id }))).toEqual(INVALID_GRANT)
    expect(await errorOf(await send({ redirect_uri: 'https://evil.example/callback' }))).toEqual(INVALID_GRANT)
    expect(await errorOf(await send({ resource: 'https://evil.example/v1' }))).toEqual({
      status: 400,
      error: 'invalid_target',
    })
    harness.advance(61_000)
    expect(await errorOf(await send({}))).toEqual(INVALID_GRANT)
  })
})

describe('an access token', () => {
  test('expires after an hour', async () => {
    const { api } = await connect()
    harness.advance(HOUR_MS - 1000)
    expect((await api.get('/v1/me')).status).toBe(200)
    harness.advance(1000)
    const expired = await api.get('/v1/me')
    expect(expired).toMatchObject(INVALID_TOKEN)
    expect(expired.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${appUrl}/.well-known/oauth-protected-resource/v1"`,
    )
    const anonymous = await new Client(appUrl, undefined).get('/v1/me')
    expect(anonymous.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/)
  })

  test('that was revoked stops working within a second, as do all others of the grant', async () => {
    for (const name of ['access_token', 'refresh_token'] as const) {
      const { tokens, api } = await connect()
      expect((await api.get('/v1/me')).status).toBe(200)
      await app.revoke(tokens[name])
      harness.advance(1000)
      expect(await api.get('/v1/me'), name).toMatchObject(INVALID_TOKEN)
      expect(await errorOf(await app.requestRefresh(tokens.refresh_token)), name).toEqual(INVALID_GRANT)
      await app.revoke(tokens[name])
    }
  })

  test.runIf(inject('engine') === 'postgres')('that was revoked stops on another instance, too', async () => {
    const other = await startService({ ...testConfig(harness), appUrl }, 'api', createLogger('silent'), {
      clock: harness.nowMs,
    })
    const { tokens } = await connect()
    const elsewhere = new Client(`http://127.0.0.1:${other.port}`, tokens.access_token)
    expect((await elsewhere.get('/v1/me')).status).toBe(200)
    await app.revoke(tokens.access_token)
    harness.advance(1000)
    expect(await elsewhere.get('/v1/me')).toMatchObject(INVALID_TOKEN)
    await other.close()
  })

  test('is read with one statement, and not again within half a second', async () => {
    const { api } = await connect('articles.view')
    await api.get('/v1/article-tags')
    harness.advance(1000)
    const selects = async () =>
      (await harness.statementsOf(() => api.get('/v1/article-tags'))).filter(({ sql }) => sql.includes('oauth_'))
    expect(await selects()).toHaveLength(1)
    expect(await selects()).toHaveLength(0)
  })

  test('is nowhere in the database, and neither are codes, refresh tokens and requests', async () => {
    const browser = browserOf(await harness.createPerson(acme, 'owner'))
    const asked = await app.ask('qr.view')
    const { location } = await browser.open(asked.url.pathname + asked.url.search)
    const pending = location?.split('/').at(-1) as string
    const second = await app.ask('qr.view')
    const callback = await app.decide(browser, second)
    const tokens = await app.exchange(second, callback)
    const { kysely } = harness.service.database
    const rows = await Promise.all([
      kysely.selectFrom('oauth_tokens').selectAll().execute(),
      kysely.selectFrom('oauth_grants').selectAll().where('org_id', '=', acme.orgId).execute(),
      kysely.selectFrom('audit_log').selectAll().where('org_id', '=', acme.orgId).execute(),
    ])
    const stored = JSON.stringify(rows)
    const code = callback.searchParams.get('code') as string
    for (const secret of [tokens.access_token, tokens.refresh_token, code, pending]) {
      expect(stored).not.toContain(secret)
    }
  })
})

describe('the applications of a person', () => {
  const PASSWORD = 'lamp river seven'
  const NEW_PASSWORD = 'boat orange nine'
  const database = () => harness.service.database
  const now = () => timestamp(harness.nowMs())

  const setPassword = async (browser: Visitor, person: Person, password: string) => {
    const token = await database().write((tx) => createLink(tx, 'reset_password', { userId: person.userId }, now()))
    const reply = await browser.fillIn(`/account/reset-password?token=${token}`, { token, password })
    expect(reply.status).toBe(303)
  }

  async function connectedWithPassword() {
    const person = await harness.createPerson(acme, 'owner')
    const browser = browserOf(person)
    await setPassword(browser, person, PASSWORD)
    const tokens = await app.connect(browser, 'articles.manage')
    return { person, browser, tokens, api: new Client(appUrl, tokens.access_token) }
  }

  const change = async (browser: Visitor, more: Record<string, string>) => {
    expect((await browser.open('/account')).text).toContain('Also disconnect all applications')
    const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    expect((await browser.send('/account/password', { ...passwords, ...more })).status).toBe(303)
    harness.advance(1000)
  }

  test('stay connected when the password is changed, unless the person chooses otherwise', async () => {
    const { browser, tokens, api } = await connectedWithPassword()
    await change(browser, {})
    expect((await api.get('/v1/me')).status).toBe(200)
    expect((await app.requestRefresh(tokens.refresh_token)).status).toBe(200)
    const other = await connectedWithPassword()
    await change(other.browser, { disconnect: '1' })
    expect(await other.api.get('/v1/me')).toMatchObject(INVALID_TOKEN)
    expect(await errorOf(await app.requestRefresh(other.tokens.refresh_token))).toEqual(INVALID_GRANT)
  })

  test('are disconnected when the password is reset', async () => {
    const { person, tokens, api } = await connectedWithPassword()
    await setPassword(browserOf(person), person, NEW_PASSWORD)
    harness.advance(1000)
    expect(await api.get('/v1/me')).toMatchObject(INVALID_TOKEN)
    expect(await errorOf(await app.requestRefresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
  })

  test('get a new one only after a recent proof of who the person is', async () => {
    const { person, browser } = await connectedWithPassword()
    const asked = await app.ask('articles.view')
    const path = (await browser.open(asked.url.pathname + asked.url.search)).location as string
    const page = await browser.open(path)
    const organisation = /name="organisation" value="([^"]+)"/.exec(page.text)?.[1] as string
    harness.advance(10 * MINUTE_MS)
    const confirm = `/account/confirm?next=${encodeURIComponent(path)}`
    expect((await browser.send(path, { organisation, allow: '1' })).location).toBe(confirm)
    expect((await browser.open(path)).location).toBe(confirm)
    const { data } = (await acme.get('/v1/connected-applications?page_size=100')).body
    expect(data.filter(({ user }: any) => user.id === person.userId)).toHaveLength(1)
    await browser.open(confirm)
    const confirmed = await browser.send('/account/confirm', { next: path, password: PASSWORD })
    expect(confirmed.location).toBe(path)
    await browser.open(path)
    expect((await browser.send(path, { organisation, allow: '1' })).location).toContain('/oauth/authorize/')
  })

  test('cannot be connected in a session that has just ended', async () => {
    const { person, browser } = await connectedWithPassword()
    const asked = await app.ask('articles.view')
    const path = (await browser.open(asked.url.pathname + asked.url.search)).location as string
    using _stopped = harness.stopClock()
    const page = await browser.open(path)
    const organisation = /name="organisation" value="([^"]+)"/.exec(page.text)?.[1] as string
    await setPassword(browserOf(person), person, NEW_PASSWORD)
    expect((await browser.send(path, { organisation, allow: '1' })).status).toBe(401)
  })
})
