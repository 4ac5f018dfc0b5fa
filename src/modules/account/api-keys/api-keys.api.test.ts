import { describe, expect, inject, test } from 'vitest'
import { SYSTEM } from '../../../platform/audit/index.ts'
import { MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import type { Client } from '../../../testing/client.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { ApiKeyAuthenticator } from './authenticator.ts'
import { asOperator, createKey } from './service.ts'
import { newToken } from './token.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.0/8' } })

async function keyOf(tenant: { orgId: any }, expiresAt: number | null = null) {
  const now = timestamp(harness.nowMs())
  const expires = expiresAt === null ? null : timestamp(expiresAt)
  return harness.service.database.write((tx) =>
    createKey(tx, tenant.orgId, { name: 'Warehouse', expires_at: expires }, now),
  )
}

const outcome = async (apiKey: string) => {
  const { status, body } = await harness.client(apiKey).get('/v1/me')
  return status === 200 ? 200 : `${status} ${body.error}`
}

describe('a key', () => {
  test('is returned once, and only its hash is stored', async () => {
    const tenant = await harness.createTenant()
    const { api_key, hint } = await keyOf(tenant)
    expect(api_key).toMatch(/^wm_live_[0-9A-Za-z]{40}$/)
    expect(hint).toBe(`${api_key.slice(0, 12)}…${api_key.slice(-4)}`)
    const rows = await harness.service.database.kysely
      .selectFrom('api_keys')
      .selectAll()
      .where('org_id', '=', tenant.orgId)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(api_key)
  })

  test('can be paused, resumed and revoked with effect within a second, even right after its use', async () => {
    const { id, api_key } = await keyOf(await harness.createTenant())
    const { database } = harness.service
    const now = timestamp(harness.nowMs())
    expect(await outcome(api_key)).toBe(200)
    await database.write((tx) => asOperator.pause(tx, id, SYSTEM, now))
    harness.advance(1000)
    expect(await outcome(api_key)).toBe('403 api_key_paused')
    await database.write((tx) => asOperator.resume(tx, id, SYSTEM, now))
    harness.advance(1000)
    expect(await outcome(api_key)).toBe(200)
    await database.write((tx) => asOperator.revoke(tx, id, SYSTEM, now))
    harness.advance(1000)
    expect(await outcome(api_key)).toBe('401 api_key_revoked')
    await database.write((tx) => asOperator.resume(tx, id, SYSTEM, now))
    harness.advance(1000)
    expect(await outcome(api_key)).toBe('401 api_key_revoked')
  })

  test('expires exactly at its expiry time, which may be in the past', async () => {
    const tenant = await harness.createTenant()
    const { api_key } = await keyOf(tenant, harness.nowMs() + MINUTE_MS)
    expect(await outcome(api_key)).toBe(200)
    harness.advance(MINUTE_MS)
    expect(await outcome(api_key)).toBe('401 api_key_expired')
    const { api_key: old, state } = await keyOf(tenant, harness.nowMs() - MINUTE_MS)
    expect(state).toBe('expired')
    expect(await outcome(old)).toBe('401 api_key_expired')
  })

  test('with a typo is rejected', async () => {
    const { api_key } = await keyOf(await harness.createTenant())
    const typo = api_key.slice(0, 10) + (api_key[10] === 'A' ? 'B' : 'A') + api_key.slice(11)
    expect(await outcome(typo)).toBe('401 invalid_api_key')
    expect(await outcome(`${api_key}x`)).toBe('401 invalid_api_key')
  })

  test('is accepted with any letter case of the scheme', async () => {
    const { api_key } = await keyOf(await harness.createTenant())
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const { status } = await harness.client().get('/v1/me', { authorization: `${scheme} ${api_key}` })
      expect(status).toBe(200)
    }
  })

  test('has its last use recorded at most once a minute', async () => {
    const { id, api_key } = await keyOf(await harness.createTenant())
    const lastUsed = async () => {
      const row = await harness.service.database.kysely
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return row.last_used_at ?? undefined
    }
    expect(await lastUsed()).toBeUndefined()
    await outcome(api_key)
    const first = await eventually(lastUsed)
    harness.advance(MINUTE_MS / 2)
    await outcome(api_key)
    await outcome(api_key)
    expect(await lastUsed()).toBe(first)
    harness.advance(MINUTE_MS)
    await outcome(api_key)
    await eventually(async () => ((await lastUsed()) ?? '') > first)
  })
})

test('returns 429 after 60 wrong keys a minute from one address, and still accepts a valid key', async () => {
  harness.advance(2 * MINUTE_MS)
  const tenant = await harness.createTenant()
  for (let n = 0; n < 60; n++) expect(await outcome('nonsense')).toBe('401 invalid_api_key')
  const refused = await harness.client('nonsense').get('/v1/me')
  expect(refused.body.error).toBe('rate_limited')
  expect(await outcome(tenant.apiKey)).toBe(200)
  harness.advance(Number(refused.headers.get('retry-after')) * 1000)
  expect(await outcome('nonsense')).toBe('401 invalid_api_key')
})

describe('wrong keys', () => {
  const guess = async (address: string) =>
    (await harness.client('nonsense').get('/v1/me', { 'x-forwarded-for': address })).status

  const guessTimes = async (times: number, address: (n: number) => string) =>
    new Set(await Promise.all(Array.from({ length: times }, (_, n) => guess(address(n)))))

  test('are counted together for all addresses of an IPv6 /64', async () => {
    expect(await guessTimes(60, (n) => `2001:db8:1:1:${n.toString(16)}::1`)).toEqual(new Set([401]))
    expect(await guess('2001:db8:1:1::ffff')).toBe(429)
    expect(await guess('2001:db8:1:2::ffff')).toBe(401)
  })

  test('are counted for an IPv4 address, however it is written', async () => {
    expect(await guessTimes(30, () => '192.0.2.1')).toEqual(new Set([401]))
    expect(await guessTimes(30, () => '::ffff:192.0.2.1')).toEqual(new Set([401]))
    expect(await guess('192.0.2.1')).toBe(429)
    expect(await guess('192.0.2.2')).toBe(401)
  })

  test('are counted without the database', async () => {
    const statements = await harness.statementsOf(() => guess('192.0.2.3'))
    expect(statements.filter(({ sql }) => sql.includes('rate_windows'))).toEqual([])
  })

  // The same code runs on both engines, and thousands of lookups are fastest on SQLite.
  test.runIf(inject('engine') === 'sqlite')('do not displace known keys from the cache', async () => {
    const { apiKey } = await harness.createTenant()
    const { database } = harness.service
    const authenticator = new ApiKeyAuthenticator(database, { perMinute: 1, perHour: 1 }, createLogger('silent'))
    const nowMs = harness.nowMs()
    await authenticator.authenticate(apiKey, nowMs)
    const guessMany = () =>
      Promise.allSettled(Array.from({ length: 100 }, async () => authenticator.authenticate(newToken(), nowMs)))
    for (let n = 0; n < 110; n++) await guessMany()
    // A cached key needs no lookup, so there is nothing to wait for.
    expect(authenticator.authenticate(apiKey, nowMs)).toMatchObject({ kind: 'api_key' })
    await authenticator.flush()
  })
})

test('what must be named is no part of everything: keys name it, owners and admins have it in their sessions', async () => {
  const tenant = await harness.createTenant()
  const choose = (client: Client, name: string) =>
    client.post('/v1/qr-codes', { public_slug: `${name}-${tenant.slug}`, destination: { url: 'https://acme.com/' } })
  const keyWith = async (...scopes: string[]) => {
    const { body } = await tenant.post('/v1/api-keys', { name: 'Import', scopes })
    expect(body.scopes).toEqual(scopes)
    return harness.client(body.api_key)
  }
  const named = await keyWith('all', 'codes.slugs')
  expect((await named.get('/v1/articles')).status).toBe(200)
  expect((await choose(named, 'named')).status).toBe(201)
  expect((await choose(await keyWith('qr.manage', 'codes.slugs'), 'limited')).status).toBe(201)
  for (const client of [tenant, await keyWith('all')]) {
    expect(await choose(client, 'unnamed')).toMatchObject({
      status: 403,
      body: { error: 'forbidden', details: { required_scope: 'codes.slugs' } },
    })
  }
  for (const [role, status] of [
    ['owner', 201],
    ['admin', 201],
    ['manager', 403],
  ] as const) {
    expect([role, (await choose(await harness.createPerson(tenant, role), role)).status]).toEqual([role, status])
  }
})
