/** Tests the guarantees that all operations share. The tests of a family cover only its own rules. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type RoleName } from '../modules/account/roles/index.ts'
import { MINUTE_MS } from '../platform/clock/index.ts'
import type { Operation } from '../platform/contract/operation.ts'
import { newId } from '../platform/ids/index.ts'
import type { Client, Reply } from '../testing/client.ts'
import { streamsOf } from '../testing/data/streams.ts'
import { type Person, type Tenant, useHarness } from '../testing/harness.ts'
import {
  allOperations,
  exampleBody,
  ownBody,
  pathTo,
  type ResourceFamily,
  resourceFamilies,
} from '../testing/operations.ts'

const harness = useHarness()
let acme: Tenant
let other: Tenant
/** Members of Acme, one with each role. */
const people = {} as Record<RoleName, Person>

beforeAll(async () => {
  acme = await harness.createTenant()
  other = await harness.createTenant()
  for (const { name } of ROLES) people[name] = await harness.createPerson(acme, name)
})

/** A placeholder that tests replace with a malformed id, because `pathTo` would percent-encode the id. */
const MALFORMED = 'malformed'
const REQUEST_ID = /^req_[0-9A-Za-z]{16}$/
/** Registers a test only where the guarantee applies. Operations without a body, for example, have none to validate. */
const testIf = (applies: unknown): ((name: string, body: () => Promise<void>) => void) => (applies ? test : () => {})
const named = (operations: Operation[]) => operations.map((operation) => [operation.id, operation] as const)
const send = (client: Client, operation: Operation, params = {}, suffix = ''): Promise<Reply> => {
  const { body, upload, method } = operation.declared
  const init = (body ?? upload) ? { body: exampleBody(operation) } : {}
  return client.request(method, pathTo(operation, params) + suffix, init)
}

function expectError(reply: Reply, status: number, code: string): void {
  expect({ status: reply.status, error: reply.body?.error }).toEqual({ status, error: code })
  expect(reply.body.message).toEqual(expect.any(String))
  expect(reply.headers.get('x-request-id')).toMatch(REQUEST_ID)
  expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'))
}

function expectValidationError(reply: Reply, code: 'invalid_payload' | 'invalid_query'): void {
  expectError(reply, 400, code)
  expect(Object.keys(reply.body.details).sort()).toEqual(['fieldErrors', 'formErrors'])
}

describe.each(named(allOperations))('%s', (_id, operation) => {
  const { declared, scope, params } = operation

  test('returns 401 without a valid API key, before it validates the request', async () => {
    harness.advance(2 * MINUTE_MS) // resets the limit on failed authentication
    const anonymous = harness.client()
    const path = pathTo(operation, { id: 'not-an-id' })
    expectError(await anonymous.request(declared.method, `${path}?nonsense=1`), 401, 'missing_api_key')
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', '']) {
      expectError(
        await anonymous.request(declared.method, path, { headers: { authorization } }),
        401,
        'missing_api_key',
      )
    }
    for (const token of ['nonsense', `wm_live_${'a'.repeat(40)}`, acme.apiKey.slice(0, -1)]) {
      expectError(await harness.client(token).request(declared.method, path), 401, 'invalid_api_key')
    }
  })

  test('returns the request id and the state of the rate limit in headers', async () => {
    const { headers } = await send(acme, operation)
    expect(headers.get('x-request-id')).toMatch(REQUEST_ID)
    for (const window of ['minute', 'hour']) {
      for (const part of ['limit', 'remaining', 'reset']) {
        expect(headers.get(`x-ratelimit-${part}-${window}`), `${part} ${window}`).toMatch(/^\d+$/)
      }
    }
  })

  testIf(declared.method === 'GET')('reads without opening a transaction', async () => {
    const transactions = async () => {
      const statements = await harness.statementsOf(() => send(acme, operation))
      return statements.filter(({ sql }) => /^(begin|start)/.test(sql))
    }
    // The use of the key is stored in the background once a minute, and that can happen during one of the requests.
    await expect.poll(transactions).toEqual([])
  })

  testIf(scope !== null && !operation.onlyInSession)(
    'requires its scope, and a manage scope includes viewing',
    async () => {
      const area = scope!.split('.')[0]!
      const withScopes = (...scopes: string[]) => harness.client(harness.scoped.issue(acme.orgId, scopes))
      const without = await send(withScopes('unrelated.manage'), operation, { id: 'not-an-id' })
      expectError(without, 403, 'forbidden')
      expect(without.body.details).toEqual({ required_scope: scope })
      expect((await send(withScopes(`${area}.manage`), operation)).status).not.toBe(403)
      const viewer = await send(withScopes(`${area}.view`), operation)
      expect(viewer.status === 403).toBe(scope!.endsWith('.manage'))
    },
  )

  testIf(operation.onlyInSession)('returns 403 to an API key, even one with all scopes', async () => {
    expectError(await send(harness.client(acme.apiKey), operation, { id: 'not-an-id' }), 403, 'forbidden')
  })

  test('allows each role what its permissions say', async () => {
    await harness.confirmPeople(acme)
    for (const { name, permissions } of ROLES) {
      const reply = await send(people[name], operation, { id: 'not-an-id' })
      expect(reply.status === 403, name).toBe(scope !== null && !permissions.includes(scope))
    }
  })

  testIf(Object.keys(params).length > 0)(
    'returns 400 for a malformed id, before it validates the rest of the request',
    async () => {
      for (const id of ['1', 'not-a-uuid', `${newId()}x`, '%00', '%F0%9F%8F%B7', '%zz', 'a'.repeat(1500), '..%2f..']) {
        const path = pathTo(operation, { [Object.keys(params)[0]!]: MALFORMED })
        expectError(await acme.request(declared.method, `${path.replace(MALFORMED, id)}?nonsense=1`), 400, 'invalid_id')
      }
    },
  )

  testIf(Object.keys(params).length > 0)('returns 404 for an id that does not exist', async () => {
    expectError(await send(acme, operation), 404, 'not_found')
  })

  test('returns 400 for an unknown query parameter', async () => {
    const reply = await send(acme, operation, {}, '?nonsense=1')
    expectValidationError(reply, 'invalid_query')
    expect(reply.body.details).toMatchObject({ formErrors: [], fieldErrors: { nonsense: ['Unknown parameter'] } })
  })

  testIf(declared.body)('returns 400 for a body that is missing, not JSON, or not sent as JSON', async () => {
    const { method } = declared
    const path = pathTo(operation)
    const validJson = JSON.stringify(exampleBody(operation))
    const type = (contentType: string) => ({ headers: { 'content-type': contentType } })
    for (const init of [
      {},
      { body: '' },
      { body: '{"a":' },
      { body: 'null\u0000' },
      { body: new Uint8Array([0x22, 0xff, 0x22]) },
      { body: validJson, ...type('text/plain') },
      { body: validJson, ...type('application/x-www-form-urlencoded') },
      { body: validJson, ...type('nonsense') },
    ]) {
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
      for (const body of [
        [],
        'null',
        '"text"',
        '"a\\u0000b"',
        '5',
        { ...valid, nonsense: 1 },
        `{"__proto__":{"a":1},${JSON.stringify(valid).slice(1)}`,
        ...readOnly.map((key) => ({ ...valid, [key]: 'x' })),
        ...Object.keys(valid).flatMap((key) => [
          { ...valid, [key]: 'a\u0000b' },
          { ...valid, [key]: '\ud800' },
        ]),
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

describe.each(resourceFamilies.map((family) => [family.name, family] as const))('%s', (_name, family) => {
  const create = async (tenant: Client, headers?: Record<string, string>) => {
    const reply = await tenant.post(pathTo(family.create), await ownBody(tenant, family.create), headers)
    expect(reply.status).toBe(201)
    return reply.body as { id: string; created_at: string }
  }
  /** Drops the fields that only the create response has, such as a secret. */
  const withoutOneTimeFields = (created: { id: string; created_at: string }): typeof created => {
    const readable = family.get?.declared.ok?.shape ?? family.list?.declared.offset?.shape ?? created
    return Object.fromEntries(Object.entries(created).filter(([key]) => key in readable)) as typeof created
  }

  test('get and list return the created resource', async () => {
    const created = withoutOneTimeFields(await create(acme))
    expect(created.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
    if (family.get) {
      const path = pathTo(family.get, created)
      expect((await acme.get(path)).body).toEqual(created)
      expect((await acme.get(path.replace(created.id, created.id.toUpperCase()))).body).toEqual(created)
      const head = await acme.request('HEAD', path)
      expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
    }
    if (family.list) {
      const [first] = (await acme.get(pathTo(family.list))).body.data
      // A list may omit long fields.
      expect(first).toMatchObject(Object.fromEntries(Object.entries(created).filter(([key]) => key in first)))
      expect(Object.keys(first)).toEqual(expect.arrayContaining(['object', 'id', 'created_at']))
    }
  })

  test("returns 404 for another organisation's resource", async () => {
    const created = await create(acme)
    for (const operation of family.ofOne) {
      expectError(await send(other, operation, { id: created.id }), 404, 'not_found')
    }
    if (family.get) expect((await acme.get(pathTo(family.get, created))).status).toBe(200)
    if (family.list) {
      const { data } = (await other.get(pathTo(family.list))).body
      expect(data.map(({ id }: { id: string }) => id)).not.toContain(created.id)
    }
  })

  testIf(family.update)('an empty PATCH changes nothing', async () => {
    const created = withoutOneTimeFields(await create(acme))
    harness.advance(5000)
    expect((await acme.patch(pathTo(family.update!, created), {})).body).toEqual(created)
  })

  testIf(family.delete && family.get)(
    'a deleted resource returns 410 to its organisation and 404 to others',
    async () => {
      const created = await create(acme)
      const deleted = await acme.delete(pathTo(family.delete!, created))
      expect({ status: deleted.status, text: deleted.text }).toEqual({ status: 204, text: '' })
      expectError(await acme.get(pathTo(family.get!, created)), 410, 'gone')
      expectError(await acme.delete(pathTo(family.delete!, created)), 410, 'gone')
      expectError(await other.get(pathTo(family.get!, created)), 404, 'not_found')
      if (family.list) {
        const { data } = (await acme.get(pathTo(family.list))).body
        expect(data.map(({ id }: { id: string }) => id)).not.toContain(created.id)
      }
    },
  )

  test('a repeated Idempotency-Key replays the response byte for byte and creates nothing new', async () => {
    const tenant = await harness.createTenant()
    const key = { 'idempotency-key': 'k'.repeat(255) }
    const body = await ownBody(tenant, family.create)
    const reversed = body instanceof Uint8Array ? body : Object.fromEntries(Object.entries(body).reverse())
    const countItems = async () => family.list && (await tenant.get(pathTo(family.list))).body.data.length
    const before = await countItems()
    const first = await tenant.post(pathTo(family.create), body, key)
    const again = await tenant.post(pathTo(family.create), reversed, key)
    expect(again.status).toBe(201)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'))
    const another = await ownBody(tenant, family.create)
    expectError(await tenant.post(pathTo(family.create), another, key), 409, 'idempotency_conflict')
    if (family.list) expect(await countItems()).toBe(before + 1)
  })

  testIf(family.list?.declared.offset)('pages return every item once, newest first', async () => {
    const tenant = await harness.createTenant()
    const { data } = (await tenant.get(pathTo(family.list!))).body
    const ids: string[] = data.map(({ id }: { id: string }) => id)
    while (ids.length < 7) ids.unshift((await create(tenant)).id)
    await expectOffsetPages(tenant, family, ids)
  })
})

async function expectOffsetPages(tenant: Client, family: ResourceFamily, ids: string[]): Promise<void> {
  const path = pathTo(family.list!)
  const page = async (query: string) => (await tenant.get(`${path}?${query}`)).body
  const seen: string[] = []
  for (const number of [1, 2, 3]) {
    const body = await page(`page=${number}&page_size=3`)
    expect(body).toMatchObject({ object: 'list', total: ids.length, page: number, page_size: 3 })
    seen.push(...body.data.map(({ id }: { id: string }) => id))
  }
  expect(seen).toEqual(ids)
  expect(await page('page=4&page_size=3')).toMatchObject({ total: ids.length, data: [] })
  expect(await page('')).toMatchObject({ page: 1, page_size: 25, total: ids.length })
  for (const query of [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page_size=0',
    'page_size=101',
    'page=1&page=2',
    ...(family.list!.declared.cursor ? ['page=1&cursor=x', 'page_size=5&limit=5'] : ['cursor=x']),
  ]) {
    expectValidationError(await tenant.get(`${path}?${query}`), 'invalid_query')
  }
}

const streams = streamsOf(harness)
const timeOf = (item: any): string => item.created_at ?? item.scanned_at

describe.each(named(allOperations.filter(({ declared }) => declared.cursor)))('%s', (id, operation) => {
  /** Creates an organisation whose stream has this many items. */
  const openStream = async (items: number) => {
    const tenant = await harness.createTenant()
    const stream = streams[id]!
    const owner = (await stream.owner?.(tenant)) ?? {}
    const add = (n: number) => stream.add(tenant, owner, n)
    for (let n = stream.initial ?? 0; n < items; n++) await add(n)
    const path = pathTo(operation, owner)
    const page = async (query: string) => (await tenant.get(`${path}?${query}`)).body
    return { tenant, path, add, page, owner }
  }

  test('cursors return every item once, newest first, even while new ones arrive', async () => {
    const { page, add } = await openStream(7)
    const all = (await page('limit=100')).data
    expect(all).toHaveLength(7)
    expect(all.map(timeOf)).toEqual(all.map(timeOf).sort().reverse())

    const seen: unknown[] = []
    let cursor = ''
    for (let pages = 0; pages < 4; pages++) {
      const body = await page(`limit=3${cursor}`)
      seen.push(...body.data)
      expect(body.has_more).toBe(body.next_cursor !== null)
      if (!body.has_more) break
      expect(body.next_cursor).toMatch(/^[A-Za-z0-9_-]+=*$/)
      expect(body.next_cursor.length % 4).toBe(0)
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
      await add(100 + pages)
    }
    expect(seen).toEqual(all)
  })

  test("returns 400 for a modified cursor, another organisation's cursor and invalid parameters", async () => {
    const { tenant, path, page } = await openStream(3)
    const foreign = await openStream(0)
    const { next_cursor } = await page('limit=1')
    const getPage = (client: Client, cursor: string, of = path) =>
      client.get(`${of}?limit=1&cursor=${encodeURIComponent(cursor)}`)
    expect((await getPage(tenant, next_cursor)).status).toBe(200)
    expectError(await getPage(foreign.tenant, next_cursor, foreign.path), 400, 'invalid_cursor')
    for (const cursor of [
      '',
      'x',
      `${next_cursor}A`,
      next_cursor.replace(/=+$/, '').slice(0, -1),
      `A${next_cursor.slice(1)}`,
    ]) {
      expectError(await getPage(tenant, cursor), 400, 'invalid_cursor')
    }
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1&page=1',
      'limit=1&page_size=5',
      'cursor=a&cursor=b',
    ]) {
      expectValidationError(await tenant.get(`${path}?${query}`), 'invalid_query')
    }
  })

  test('cursors remain valid after a key rotation', async () => {
    const { page } = await openStream(3)
    const { next_cursor } = await page('limit=1')
    await harness.service.keyring.rotate(harness.service.database, harness.nowMs())
    const { data, next_cursor: newer } = await page(`limit=1&cursor=${encodeURIComponent(next_cursor)}`)
    expect(data).toHaveLength(1)
    expect((await page(`limit=1&cursor=${encodeURIComponent(newer)}`)).data).toHaveLength(1)
  })
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
        ['OPTIONS', '/v1/me', 'GET, HEAD'],
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
    ['/v1/qr-codes/SN-1/scans', 'To find a QR code by your own ID, use GET /qr-codes?external_id=SN-1.'],
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
