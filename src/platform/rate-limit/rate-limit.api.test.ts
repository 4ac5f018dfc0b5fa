import { expect, inject, test } from 'vitest'
import { createKey } from '../../modules/account/api-keys/index.ts'
import { setLimits } from '../../modules/account/organisations/index.ts'
import { useHarness } from '../../testing/harness.ts'
import { MINUTE_MS, timestamp } from '../clock/index.ts'
import { openDatabase } from '../db/open.ts'
import { createRateLimiter, type RateLimiter } from './index.ts'

const harness = useHarness({ config: { caps: { perMinute: 20, perHour: 50 } } })

const header = (reply: { headers: Headers }, name: string) => Number(reply.headers.get(`x-ratelimit-${name}`))

test('admits exactly the limit of simultaneous requests and sends Retry-After to the rest', async () => {
  const acme = await harness.createTenant()
  const replies = await Promise.all(Array.from({ length: 50 }, () => acme.get('/v1/me')))
  const admitted = replies.filter(({ status }) => status === 200)
  expect(admitted).toHaveLength(20)
  expect(admitted.map((reply) => header(reply, 'remaining-minute')).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, n) => n),
  )
  const refused = replies.find(({ status }) => status === 429)!
  expect(refused.body.error).toBe('rate_limited')
  expect(header(refused, 'limit-minute')).toBe(20)
  expect(header(refused, 'remaining-minute')).toBe(0)
  expect(header(refused, 'reset-minute')).toBeGreaterThan(harness.nowMs() / 1000)
  harness.advance(Number(refused.headers.get('retry-after')) * 1000)
  expect((await acme.get('/v1/me')).status).toBe(200)
})

test('counts all credentials of an organisation together, and other organisations separately', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const second = await harness.service.database.write((tx) =>
    createKey(tx, acme.orgId, { name: 'Second' }, timestamp(harness.nowMs())),
  )
  for (let n = 0; n < 10; n++) {
    expect((await acme.get('/v1/me')).status).toBe(200)
    expect((await harness.client(second.api_key).get('/v1/me')).status).toBe(200)
  }
  expect((await acme.get('/v1/me')).status).toBe(429)
  expect((await harness.client(second.api_key).get('/v1/me')).status).toBe(429)
  expect((await other.get('/v1/me')).status).toBe(200)
})

test('enforces the hourly limit separately', async () => {
  const acme = await harness.createTenant()
  let admitted = 0
  for (let minute = 0; minute < 4; minute++) {
    for (let n = 0; n < 20; n++) if ((await acme.get('/v1/me')).status === 200) admitted++
    harness.advance(2 * MINUTE_MS)
  }
  expect(admitted).toBe(50)
  const refused = await acme.get('/v1/me')
  expect(refused.status).toBe(429)
  expect(header(refused, 'remaining-hour')).toBe(0)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
})

test('applies custom limits of an organisation within a second', async () => {
  const acme = await harness.createTenant()
  expect(header(await acme.get('/v1/me'), 'limit-minute')).toBe(20)
  const now = timestamp(harness.nowMs())
  await harness.service.database.write((tx) => setLimits(tx, acme.orgId, { rate_per_minute: 3, rate_per_hour: 7 }, now))
  harness.advance(1000)
  const reply = await acme.get('/v1/me')
  expect(header(reply, 'limit-minute')).toBe(3)
  expect(header(reply, 'limit-hour')).toBe(7)
  await harness.service.database.write((tx) => setLimits(tx, acme.orgId, { rate_per_minute: null }, now))
  harness.advance(1000)
  expect(header(await acme.get('/v1/me'), 'limit-minute')).toBe(20)
})

test('counts requests that fail for other reasons, but not those over the limit', async () => {
  const acme = await harness.createTenant()
  for (let n = 0; n < 19; n++) await acme.get('/v1/article-tags/nonsense')
  expect(header(await acme.get('/v1/me'), 'remaining-minute')).toBe(0)
  const first = await acme.get('/v1/me')
  const second = await acme.get('/v1/me')
  expect(header(second, 'reset-minute')).toBe(header(first, 'reset-minute'))
})

// SQLite has a single instance, so there is nothing to share.
if (inject('engine') === 'postgres') {
  test('several instances share one limit exactly', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(harness.location)))
    const limiters = databases.map(createRateLimiter)
    const caps = { perMinute: 1000, perHour: 5000 }
    const takes = Array.from({ length: 2000 }, (_, n) => limiters[n % 4]!.take('shared', caps, harness.nowMs()))
    const decisions = await Promise.all(takes)
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(1000)
    await Promise.all(databases.map((database) => database.close()))
  })

  test('many callers at several instances are counted exactly', async () => {
    const databases = await Promise.all(Array.from({ length: 3 }, () => openDatabase(harness.location)))
    const limiters = databases.map(createRateLimiter)
    const caps = { perMinute: 4, perHour: 100 }
    const callers = Array.from({ length: 250 }, (_, n) => `caller ${n}`)
    const admitted = new Map<string, number>()
    // Each instance meets the callers in another order, and every caller asks six times.
    const orders = [callers, callers.toReversed(), callers.toSorted(() => Math.random() - 0.5)]
    const takes = orders.flatMap((order, instance) =>
      [...order, ...order].map(async (caller) => {
        const decision = await limiters[instance]!.take(caller, caps, harness.nowMs())
        if (decision.admitted) admitted.set(caller, (admitted.get(caller) ?? 0) + 1)
      }),
    )
    await Promise.all(takes)
    expect(callers.filter((caller) => admitted.get(caller) !== 4)).toEqual([])
    await Promise.all(databases.map((database) => database.close()))
  })

  test('few statements count many callers', async () => {
    const caps = { perMinute: 4, perHour: 100 }
    const statementsOfAll = async (limiter: RateLimiter) => {
      const statements = await harness.statementsOf(() =>
        Promise.all(Array.from({ length: 250 }, (_, n) => limiter.take(`visitor ${n}`, caps, harness.nowMs()))),
      )
      return statements.filter(({ sql }) => sql.includes('rate_windows')).length
    }
    const [first, second] = [createRateLimiter(harness.service.database), createRateLimiter(harness.service.database)]
    // Three rounds of new callers.
    expect(await statementsOfAll(first)).toBe(3)
    expect(await statementsOfAll(first)).toBe(3)
    // Each round fails, because the callers are known elsewhere; then it loads them and stores.
    expect(await statementsOfAll(second)).toBe(9)
  })
}
