import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook } from '../../../../packages/sdk/src/webhooks.ts'
import { sign } from './sign.ts'

const NOW_MS = 1_800_000_000_999
const SECRET = `whsec_${'0123456789abcdef'.repeat(4)}`
const OLD = `whsec_${'fedcba9876543210'.repeat(4)}`
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

test('signs the time in whole seconds, a dot and the body, with the secret including its prefix', () => {
  const body = '{"name":"شجرة 🌳"}'
  expect(sign({ secret: SECRET, oldSecret: undefined }, body, NOW_MS)).toEqual({
    timestamp: '1800000000',
    signature: `t=1800000000,v1=${hmac(SECRET, `1800000000.${body}`)}`,
  })
})

test('also signs with the old secret until it expires', () => {
  const both = { secret: SECRET, oldSecret: { text: OLD, expiresAtMs: NOW_MS + 1 } }
  const parts = (nowMs: number) => sign(both, '{}', nowMs).signature.split(',')
  expect(parts(NOW_MS)).toEqual([
    't=1800000000',
    `v1=${hmac(SECRET, '1800000000.{}')}`,
    `v1=${hmac(OLD, '1800000000.{}')}`,
  ])
  expect(parts(NOW_MS + 1)).toEqual(['t=1800000001', `v1=${hmac(SECRET, '1800000001.{}')}`])
})

test('verifyWebhook of the SDK accepts either secret and no other', async () => {
  const body = '{"name":"شجرة 🌳"}'
  const { timestamp, signature } = sign(
    { secret: SECRET, oldSecret: { text: OLD, expiresAtMs: NOW_MS + 1 } },
    body,
    NOW_MS,
  )
  const headers = { 'x-service-signature': signature, 'x-service-delivery': 'id', 'x-service-event': 'webhook.test' }
  const verify = (secret: string) => verifyWebhook({ body, headers, secret, nowSeconds: Number(timestamp) })
  for (const secret of [SECRET, OLD]) expect((await verify(secret)).payload).toEqual(JSON.parse(body))
  await expect(verify(`whsec_${'0'.repeat(64)}`)).rejects.toMatchObject({ reason: 'no_match' })
})
