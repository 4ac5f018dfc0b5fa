import http from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteExpired } from '../../../erasure/retention.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock/index.ts'
import { Client } from '../../../testing/client.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { OAuthApplication } from '../../../testing/oauth-application.ts'
import { Visitor } from '../../../testing/visitor.ts'
import { findFreePort } from '../../../testing/world/free-port.ts'
import { refreshTokens } from './token.ts'

const port = await findFreePort()
const appUrl = `http://127.0.0.1:${port}`
const harness = useHarness({
  config: { port, appUrl, publicUrl: 'http://go.acme.example', acceptsAnyHost: false, trustProxy: '127.0.0.0/8' },
})

let acme: Tenant
let app: OAuthApplication
beforeAll(async () => {
  acme = await harness.createTenant()
  app = await OAuthApplication.register(appUrl, 'Acme Sync')
})

/** The library has notices for people who try it out. */
const prints = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')]
beforeEach(() => {
  for (const print of prints) print.mockClear()
})
afterEach(() => {
  for (const print of prints) expect(print).not.toHaveBeenCalled()
})

const jsonOf = (response: Response): Promise<any> => response.json()

let addresses = 0
const nextAddress = () => `198.51.100.${++addresses}`

const register = (metadata: unknown, address = nextAddress()) =>
  fetch(`${appUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, origin: 'https://any.example' },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })

const strange = () => new Visitor(appUrl, { 'accept-language': 'en', 'x-forwarded-for': nextAddress() })

const requestTokens = (fields: Record<string, string>, path = '/oauth/token') =>
  fetch(appUrl + path, {
    method: 'POST',
    headers: { origin: 'https://any.example' },
    body: new URLSearchParams({ client_id: app.client.client_id, ...fields }),
  })

/** Opens the address that an application sends a person to. */
const open = async (more: Record<string, string>, without: readonly string[] = [], browser = strange()) => {
  const { url } = await app.ask('qr.view', more)
  for (const name of without) url.searchParams.delete(name)
  return browser.open(url.pathname + url.search)
}

/** Errors of a response that would be in the fragment are there, too. */
const sentTo = (location: string | null) =>
  Object.fromEntries(new URL((location as string).replace('#', '?')).searchParams)

/** Somebody whom the application acts for, and somebody who is only signed in. */
let friend: Visitor | undefined
let stranger: Visitor | undefined

/** Requests an address as if it were on another host. */
const statusOn = (host: string, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      .on('error', reject)
  })

/** Occupies the only writer until it is disposed. */
async function holdWriter(): Promise<AsyncDisposable> {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = harness.service.database.write(async () => {
    begun.resolve()
    await released.promise
  }, acme.orgId)
  await begun.promise
  return {
    [Symbol.asyncDispose]: async () => {
      released.resolve()
      await held
    },
  }
}

/** Connects an application for a new person of Acme. */
async function connect(scope: string) {
  const person = await harness.createPerson(acme, 'owner')
  const browser = strange()
  browser.cookies.set('waymark_session', person.token)
  const tokens = await app.connect(browser, scope)
  return { person, browser, tokens, api: new Client(appUrl, tokens.access_token) }
}

describe('the metadata', () => {
  test('describes a plain OAuth 2.1 server, and the API as its resource', async () => {
    const server = await jsonOf(await fetch(`${appUrl}/.well-known/oauth-authorization-server`))
    expect(server).toMatchObject({
      issuer: appUrl,
      authorization_endpoint: `${appUrl}/oauth/authorize`,
      token_endpoint: `${appUrl}/oauth/token`,
      revocation_endpoint: `${appUrl}/oauth/revoke`,
      registration_endpoint: `${appUrl}/oauth/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(server.scopes_supported).toContain('qr.manage')
    expect(server.scopes_supported).not.toContain('openid')
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/v1']) {
      const response = await fetch(`${appUrl}/.well-known/${path}`)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(await response.json()).toMatchObject({ resource: `${appUrl}/v1`, authorization_servers: [appUrl] })
    }
  })

  test('and everything else of OAuth is on the host of the application only', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize']) {
      expect(await statusOn(`127.0.0.1:${port}`, path), path).not.toBe(404)
      for (const host of ['go.acme.example', 'shop.acme.example']) expect(await statusOn(host, path), path).toBe(404)
    }
  })

  test('names nothing of OpenID Connect, and none of its endpoints exists', async () => {
    for (const path of [
      '/.well-known/openid-configuration',
      '/oauth/jwks',
      '/jwks',
      '/oauth/me',
      '/oauth/userinfo',
      '/oauth/device',
      '/oauth/introspect',
      '/session/end',
    ]) {
      expect((await fetch(appUrl + path)).status, path).toBe(404)
    }
  })
})

describe('a registration', () => {
  test('answers what applies, and ignores what we do not know', async () => {
    const response = await register({
      client_name: ' Acme 🏷️ مرحبا ',
      redirect_uris: ['https://acme.example/cb', 'http://127.0.0.1/cb', 'example.acme.app:/cb'],
      logo_uri: 'https://acme.example/logo.svg',
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: 'chosen by the client',
      client_id: 'wmc_000000000000',
      contacts: ['owner@acme.example'],
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      client_id: expect.stringMatching(/^wmc_(?!0{12})[0-9a-f]{12}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Acme 🏷️ مرحبا',
      redirect_uris: ['https://acme.example/cb', 'http://127.0.0.1/cb', 'example.acme.app:/cb'],
      logo_uri: 'https://acme.example/logo.svg',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })

  test('is refused if it could send codes to somebody else, or names itself invisibly', async () => {
    const uri = 'https://acme.example/cb'
    const long = `https://acme.example/${'x'.repeat(1000)}`
    const refused = async (metadata: unknown) => {
      const response = await register(metadata)
      return response.status === 400 ? (await jsonOf(response)).error : response.status
    }
    for (const redirect_uris of [
      undefined,
      [],
      'https://acme.example/cb',
      [7],
      Array(11).fill(uri),
      [uri, 'http://acme.example/cb'],
      ['https://acme.example/cb#part'],
      ['https://user:password@acme.example/cb'],
      ['https://acme.example;evil.example/cb'],
      ['https://localhost/cb'],
      ['javascript:alert(1)'],
      ['data:text/html,x'],
      ['acme:/cb'],
      ['/cb'],
      ['https://acme.example/a b'],
      [long],
    ]) {
      expect(await refused({ redirect_uris }), String(redirect_uris)).toBe('invalid_redirect_uri')
    }
    const named = await jsonOf(await register({ redirect_uris: [uri, 'cursor://acme/cb', 'http://acme.example/cb'] }))
    expect(named.error_description).toBe(
      'redirect_uris[2] ("http://acme.example/cb"): Use https, or http with a loopback address.',
    )
    for (const client_name of ['', ' ', 'x'.repeat(101), 'Acme\u202egro', 'A\u0000', '\ud800', 7]) {
      expect(await refused({ redirect_uris: [uri], client_name }), String(client_name)).toBe('invalid_client_metadata')
    }
    for (const logo_uri of ['http://acme.example/logo.svg', 'data:image/png,x', 7]) {
      expect(await refused({ redirect_uris: [uri], logo_uri }), String(logo_uri)).toBe('invalid_client_metadata')
    }
    for (const body of ['', '{', 'null', '[]']) expect(await refused(body), body).toBe('invalid_redirect_uri')
    expect((await register({ redirect_uris: [uri], contacts: ['x'.repeat(20_000)] })).status).toBe(413)
  })

  test('has a limit per address, and is forgotten after a day unless somebody allows it something', async () => {
    const address = nextAddress()
    const metadata = { redirect_uris: ['https://acme.example/cb'] }
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await register(metadata, address)).status)
    expect(statuses).toEqual([...Array(10).fill(201), 429])
    const { client_id } = await jsonOf(await register(metadata))
    await connect('qr.view')
    const isKnown = async (id: string) => {
      const { kysely } = harness.service.database
      return (await kysely.selectFrom('oauth_clients').select('id').where('id', '=', id).execute()).length === 1
    }
    harness.advance(DAY_MS - MINUTE_MS)
    await deleteExpired(harness.service.database, harness.nowMs(), 400)
    expect(await isKnown(client_id)).toBe(true)
    harness.advance(2 * MINUTE_MS)
    await deleteExpired(harness.service.database, harness.nowMs(), 400)
    expect(await isKnown(client_id)).toBe(false)
    expect(await isKnown(app.client.client_id)).toBe(true)
  })

  test('and all that follows work in a page of any site', async () => {
    for (const [path, method] of [
      ['/oauth/register', 'POST'],
      ['/oauth/token', 'POST'],
      ['/oauth/revoke', 'POST'],
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/.well-known/oauth-protected-resource/v1', 'GET'],
    ] as const) {
      const preflight = await fetch(appUrl + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://any.example', 'access-control-request-method': method },
      })
      expect(preflight.headers.get('access-control-allow-methods'), path).toBe(method)
      expect(preflight.status, path).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin'), path).toBe('*')
      expect(preflight.headers.get('access-control-allow-credentials'), path).toBeNull()
    }
    const { tokens } = await connect('qr.view')
    for (const refresh_token of ['x', tokens.refresh_token]) {
      const response = await requestTokens({ grant_type: 'refresh_token', refresh_token })
      expect(response.headers.get('access-control-allow-origin')).toMatch(/^(?:\*|https:\/\/any\.example)$/)
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

/** What is wrong with a request that names a known application and its redirect URI. */
const IN_VAIN: [name: string, more: Record<string, string>, without: string[], error: string][] = [
  ['without PKCE', {}, ['code_challenge', 'code_challenge_method'], 'invalid_request'],
  ['with plain PKCE', { code_challenge_method: 'plain' }, [], 'invalid_request'],
  ['with PKCE of no method, which means plain', {}, ['code_challenge_method'], 'invalid_request'],
  ['for a token instead of a code', { response_type: 'token' }, [], 'unsupported_response_type'],
  ['for an ID token', { response_type: 'id_token' }, [], 'unsupported_response_type'],
  ['for another resource', { resource: 'https://evil.example/v1' }, [], 'invalid_target'],
  ['without a scope', {}, ['scope'], 'invalid_scope'],
  ['with scopes that we do not know', { scope: 'openid profile' }, [], 'invalid_scope'],
  ['that nobody may be asked about', { prompt: 'none' }, [], 'interaction_required'],
  ['that wants a form to be posted', { response_mode: 'form_post' }, [], 'unsupported_response_mode'],
  ['as a request object', { request: 'x.y.z' }, [], 'request_not_supported'],
]

describe('an authorisation request', () => {
  test.each(IN_VAIN)('%s is refused at an application that the person has allowed something', async (...given) => {
    const [, more, without, error] = given
    friend ??= (await connect('qr.view')).browser
    const { status, location } = await open(more, without, friend)
    expect({ status, ...sentTo(location) }).toMatchObject({ status: 303, error, iss: appUrl })
    expect(location).toMatch(/^https:\/\/sync\.acme\.example\/callback[?#]/)
  })

  test.each(IN_VAIN)('%s leads nobody else to the site of the application', async (_name, more, without, error) => {
    stranger ??= await (async () => {
      const browser = strange()
      const person = await harness.createPerson(acme, 'owner')
      browser.cookies.set('waymark_session', person.token)
      return browser
    })()
    for (const browser of [strange(), stranger]) {
      const { status, location, text } = await open(more, without, browser)
      expect({ status, location }).toEqual({ status: 400, location: null })
      expect(text).toContain('This request does not work')
      expect(text).toContain(error)
      expect(text).not.toContain('sync.acme.example')
    }
  })

  test.each([
    ['that is too long', { state: 'x'.repeat(9000) }, []],
    ['of an unknown application', { client_id: 'wmc_000000000000' }, []],
    ['of no application', {}, ['client_id']],
    ['with another redirect URI', { redirect_uri: 'https://evil.example/callback' }, []],
    ['with a longer redirect URI', { redirect_uri: 'https://sync.acme.example/callback/more' }, []],
    ['with a redirect URI on another port', { redirect_uri: 'https://sync.acme.example:8443/callback' }, []],
  ])('%s is refused on a page of ours', async (_name, more, without) => {
    const { status, location, text, headers } = await open(more, without)
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect(text).toContain('This request does not work')
    expect(text).not.toContain('evil.example')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(headers.get('x-request-id')).toMatch(/^req_/)
  })

  test.each([
    {},
    { prompt: 'login' },
    { prompt: 'consent' },
    { prompt: 'select_account' },
    { resource: `${appUrl}/v1` },
  ])('asks the person, with %j', async (more) => {
    expect((await open(more)).location).toMatch(/^\/account\/consent\//)
  })

  test('may name any port of the person’s own device', async () => {
    const native = await OAuthApplication.register(appUrl, 'Acme CLI', 'http://127.0.0.1/callback')
    const { url } = await native.ask('qr.view', { redirect_uri: 'http://127.0.0.1:51234/callback' })
    const visitor = new Visitor(appUrl, { 'x-forwarded-for': nextAddress() })
    expect((await visitor.open(url.pathname + url.search)).location).toMatch(/^\/account\/consent\//)
    url.searchParams.set('redirect_uri', 'http://127.0.0.1:51234/other')
    expect((await visitor.open(url.pathname + url.search)).status).toBe(400)
  })

  test('comes back to a program on the person’s device by the scheme of the program', async () => {
    const redirectUri = 'cursor://anysphere.cursor-retrieval/oauth/user-mcp/callback'
    const cursor = await OAuthApplication.register(appUrl, 'Acme Editor', redirectUri)
    const person = await harness.createPerson(acme, 'owner')
    const browser = strange()
    browser.cookies.set('waymark_session', person.token)
    const asked = await cursor.ask('qr.view')
    const callback = await cursor.decide(browser, asked)
    expect(callback.href).toMatch(/^cursor:\/\/anysphere\.cursor-retrieval\/oauth\/user-mcp\/callback\?code=/)
    expect(await cursor.exchange(asked, callback)).toMatchObject({ scope: 'qr.view' })
  })

  test('sets cookies for itself only, and none that remembers the person', async () => {
    const { headers } = await open({})
    const cookies = headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^waymark_authorization(?:_resume)?=[\w-]{20,}; path=\/(?:account\/consent|oauth\/authorize)\//,
      )
      expect(cookie).toMatch(/httponly/i)
      expect(cookie).toMatch(/samesite=lax/i)
    }
  })

  test('expires after 15 minutes, and has a limit per address', async () => {
    const person = await harness.createPerson(acme, 'owner')
    const browser = new Visitor(appUrl, { 'x-forwarded-for': nextAddress() })
    browser.cookies.set('waymark_session', person.token)
    const { url } = await app.ask('qr.view')
    const { location } = await browser.open(url.pathname + url.search)
    expect((await browser.open(location as string)).status).toBe(200)
    harness.advance(15 * MINUTE_MS)
    expect((await browser.open(location as string)).status).toBe(404)
    const statuses = new Set<number>()
    for (let n = 0; n < 61; n++) statuses.add((await browser.open(url.pathname + url.search)).status)
    expect([...statuses]).toEqual([303, 429])
  })
})

describe('webhook endpoints', () => {
  const URLS = { url: 'https://acme.example/hooks', events: ['qr_code.created'] }

  test('are visible to the grant that created them, also after a refresh, to keys and to people', async () => {
    const [one, two] = [await connect('webhooks.manage'), await connect('webhooks.manage')]
    const { id } = (await one.api.post('/v1/webhooks', URLS)).body
    const refreshed = new Client(appUrl, (await app.refresh(one.tokens.refresh_token)).access_token)
    const path = `/v1/webhooks/${id}`
    for (const client of [one.api, refreshed, acme, one.person]) {
      expect((await client.get(path)).status).toBe(200)
      expect((await client.get(`${path}/deliveries`)).status).toBe(200)
      const { data } = (await client.get('/v1/webhooks')).body
      expect(data.map((endpoint: { id: string }) => endpoint.id)).toContain(id)
    }
    expect((await two.api.get('/v1/webhooks')).body).toMatchObject({ total: 0, data: [] })
    const own = (await acme.post('/v1/webhooks', URLS)).body.id
    for (const [client, foreign] of [
      [two.api, id],
      [one.api, own],
    ] as const) {
      for (const [method, rest, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { isActive: false }],
        ['DELETE', '', undefined],
        ['GET', '/deliveries', undefined],
        ['POST', '/rotate-secret', {}],
        ['POST', '/test', {}],
      ] as const) {
        const reply = await client.request(method, `/v1/webhooks/${foreign}${rest}`, body && { body })
        expect(reply.status, `${method} ${rest}`).toBe(404)
      }
    }
  })

  test('are deleted when their grant ends, and the audit log says so', async () => {
    const { api, tokens } = await connect('webhooks.manage')
    const { id } = (await api.post('/v1/webhooks', URLS)).body
    await app.revoke(tokens.refresh_token)
    expect((await acme.get(`/v1/webhooks/${id}`)).status).toBe(410)
    const { data } = (await acme.get(`/v1/audit-log?resource=${id}`)).body
    expect(data[0]).toMatchObject({ action: 'webhook_endpoint.deleted', actor: { type: 'application' } })
  })
})

test('what has expired is deleted: tokens, requests, and connections with their webhooks', async () => {
  const { api, tokens } = await connect('webhooks.manage')
  const { id } = (await api.post('/v1/webhooks', { url: 'https://acme.example/h', events: ['qr_code.created'] })).body
  const live = await connect('qr.view')
  const { database } = harness.service
  const rows = async () => (await database.kysely.selectFrom('oauth_tokens').select('kind').execute()).length
  harness.advance(29 * DAY_MS)
  const next = await app.refresh(live.tokens.refresh_token).catch(() => undefined)
  expect(next, 'a refresh token lives for 30 days without use').toBeDefined()
  harness.advance(2 * DAY_MS)
  await deleteExpired(database, harness.nowMs(), 400)
  expect((await acme.get(`/v1/webhooks/${id}`)).status).toBe(410)
  expect((await app.requestRefresh(tokens.refresh_token)).status).toBe(400)
  const kept = await rows()
  expect(kept, 'the refresh token that is still valid').toBe(1)
  harness.advance(30 * DAY_MS + HOUR_MS)
  await deleteExpired(database, harness.nowMs(), 400)
  expect(await rows()).toBe(0)
  expect((await acme.get('/v1/connected-applications')).body.total).toBe(0)
})

describe('a request for tokens that is in vain', () => {
  const UNKNOWN = 'A'.repeat(43)
  test.each([
    [
      'without an application',
      { client_id: '', grant_type: 'refresh_token', refresh_token: UNKNOWN },
      401,
      'invalid_client',
    ],
    [
      'of an unknown application',
      { client_id: 'wmc_000000000000', grant_type: 'refresh_token' },
      401,
      'invalid_client',
    ],
    ['of no type', {}, 400, 'invalid_request'],
    ['of an unknown type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['without a code', { grant_type: 'authorization_code' }, 400, 'invalid_request'],
    ['with an unknown code', { grant_type: 'authorization_code', code: UNKNOWN }, 400, 'invalid_grant'],
    ['with a malformed token', { grant_type: 'refresh_token', refresh_token: 'wmr_live_x' }, 400, 'invalid_grant'],
    [
      'with an unknown token',
      { grant_type: 'refresh_token', refresh_token: refreshTokens.create() },
      400,
      'invalid_grant',
    ],
  ])('%s is refused without a transaction', async (_name, fields, status, error) => {
    await using _ = await holdWriter()
    const response = await requestTokens(fields as Record<string, string>)
    expect([response.status, (await jsonOf(response)).error]).toEqual([status, error])
  })

  test('to revoke what does not exist is nothing to do', async () => {
    await using _ = await holdWriter()
    for (const token of ['x', refreshTokens.create(), UNKNOWN]) {
      expect((await requestTokens({ token }, '/oauth/revoke')).status).toBe(200)
    }
  })
})

/** Requests that the authorisation server handles at once. */
const IN_PROGRESS_MAX = 4

test('strangers are handled a few at a time, and the service itself goes before those that wait for the database', async () => {
  const { url } = await app.ask('qr.view')
  const { database } = harness.service
  const statements = await harness.statementsOf(async () => {
    const waiting: Promise<unknown>[] = []
    {
      await using _ = await holdWriter()
      for (let n = 0; n < 20; n++) waiting.push(strange().open(url.pathname + url.search))
      await eventually(() => database.writeQueue.waiting === IN_PROGRESS_MAX)
      // The scans that a visitor waits for are stored in the same way.
      waiting.push(database.write((tx) => sql`select 'service'`.execute(tx)))
    }
    await Promise.all(waiting)
  })
  const order = statements.flatMap(({ sql }) => /^insert into "oauth_tokens"|^select 'service'/.exec(sql)?.[0] ?? [])
  expect(order).toHaveLength(21)
  expect(order.indexOf("select 'service'")).toBeLessThan(2)
})
