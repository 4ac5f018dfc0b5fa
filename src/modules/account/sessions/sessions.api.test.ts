import { describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock/index.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const cookieOf = (token: string) => ({ cookie: `waymark_session=${token}` })

test('a person who is signed in uses the API with their session', async () => {
  const acme = await harness.createTenant()
  const agent = await harness.createPerson(acme, 'agent')
  const { status, body } = await agent.get('/v1/me')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    auth: { type: 'session' },
    org: { id: acme.orgId },
    user: { id: agent.userId, first_name: 'Kim', last_name: null },
    connection_label: `${body.org_name} · Kim`,
  })
  expect(body).not.toHaveProperty('api_key')
})

test('only the hash of the token is stored', async () => {
  const { token, userId } = await harness.createPerson(await harness.createTenant(), 'member')
  const rows = await harness.service.database.kysely
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .execute()
  expect(JSON.stringify(rows)).not.toContain(token)
})

describe('a request of a page of another site', () => {
  test('is refused, for reads and writes', async () => {
    const { token } = await harness.createPerson(await harness.createTenant(), 'owner')
    const anonymous = harness.client()
    const send = (method: string, headers: Record<string, string>) =>
      anonymous.request(method, '/v1/article-tags', {
        ...(method === 'POST' && { body: { name: `Tag ${Math.random()}` } }),
        headers: { ...cookieOf(token), ...headers },
      })
    const { host } = new URL(harness.baseUrl)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
    ] as Record<string, string>[]) {
      expect((await send('POST', headers)).body.error, JSON.stringify(headers)).toBe('forbidden')
    }
    expect((await send('GET', { 'sec-fetch-site': 'cross-site' })).body.error).toBe('forbidden')
    expect((await send('POST', { 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect((await send('POST', { origin: `http://${host}` })).status).toBe(201)
    expect((await send('GET', {})).status, 'a browser that says nothing cannot show the response to others').toBe(200)
  })

  test('does not matter for an API key, which no browser sends by itself', async () => {
    const acme = await harness.createTenant()
    const { token } = await harness.createPerson(acme, 'owner')
    const headers = { ...cookieOf(token), 'sec-fetch-site': 'cross-site' }
    const { body } = await acme.get('/v1/me', headers)
    expect(body.auth.type).toBe('api_key')
  })
})

test('a session ends after a week without use, and after 30 days in any case', async () => {
  const acme = await harness.createTenant()
  const [idle, busy] = [await harness.createPerson(acme, 'member'), await harness.createPerson(acme, 'member')]
  for (let day = 0; day < 29; day++) {
    expect((await busy.get('/v1/me')).status, `day ${day}`).toBe(200)
    await eventually(async () => {
      const row = await harness.service.database.kysely
        .selectFrom('sessions')
        .select('last_used_at')
        .where('user_id', '=', busy.userId)
        .executeTakeFirstOrThrow()
      return Date.parse(row.last_used_at) > harness.nowMs() - MINUTE_MS
    })
    harness.advance(DAY_MS)
    if (day === 7) expect((await idle.get('/v1/me')).body.error).toBe('invalid_api_key')
  }
  harness.advance(DAY_MS)
  expect((await busy.get('/v1/me')).body.error).toBe('invalid_api_key')
})

test('a malformed, unknown or doubled session is refused like an unknown key', async () => {
  const { token } = await harness.createPerson(await harness.createTenant(), 'member')
  const anonymous = harness.client()
  for (const cookie of [
    'waymark_session=nonsense',
    `waymark_session=${'a'.repeat(43)}`,
    `waymark_session=${token.slice(0, -1)}`,
  ]) {
    harness.advance(2 * MINUTE_MS)
    const { status, body } = await anonymous.get('/v1/me', { cookie })
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_api_key' })
  }
  const doubled = `waymark_session=${token}; waymark_session=${token}`
  expect((await anonymous.get('/v1/me', { cookie: doubled })).body.error).toBe('missing_api_key')
})

test('people have their own rate limit, so that programs cannot lock them out', async () => {
  const acme = await harness.createTenant()
  const member = await harness.createPerson(acme, 'member')
  const remaining = async () => Number((await member.get('/v1/me')).headers.get('x-ratelimit-remaining-minute'))
  const before = await remaining()
  for (let n = 0; n < 5; n++) await acme.get('/v1/me')
  expect(before - (await remaining())).toBe(1)
})
