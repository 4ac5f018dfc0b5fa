/** Tests what every operation does the same way before it reads or changes anything, and in its headers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type RoleName } from '../modules/account/roles/index.ts'
import { MINUTE_MS } from '../platform/clock/index.ts'
import { newId } from '../platform/ids/index.ts'
import { expectError, expectValidationError, named, REQUEST_ID, sendExample, testIf } from '../testing/conformance.ts'
import { type Person, type Tenant, useHarness } from '../testing/harness.ts'
import { allOperations, exampleBody, pathTo } from '../testing/operations.ts'

const harness = useHarness()
let acme: Tenant
/** Members of Acme, one with each role. */
const people = {} as Record<RoleName, Person>

beforeAll(async () => {
  acme = await harness.createTenant()
  for (const { name } of ROLES) people[name] = await harness.createPerson(acme, name)
})

/**
 * Every operation refuses the same nonsense in the same place. Each is tested with some of it, and all of it with some operation.
 */
const some = <Nonsense>(all: readonly Nonsense[], n: number): Nonsense[] => [
  all[n % all.length]!,
  all[(n + Math.ceil(all.length / 2)) % all.length]!,
]

const UNUSABLE_AUTHORIZATIONS = ['Basic YTpi', 'Bearer', 'Bearer ', '']
const MALFORMED_IDS = ['1', 'not-a-uuid', `${newId()}x`, '%00', '%F0%9F%8F%B7', '%zz', 'a'.repeat(1500), '..%2f..']

function isAccepted(schema: { safeParse(value: unknown): { success: boolean } }, id: string): boolean {
  try {
    return schema.safeParse(decodeURIComponent(id)).success
  } catch {
    return false
  }
}

/** A placeholder that tests replace with a malformed id, because `pathTo` would percent-encode the id. */
const MALFORMED = 'malformed'

describe.each(named(allOperations))('%s', (_id, operation) => {
  const { declared, scope, params } = operation
  const position = allOperations.indexOf(operation)

  test('returns 401 without a valid API key, before it validates the request', async () => {
    harness.advance(2 * MINUTE_MS) // resets the limit on failed authentication
    const anonymous = harness.client()
    const path = pathTo(operation, { id: 'not-an-id' })
    expectError(await anonymous.request(declared.method, `${path}?nonsense=1`), 401, 'missing_api_key')
    for (const authorization of some(UNUSABLE_AUTHORIZATIONS, position)) {
      expectError(
        await anonymous.request(declared.method, path, { headers: { authorization } }),
        401,
        'missing_api_key',
      )
    }
    for (const token of some(['nonsense', `wm_live_${'a'.repeat(40)}`, acme.apiKey.slice(0, -1)], position)) {
      expectError(await harness.client(token).request(declared.method, path), 401, 'invalid_api_key')
    }
  })

  testIf(scope !== null && !operation.onlyInSession)(
    'requires its scope, and a manage scope includes viewing',
    async () => {
      const area = scope!.split('.')[0]!
      const withScopes = (...scopes: string[]) => harness.client(harness.scoped.issue(acme.orgId, scopes))
      const without = await sendExample(withScopes('unrelated.manage'), operation, { id: 'not-an-id' })
      expectError(without, 403, 'forbidden')
      expect(without.body.details).toEqual({ required_scope: scope })
      expect((await sendExample(withScopes(`${area}.manage`), operation)).status).not.toBe(403)
      const viewer = await sendExample(withScopes(`${area}.view`), operation)
      expect(viewer.status === 403).toBe(scope!.endsWith('.manage'))
    },
  )

  testIf(operation.onlyInSession)('returns 403 to an API key, even one with all scopes', async () => {
    expectError(await sendExample(harness.client(acme.apiKey), operation, { id: 'not-an-id' }), 403, 'forbidden')
  })

  test('allows each role what its permissions say', async () => {
    await harness.confirmPeople(acme)
    for (const { name, permissions } of ROLES) {
      const reply = await sendExample(people[name], operation, { id: 'not-an-id' })
      expect(reply.status === 403, name).toBe(scope !== null && !permissions.includes(scope))
    }
  })

  testIf(Object.keys(params).length > 0)(
    'returns 400 for a malformed id, before it validates the rest of the request',
    async () => {
      for (const id of some(MALFORMED_IDS, position)) {
        // Nearly every text is the slug of a code that somebody could have chosen.
        if (isAccepted(params[Object.keys(params)[0]!]!, id)) continue
        const path = pathTo(operation, { [Object.keys(params)[0]!]: MALFORMED })
        expectError(await acme.request(declared.method, `${path.replace(MALFORMED, id)}?nonsense=1`), 400, 'invalid_id')
      }
    },
  )

  test('returns 400 for an unknown query parameter', async () => {
    const reply = await sendExample(acme, operation, {}, '?nonsense=1')
    expectValidationError(reply, 'invalid_query')
    expect(reply.body.details).toMatchObject({ formErrors: [], fieldErrors: { nonsense: ['Unknown parameter'] } })
  })

  testIf(declared.body)('returns 400 for a body that is missing, not JSON, or not sent as JSON', async () => {
    const { method } = declared
    const path = pathTo(operation)
    const validJson = JSON.stringify(exampleBody(operation))
    const type = (contentType: string) => ({ headers: { 'content-type': contentType } })
    const wrong = [
      {},
      { body: '' },
      { body: '{"a":' },
      { body: 'null\u0000' },
      { body: new Uint8Array([0x22, 0xff, 0x22]) },
      { body: validJson, ...type('text/plain') },
      { body: validJson, ...type('application/x-www-form-urlencoded') },
      { body: validJson, ...type('nonsense') },
    ]
    for (const init of some(wrong, position)) {
      expectError(await acme.request(method, path, init), 400, 'invalid_json')
    }
  })

  testIf(declared.body)(
    'returns 400 for a body that is not an object, unknown or read-only fields, and text that cannot be stored',
    async () => {
      const { method } = declared
      const path = pathTo(operation)
      const valid = exampleBody(operation) as Record<string, unknown>
      const resource = declared.created ?? declared.ok
      const readOnly = Object.keys(resource?.shape ?? {}).filter((key) => !(key in declared.body!.shape))
      const unstorable = ['a\u0000b', '\ud800']
      for (const body of [
        ...some([[], 'null', '"text"', '"a\\u0000b"', '5'], position),
        { ...valid, nonsense: 1 },
        `{"__proto__":{"a":1},${JSON.stringify(valid).slice(1)}`,
        ...readOnly.map((key) => ({ ...valid, [key]: 'x' })),
        ...Object.keys(valid).map((key, n) => ({ ...valid, [key]: unstorable[(position + n) % 2] })),
      ]) {
        expectValidationError(await acme.request(method, path, { body }), 'invalid_payload')
      }
    },
  )

  testIf(declared.body)('returns 413 for a body over 1 MiB, but not for one of exactly 1 MiB', async () => {
    const { method } = declared
    const body = (bytes: number) => {
      const json = JSON.stringify(exampleBody(operation))
      return json + ' '.repeat(bytes - Buffer.byteLength(json))
    }
    const tooLarge = await acme.request(method, pathTo(operation), { body: body(1024 * 1024 + 1) })
    expectError(tooLarge, 413, 'invalid_payload')
    const largest = await acme.request(method, pathTo(operation), { body: body(1024 * 1024) })
    expect(largest.status).not.toBe(413)
  })

  testIf(declared.upload)('returns 400 for a file that is missing, or of no accepted type', async () => {
    const { method } = declared
    for (const body of [undefined, '', 'text', '{}', '<svg xmlns="http://www.w3.org/2000/svg"/>']) {
      expectValidationError(await acme.request(method, pathTo(operation), { body }), 'invalid_payload')
    }
  })

  testIf(declared.upload)('returns 413 for a file over its limit, but not for one of exactly that size', async () => {
    const { method, upload } = declared
    const body = (bytes: number) => Buffer.concat([exampleBody(operation) as Uint8Array], bytes)
    for (const bytes of [upload!.bytesMax + 1, upload!.bytesMax]) {
      const { status } = await acme.request(method, pathTo(operation), { body: body(bytes) })
      expect(status === 413).toBe(bytes > upload!.bytesMax)
    }
    const refused = await acme.request(method, pathTo(operation), { body: body(upload!.bytesMax + 1) })
    expectError(refused, 413, 'invalid_payload')
  })

  test('returns the request id and the state of the rate limit in headers', async () => {
    const { headers } = await sendExample(acme, operation)
    expect(headers.get('x-request-id')).toMatch(REQUEST_ID)
    for (const window of ['minute', 'hour']) {
      for (const part of ['limit', 'remaining', 'reset']) {
        expect(headers.get(`x-ratelimit-${part}-${window}`), `${part} ${window}`).toMatch(/^\d+$/)
      }
    }
  })

  testIf(declared.method === 'GET' && !declared.isAudited)('reads without opening a transaction', async () => {
    const transactions = async () => {
      const statements = await harness.statementsOf(() => sendExample(acme, operation))
      return statements.filter(({ sql }) => /^(begin|start)/.test(sql))
    }
    // The use of the key is stored in the background once a minute, and that can happen during one of the requests.
    await expect.poll(transactions).toEqual([])
  })

  testIf(declared.method === 'POST')(
    'returns 400 for an Idempotency-Key that is empty or too long, before it reads the body',
    async () => {
      for (const key of ['', 'k'.repeat(256)]) {
        const reply = await acme.request('POST', pathTo(operation), {
          body: '{',
          headers: { 'idempotency-key': key },
        })
        expectValidationError(reply, 'invalid_payload')
      }
    },
  )
})

describe('outside the contract', () => {
  test.each(['/v1/nonsense', '/v1', '/v1/article-tags/', '/v1//article-tags', '/v1/%zz'])(
    '%s returns 404 with and without an API key, and does not count towards the rate limit',
    async (path) => {
      harness.advance(2 * MINUTE_MS)
      const before = Number((await acme.get('/v1/me')).headers.get('x-ratelimit-remaining-minute'))
      expectError(await harness.client().get(path), 404, 'not_found')
      expectError(await acme.get(path), 404, 'not_found')
      const after = Number((await acme.get('/v1/me')).headers.get('x-ratelimit-remaining-minute'))
      expect(before - after).toBe(1)
    },
  )

  test('a known path returns 405 for other methods, with those it has, and does not count towards the rate limit', async () => {
    harness.advance(2 * MINUTE_MS)
    const before = Number((await acme.get('/v1/me')).headers.get('x-ratelimit-remaining-minute'))
    for (const client of [acme, harness.client()]) {
      for (const [method, path, allow] of [
        ['PUT', '/v1/article-tags', 'GET, HEAD, POST'],
        ['DELETE', '/v1/article-tags?x=1', 'GET, HEAD, POST'],
        ['PATCH', '/v1/me', 'GET, HEAD'],
        ['POST', `/v1/objects/${newId()}`, 'DELETE, GET, HEAD, PATCH'],
        ['GET', '/v1/qr-codes/batch/', undefined],
      ] as const) {
        const reply = await client.request(method, path)
        expect(reply.headers.get('allow'), path).toBe(allow ?? null)
        if (allow === undefined) expectError(reply, 404, 'not_found')
        else expectError(reply, 405, 'method_not_allowed')
      }
    }
    const after = Number((await acme.get('/v1/me')).headers.get('x-ratelimit-remaining-minute'))
    expect(before - after).toBe(1)
  })

  test.each([
    ['/v1/objects/SN-1%20a', 'To find an object by your own ID, use GET /objects?external_id=SN-1%20a.'],
    ['/v1/qr-codes/SN:1/scans', 'To find a QR code by your own ID, use GET /qr-codes?external_id=SN%3A1.'],
    ['/v1/qr-groups/SN-1', 'To find a QR group by your own ID, use GET /qr-groups?external_id=SN-1.'],
    ['/v1/products/9506000134352', 'To find a product by its GTIN, use GET /products/by-gtin/9506000134352.'],
    ['/v1/products/SN-1', 'The path has a malformed id. Must be a UUID.'],
    [`/v1/objects/${'x'.repeat(256)}`, 'The path has a malformed id. Must be a UUID.'],
  ])('%s returns 400 and says how to find the resource', async (path, hint) => {
    const reply = await acme.get(path)
    expectError(reply, 400, 'invalid_id')
    expect(reply.body.message.endsWith(hint), reply.body.message).toBe(true)
  })

  test('a program gets JSON errors on every path, and learns where the API is', async () => {
    const json = { accept: 'application/json' }
    for (const [path, status, error] of [
      ['/objects', 404, 'not_found'],
      ['/products', 404, 'not_found'],
      ['/nowhere/at/all', 404, 'not_found'],
      ['/aB3dE5gH', 404, 'not_found'],
      ['/01/1', 400, 'invalid_id'],
      ['/kb/nowhere/en', 404, 'not_found'],
      ['/p/nowhere', 404, 'not_found'],
      ['/account/nowhere', 404, 'not_found'],
    ] as const) {
      for (const reply of [await acme.get(path), await harness.client().get(path, json)]) {
        expect(reply.headers.get('content-type'), path).toBe('application/json; charset=utf-8')
        expectError(reply, status, error)
        expect(reply.headers.get('content-security-policy'), path).toBeNull()
      }
      const shown = await harness.client().get(path, { accept: 'text/html,*/*;q=0.8' })
      expect({ path, status: shown.status, type: shown.headers.get('content-type') }).toEqual({
        ...{ path, status, type: 'text/html; charset=utf-8' },
      })
    }
    for (const path of ['/objects', '/products']) {
      expect((await acme.get(path)).body.message).toBe(`There is no GET ${path}. The API is at /v1${path}.`)
    }
    // Scripts of a chat get JSON with a text for their visitor.
    expectError(await acme.get('/c/nowhere'), 404, 'not_found')
    expect((await harness.client().get('/c/nowhere', json)).body).toEqual({ message: expect.any(String) })
    expect((await acme.post('/objects', {})).body.message).toContain('The API is at /v1/objects.')
    const head = await acme.request('HEAD', '/objects')
    expect([head.status, head.text]).toEqual([404, ''])
  })

  test('ignores an X-Request-Id that the client sends', async () => {
    const { headers } = await acme.get('/v1/me', { 'x-request-id': 'req_0000000000000000' })
    expect(headers.get('x-request-id')).toMatch(REQUEST_ID)
    expect(headers.get('x-request-id')).not.toBe('req_0000000000000000')
  })
})
