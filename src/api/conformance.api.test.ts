/** Tests the guarantees that all operations share. The tests of a family cover only its own rules. */
import { beforeAll, describe, expect, test } from 'vitest'
import { rotateSecrets } from '../platform/keyring/index.ts'
import type { Client } from '../testing/client.ts'
import { expectError, expectValidationError, named, sendExample, testIf } from '../testing/conformance.ts'
import { streamsOf } from '../testing/data/streams.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { allOperations, ownBody, pathTo, type ResourceFamily, resourceFamilies } from '../testing/operations.ts'

const harness = useHarness()
let acme: Tenant
let other: Tenant

beforeAll(async () => {
  acme = await harness.createTenant()
  other = await harness.createTenant()
})

const operationsOnOne = allOperations.filter(({ params }) => Object.keys(params).length > 0)

test.each(named(operationsOnOne))('%s returns 404 for an id that does not exist', async (_id, operation) => {
  expectError(await sendExample(acme, operation), 404, 'not_found')
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
      expectError(await sendExample(other, operation, { id: created.id }), 404, 'not_found')
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
    await rotateSecrets(harness.service.database, {}, harness.nowMs())
    await harness.service.keyring.reload(harness.service.database.read, harness.nowMs())
    const { data, next_cursor: newer } = await page(`limit=1&cursor=${encodeURIComponent(next_cursor)}`)
    expect(data).toHaveLength(1)
    expect((await page(`limit=1&cursor=${encodeURIComponent(newer)}`)).data).toHaveLength(1)
  })
})
