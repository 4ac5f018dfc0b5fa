import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { deleteExpired } from '../../../erasure/retention.ts'
import { type Overrides, startService } from '../../../main/service.ts'
import { setLimits } from '../../../modules/account/organisations/index.ts'
import { checkResponse } from '../../../testing/check-response.ts'
import { Client } from '../../../testing/client.ts'
import { type Tenant, testConfig, useHarness } from '../../../testing/harness.ts'
import { DAY_MS, timestamp } from '../../clock/index.ts'
import { newId } from '../../ids/index.ts'
import { createLogger } from '../../telemetry/logging.ts'

const harness = useHarness()
const PATH = '/v1/article-tags'
let keys = 0
const newKey = () => ({ 'idempotency-key': `key-${++keys}` })
const total = async (tenant: Client) => (await tenant.get(PATH)).body.total
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'

test('50 simultaneous duplicates have one effect and one response', async () => {
  const acme = await harness.createTenant()
  const key = newKey()
  const replies = await Promise.all(Array.from({ length: 50 }, () => acme.post(PATH, { name: 'Once' }, key)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(replies.filter(replayed)).toHaveLength(49)
  expect(await total(acme)).toBe(1)
})

test('replays an error of the handler with its original request id', async () => {
  const acme = await harness.createTenant()
  const { body: existing } = await acme.post(PATH, { name: 'Taken' })
  const key = newKey()
  const refused = await acme.post(PATH, { name: 'Taken' }, key)
  expect(refused.status).toBe(409)
  await acme.delete(`${PATH}/${existing.id}`)
  const again = await acme.post(PATH, { name: 'Taken' }, key)
  expect(again.text).toBe(refused.text)
  expect(again.headers.get('x-request-id')).toBe(again.body.request_id)
  expect(replayed(again)).toBe(true)
  expect(await total(acme)).toBe(0)
})

test('does not store a validation error or a rate limit error', async () => {
  const acme = await harness.createTenant()
  const key = newKey()
  expect((await acme.post(PATH, { name: '' }, key)).status).toBe(400)
  expect((await acme.post('/v1/custom-domains', { domain: '10.0.0.1' }, key)).status).toBe(400)
  await harness.service.database.write((tx) =>
    setLimits(tx, acme.orgId, { rate_per_minute: 1 }, timestamp(harness.nowMs())),
  )
  harness.advance(1000)
  expect((await acme.post(PATH, { name: 'Good' }, key)).status).toBe(429)
  await harness.service.database.write((tx) =>
    setLimits(tx, acme.orgId, { rate_per_minute: null }, timestamp(harness.nowMs())),
  )
  harness.advance(1000)
  const created = await acme.post(PATH, { name: 'Good' }, key)
  expect(created.status).toBe(201)
  expect(replayed(created)).toBe(false)
  expect((await acme.post('/v1/custom-domains', { domain: 'acme.com' }, key)).status).toBe(201)
})

describe('a repeated request that the service has no memory of, because it was restarted', () => {
  const restart = async ({ apiKey }: Tenant): Promise<Client> => {
    await harness.restart()
    return new Client(harness.baseUrl, apiKey)
  }

  test('returns the stored response, and changes nothing', async () => {
    const acme = await harness.createTenant()
    const key = newKey()
    const first = await acme.post(PATH, { name: 'Before' }, key)
    const later = await restart(acme)
    const again = await later.post(PATH, { name: 'Before' }, key)
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, true])
    await later.delete(`${PATH}/${first.body.id}`)
    const latest = await restart(acme)
    const afterDelete = await latest.post(PATH, { name: 'Before' }, key)
    expect([afterDelete.text, replayed(afterDelete)]).toEqual([first.text, true])
    expect(await total(latest)).toBe(0)
  })

  test('returns a stored error, although it would now succeed', async () => {
    const acme = await harness.createTenant()
    const { body: existing } = await acme.post(PATH, { name: 'Taken' })
    const key = newKey()
    const refused = await acme.post(PATH, { name: 'Taken' }, key)
    await acme.delete(`${PATH}/${existing.id}`)
    const later = await restart(acme)
    const again = await later.post(PATH, { name: 'Taken' }, key)
    expect([again.status, again.text, replayed(again)]).toEqual([409, refused.text, true])
    expect(await total(later)).toBe(0)
  })

  test.each([
    ['is valid', 'acme.org'],
    ['is refused by the handler', '10.0.0.1'],
  ])('is a conflict if it has another body that %s', async (_case, domain) => {
    const acme = await harness.createTenant()
    const key = newKey()
    await acme.post('/v1/custom-domains', { domain: 'acme.com' }, key)
    const later = await restart(acme)
    expect((await later.post('/v1/custom-domains', { domain }, key)).body.error).toBe('idempotency_conflict')
    expect((await later.get('/v1/custom-domains')).body.total).toBe(1)
  })
})

test('a key applies to one credential and one path', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const key = newKey()
  expect((await acme.post(PATH, { name: 'Same' }, key)).status).toBe(201)
  const otherReply = await other.post(PATH, { name: 'Same' }, key)
  expect(otherReply.status).toBe(201)
  expect(replayed(otherReply)).toBe(false)
  expect((await acme.post('/v1/custom-domains', { domain: 'acme.com' }, key)).status).toBe(201)
})

test('validates the body before it compares it with the stored request', async () => {
  const acme = await harness.createTenant()
  const key = newKey()
  await acme.post(PATH, { name: 'First' }, key)
  expect((await acme.post(PATH, { name: 5 }, key)).body.error).toBe('invalid_payload')
  expect((await acme.post(PATH, { name: 'Second' }, key)).body.error).toBe('idempotency_conflict')
})

test('a key can be reused after 24 hours, even if the old response is not deleted yet', async () => {
  const acme = await harness.createTenant()
  const key = newKey()
  const first = await acme.post(PATH, { name: 'Daily' }, key)
  harness.advance(DAY_MS - 60_000)
  expect((await acme.post(PATH, { name: 'Daily' }, key)).text).toBe(first.text)
  harness.advance(120_000)
  const later = await acme.post(PATH, { name: 'Another' }, key)
  expect(later.status).toBe(201)
  expect((await acme.post(PATH, { name: 'Another' }, key)).text).toBe(later.text)
})

test('retention deletes expired responses only', async () => {
  const acme = await harness.createTenant()
  await acme.post(PATH, { name: 'Old' }, newKey())
  harness.advance(DAY_MS + 1000)
  const key = newKey()
  await acme.post(PATH, { name: 'New' }, key)
  await deleteExpired(harness.service.database, harness.nowMs(), 400)
  const rows = await harness.service.database.kysely
    .selectFrom('idempotent_answers')
    .select('key')
    .where('org_id', '=', acme.orgId)
    .execute()
  expect(rows).toEqual([{ key: key['idempotency-key'] }])
})

test('stores the response encrypted', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.post(PATH, { name: 'Whisper' }, newKey())
  const rows = await harness.service.database.kysely
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('org_id', '=', acme.orgId)
    .execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(body.id)
  expect(Buffer.from(rows[0]!.body.split('.')[1]!, 'base64').toString()).not.toContain('Whisper')
})

test('ignores the header on methods other than POST', async () => {
  const acme = await harness.createTenant()
  const long = { 'idempotency-key': 'x'.repeat(300) }
  expect((await acme.get(PATH, long)).status).toBe(200)
})

/** Only PostgreSQL allows several instances. On SQLite a second one refuses to start. */
if (inject('engine') === 'postgres') {
  const startSecond = async ({ apiKey }: Tenant, overrides: Overrides = {}): Promise<Client> => {
    const services = { clock: harness.nowMs, checkResponse, ...overrides }
    const second = await startService(testConfig(harness), 'api', createLogger('silent'), services)
    onTestFinished(() => second.close())
    return new Client(`http://127.0.0.1:${second.port}`, apiKey)
  }

  test('simultaneous duplicates at two instances have one effect and one response', async () => {
    const acme = await harness.createTenant()
    const secondClient = await startSecond(acme)
    for (let round = 0; round < 20; round++) {
      const key = newKey()
      const send = (client: Client) => client.post(PATH, { name: `Round ${round}` }, key)
      const replies = await Promise.all([send(acme), send(secondClient), send(acme), send(secondClient)])
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    }
    expect(await total(acme)).toBe(20)
  })

  test('returns 503 with Retry-After if the handler waited too long for a lock', async () => {
    const acme = await harness.createTenant()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const name = 'Held'
    const other = harness.service.database.write(async (tx) => {
      await tx
        .insertInto('article_tags')
        .values({ id: newId(), org_id: acme.orgId, name, name_folded: 'held', created_at: timestamp(harness.nowMs()) })
        .execute()
      open()
      await held
      throw new Error('rolled back')
    })
    await opened
    const key = newKey()
    const impatient = await startSecond(acme, { databaseWaitMsMax: 1000 })
    const waited = await impatient.post(PATH, { name }, key)
    expect(waited).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
    expect(waited.headers.get('retry-after')).toBe('1')
    release()
    await expect(other).rejects.toThrow('rolled back')
    const again = await acme.post(PATH, { name }, key)
    expect(again.status).toBe(201)
    expect(replayed(again)).toBe(false)
  })

  test('returns 409 if another instance is still running the first request', async () => {
    const acme = await harness.createTenant()
    const key = newKey()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const { database, keyring } = harness.service
    const { hashBody, insertStoredResponse } = await import('./idempotency.ts')
    // Simulates the other instance: it has written its response, but its transaction is still open.
    const other = database.write(async (tx) => {
      const identity = {
        orgId: acme.orgId,
        credentialId: acme.keyId,
        method: 'POST',
        path: PATH,
        key: key['idempotency-key'],
        bodyHash: hashBody({ name: 'Slow' }),
      }
      await insertStoredResponse(
        tx,
        acme.orgId,
        identity,
        { status: 201, body: '{}', requestId: 'req_x' },
        keyring,
        harness.nowMs(),
      )
      // Sends it: nobody waits for its result.
      await sql`select 1`.execute(tx)
      open()
      await held
    })
    await opened
    const impatient = await startSecond(acme, { databaseWaitMsMax: 1000 })
    const duplicate = await impatient.post(PATH, { name: 'Slow' }, key)
    expect(duplicate.status).toBe(409)
    expect(duplicate.body).toMatchObject({
      error: 'conflict',
      details: { reason: 'idempotency_in_progress' },
    })
    expect(duplicate.headers.get('retry-after')).toBe('1')
    release()
    await other
    expect(replayed(await acme.post(PATH, { name: 'Slow' }, key))).toBe(true)
    expect(await total(acme)).toBe(0)
  })
}
