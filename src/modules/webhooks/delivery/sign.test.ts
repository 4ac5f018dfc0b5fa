import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { verifyWebhook } from '../../../../packages/sdk/src/webhooks.ts'
import { deliverableEvents } from '../../../api/families.ts'
import { newSecret } from '../webhooks/service.ts'
import { sign } from './sign.ts'

const NOW_MS = 1_800_000_000_999
const SECRET = `whsec_${'0123456789abcdef'.repeat(4)}`
const OLD = `whsec_${'fedcba9876543210'.repeat(4)}`
const BODY = '{"name":"شجرة 🌳"}'
const DELIVERY = { id: '0197f3a2-5d20-7c44-8a10-9be1d7a4c002', type: 'qr_code.scanned' }
const both = { secret: SECRET, oldSecret: { text: OLD, expiresAtMs: NOW_MS + 1 } }
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('signs the time in whole seconds, a dot and the body, with the secret including its prefix', () => {
  expect(sign({ secret: SECRET, oldSecret: undefined }, DELIVERY, BODY, NOW_MS)).toMatchObject({
    'x-service-timestamp': '1800000000',
    'x-service-signature': `t=1800000000,v1=${hmac(SECRET, `1800000000.${BODY}`)}`,
  })
})

test('also signs with the old secret until it expires, in both schemes', () => {
  const parts = (nowMs: number) => sign(both, DELIVERY, '{}', nowMs)['x-service-signature']?.split(',')
  expect(parts(NOW_MS)).toEqual([
    't=1800000000',
    `v1=${hmac(SECRET, '1800000000.{}')}`,
    `v1=${hmac(OLD, '1800000000.{}')}`,
  ])
  expect(parts(NOW_MS + 1)).toEqual(['t=1800000001', `v1=${hmac(SECRET, '1800000001.{}')}`])
  const count = (nowMs: number) => sign(both, DELIVERY, '{}', nowMs)['webhook-signature']?.split(' ').length
  expect([count(NOW_MS), count(NOW_MS + 1)]).toEqual([2, 1])
})

test('the library of Standard Webhooks accepts either secret, and no changed body, ID, event type or time', () => {
  const headers = sign(both, DELIVERY, BODY, NOW_MS)
  const verify = (secret: string, body = BODY, changes = {}) =>
    new Webhook(secret).verify(body, { ...headers, ...changes })
  for (const secret of [SECRET, OLD]) expect(verify(secret)).toEqual(JSON.parse(BODY))
  for (const [secret, body, changes] of [
    [newSecret(), BODY, {}],
    [SECRET, `${BODY} `, {}],
    [SECRET, BODY, { 'webhook-id': `${DELIVERY.id}:qr_code.deleted` }],
    [SECRET, BODY, { 'webhook-id': DELIVERY.id }],
    [SECRET, BODY, { 'webhook-timestamp': '1800000001' }],
  ] as const) {
    expect(() => verify(secret, body, changes)).toThrow('No matching signature found')
  }
  const secret = newSecret()
  const fresh = sign({ secret, oldSecret: undefined }, DELIVERY, BODY, NOW_MS)
  expect(new Webhook(secret).verify(BODY, fresh)).toEqual(JSON.parse(BODY))
})

test('the dots of an event type never separate the parts of what is signed in another way', () => {
  // A receiver would have to take a part of the type for the time, and would reject it.
  const types = Object.keys(deliverableEvents)
  expect(types.length).toBeGreaterThan(30)
  expect(types.filter((type) => !/^[a-z_]+(\.[a-z_]+)*$/.test(type))).toEqual([])
})

test('verifyWebhook of the SDK accepts either secret and no other', async () => {
  const headers = {
    ...sign(both, DELIVERY, BODY, NOW_MS),
    'x-service-delivery': DELIVERY.id,
    'x-service-event': DELIVERY.type,
  }
  const verify = (secret: string) => verifyWebhook({ body: BODY, headers, secret, requireSignedEvent: true })
  for (const secret of [SECRET, OLD]) {
    expect(await verify(secret)).toMatchObject({ payload: JSON.parse(BODY), id: DELIVERY.id, event: DELIVERY.type })
  }
  await expect(verify(newSecret())).rejects.toMatchObject({ reason: 'no_match' })
})
