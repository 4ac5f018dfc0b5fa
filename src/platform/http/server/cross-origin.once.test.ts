import { beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../../../testing/client.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })
const ORIGIN = { origin: 'https://any.example' }
const CROSS_SITE = { ...ORIGIN, 'sec-fetch-site': 'cross-site' }

let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
})

const ask = (path: string, method = 'OPTIONS', headers: Record<string, string> = {}) =>
  fetch(harness.baseUrl + path, { method, headers: { ...CROSS_SITE, ...headers } })

describe('a page of another site', () => {
  test('may call the API with a key, and read the response and its headers', async () => {
    const reply = await new Client(harness.baseUrl, acme.apiKey, CROSS_SITE).get('/v1/me')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
    const exposed = reply.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['etag', 'retry-after', 'x-request-id', 'www-authenticate']))
    // Those that every browser lets a page read are not listed.
    const readable = ['cache-control', 'content-type', 'content-language', 'content-length', 'expires', 'last-modified']
    const sent = [...reply.headers.keys()].filter((name) => name.startsWith('x-') && name !== 'x-content-type-options')
    expect(exposed).toEqual(expect.arrayContaining(sent))
    expect(exposed?.filter((name) => readable.includes(name))).toEqual([])
  })

  test.each([
    ['without a credential', '/v1/me', 'GET', 401],
    ['of an unknown address', '/v1/nothing', 'GET', 404],
    ['with a wrong method', '/v1/me', 'PUT', 405],
    ['with a malformed id', '/v1/qr-codes/x', 'GET', 401],
    ['of the document', '/v1/openapi.json', 'GET', 200],
  ])('may read the response to a request %s', async (_name, path, method, status) => {
    const response = await ask(path, method)
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
  })

  test.each([
    ['/v1/me', 'GET, HEAD'],
    ['/v1/qr-codes', 'GET, HEAD, POST'],
    ['/v1/qr-codes/0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11', 'DELETE, GET, HEAD, PATCH'],
  ])('learns in a preflight what it may send to %s', async (path, methods) => {
    const response = await ask(path, 'OPTIONS', { 'access-control-request-method': 'GET' })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe(methods)
    expect(response.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'if-none-match']),
    )
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('may send nothing to an address that does not exist', async () => {
    expect((await ask('/v1/nothing')).status).toBe(404)
  })

  test('can do nothing with the session of a person, and read nothing of it', async () => {
    const { token } = await harness.createPerson(acme, 'owner')
    const cookie = { cookie: `waymark_session=${token}` }
    for (const headers of [CROSS_SITE, { ...ORIGIN, 'sec-fetch-site': 'same-site' }, ORIGIN]) {
      const get = await fetch(`${harness.baseUrl}/v1/me`, { headers: { ...headers, ...cookie } })
      expect([get.status, get.headers.get('access-control-allow-credentials')]).toEqual([403, null])
      const post = await new Client(harness.baseUrl, undefined, { ...headers, ...cookie }).post('/v1/qr-groups', {
        name: 'Forged',
      })
      expect(post.status).toBe(403)
    }
  })

  test('gets no such response outside the API', async () => {
    for (const path of ['/account/sign-in', '/docs', '/healthz', '/v1x']) {
      expect((await ask(path, 'GET')).headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })
})

describe('a client without enough rights', () => {
  const challengeOf = async (client: Client, method: string, path: string) => {
    const { status, headers } = await client.request(method, path, method === 'POST' ? { body: {} } : {})
    return [status, headers.get('www-authenticate')]
  }
  test('reads which scope the operation needs, and where to ask for it', async () => {
    const anonymous = await challengeOf(harness.client(), 'GET', '/v1/qr-codes')
    expect(anonymous).toEqual([401, expect.stringMatching(/^Bearer scope="qr\.view", resource_metadata="[^"]+\/v1"$/)])
    const invalid = await challengeOf(harness.client(`wmo_live_${'x'.repeat(40)}`), 'POST', '/v1/qr-codes')
    expect(invalid).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", scope="qr\.manage", resource_metadata="/),
    ])
    const me = await challengeOf(harness.client(), 'GET', '/v1/me')
    expect(me).toEqual([401, expect.stringMatching(/^Bearer resource_metadata="/)])
    const narrow = harness.client(harness.scoped.issue(acme.orgId, ['qr.view']))
    expect(await challengeOf(narrow, 'POST', '/v1/qr-codes')).toEqual([
      403,
      expect.stringMatching(/^Bearer error="insufficient_scope", scope="qr\.manage", resource_metadata="/),
    ])
  })

  test('in a session gets no challenge: a token is not what the person lacks', async () => {
    const person = await harness.createPerson(acme, 'member')
    const reply = await person.post('/v1/qr-codes', {})
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([403, null])
  })
})
