import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { hmac, signature } from './testing/sign.ts'
import { bytesOf, readVectors } from './testing/vectors.ts'
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts'

const vectors = await readVectors()
const SECRET = `whsec_${'5e'.repeat(32)}`
const NOW = 1_800_000_000
const BODY = '{"object":"scan"}'

const signedBy = (secret: string, body: string | Uint8Array, time = NOW) => signature(secret, time, body)
const headersWith = (value: string) => ({
  'x-service-event': 'qr_code.scanned',
  'x-service-delivery': '0197f3a2-5d20-7c44-8a10-9be1d7a4c002',
  'x-service-signature': value,
})
const reasonOf = (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error)
const outcome = (request: Partial<Parameters<typeof verifyWebhook>[0]>) =>
  verifyWebhook({
    body: BODY,
    headers: headersWith(signedBy(SECRET, BODY)),
    secret: SECRET,
    nowSeconds: NOW,
    ...request,
  }).then(() => 'accepted', reasonOf)

test.each(vectors)('vector: $name', async (vector) => {
  const body = bytesOf(vector)
  const shapes: WebhookHeaders[] = [
    vector.headers,
    new Headers(vector.headers),
    Object.fromEntries(Object.entries(vector.headers).map(([name, value]) => [name, [value]])),
  ]
  for (const headers of shapes) {
    for (const rawBody of vector.body === undefined ? [body] : [body, vector.body]) {
      const request = { body: rawBody, headers, secret: vector.secrets, nowSeconds: vector.now }
      if (vector.valid) {
        const expected = new Headers(vector.headers)
        expect(await verifyWebhook(request)).toEqual({
          id: expected.get('x-service-delivery'),
          event: expected.get('x-service-event'),
          payload: JSON.parse(vector.body!),
          timestamp: Number(/(?:^|,)t=(\d+)/.exec(expected.get('x-service-signature')!)![1]),
        })
      } else {
        expect(await verifyWebhook(request).catch(reasonOf)).toBe(vector.reason)
      }
    }
  }
})

test('the test vectors are correct according to an independent HMAC implementation', () => {
  const byReason = Map.groupBy(vectors, ({ reason }) => reason)
  expect(byReason.keys().toArray().sort()).toEqual(
    ['malformed_payload', 'malformed_signature', 'missing_header', 'no_match', 'timestamp_out_of_range', null].sort(),
  )
  for (const vector of vectors) {
    expect(vector.valid).toBe(vector.reason === null)
    const parts = (new Headers(vector.headers).get('x-service-signature') ?? '').split(',')
    const times = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2))
    const isSigned = times.some((time) =>
      vector.secrets.some((secret) => parts.includes(`v1=${hmac(secret, time, bytesOf(vector))}`)),
    )
    // Vectors that are rejected for their time or payload have a valid signature, so that it cannot be the reason.
    if (vector.valid || ['timestamp_out_of_range', 'malformed_payload'].includes(vector.reason!)) {
      expect(isSigned, vector.name).toBe(true)
    }
    if (vector.reason === 'no_match') expect(isSigned, vector.name).toBe(false)
  }
})

test('any signed JSON is accepted as text and as bytes, and the payload is unchanged', async () => {
  const secret = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((key) => `whsec_${Buffer.from(key).toString('hex')}`)
  await fc.assert(
    fc.asyncProperty(secret, fc.json(), fc.integer({ min: -300, max: 300 }), async (secret, body, offset) => {
      const headers = headersWith(signedBy(secret, body, NOW + offset))
      for (const rawBody of [body, Buffer.from(body)]) {
        const delivery = await verifyWebhook({ body: rawBody, headers, secret, nowSeconds: NOW })
        expect(delivery.payload).toEqual(JSON.parse(body))
        expect(delivery.timestamp).toBe(NOW + offset)
      }
    }),
  )
})

test('a flipped bit anywhere in the body is rejected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.nat(7), async (bytes, at, bit) => {
      const headers = headersWith(signedBy(SECRET, bytes))
      bytes[at % bytes.length]! ^= 1 << bit
      expect(await outcome({ body: bytes, headers })).toBe('no_match')
    }),
  )
})

test('an arbitrary signature header is rejected and never causes another error', async () => {
  const piece = fc.constantFrom(
    't=',
    `t=${NOW}`,
    'v1=',
    `v1=${'0'.repeat(64)}`,
    ',',
    ',,',
    '=',
    ' ',
    '\0',
    '9'.repeat(20),
  )
  const header = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(piece, fc.string())).map((all) => all.join('')),
  )
  await fc.assert(
    fc.asyncProperty(header, async (signature) => {
      const reasons = ['missing_header', 'malformed_signature', 'timestamp_out_of_range', 'no_match']
      expect(reasons).toContain(await outcome({ headers: headersWith(signature) }))
    }),
    { numRuns: 1000 },
  )
})

test('the body is hashed once per secret, not once per signature', async () => {
  const { subtle } = crypto
  const { sign } = subtle
  let hashes = 0
  subtle.sign = (...given) => {
    hashes++
    return sign.apply(subtle, given)
  }
  try {
    const headers = headersWith(`t=${NOW}${',v1='.repeat(1000)}`)
    expect(await outcome({ headers, secret: [SECRET, `${SECRET}0`] })).toBe('no_match')
  } finally {
    subtle.sign = sign
  }
  expect(hashes).toBe(2)
})

test('a signature header of many kilobytes is rejected before any comparison', async () => {
  const right = signedBy(SECRET, BODY)
  for (const padding of [',v1=0'.repeat(5000), ','.repeat(1_000_000), `,x=${'y'.repeat(10_000)}`]) {
    expect(await outcome({ headers: headersWith(right + padding) })).toBe('malformed_signature')
  }
})

test('a repeated signature header gives the same result for every kind of headers object', async () => {
  const right = signedBy(SECRET, BODY)
  const other = `t=${NOW - 1},v1=${'0'.repeat(64)}`
  for (const [first, second, expected] of [
    [right, other, 'accepted'],
    [other, right, 'no_match'],
  ] as const) {
    const { 'x-service-signature': _one, ...others } = headersWith('')
    const appended = new Headers({ ...others, 'x-service-signature': first })
    appended.append('x-service-signature', second)
    expect(await outcome({ headers: appended })).toBe(expected)
    expect(await outcome({ headers: { ...others, 'x-service-signature': [first, second] } })).toBe(expected)
    expect(await outcome({ headers: { ...others, 'X-Service-Signature': first, 'x-service-signature': second } })).toBe(
      expected,
    )
  }
})

describe('the signature of Standard Webhooks, which also covers the delivery and the event type', () => {
  const ID = '0197f3a2-5d20-7c44-8a10-9be1d7a4c002'
  const standard = (secret: string, { id = ID, event = 'qr_code.scanned', time = NOW, body = BODY } = {}) =>
    new Webhook(secret).sign(`${id}:${event}`, new Date(time * 1000), body)
  const verify = (value: string | undefined, more: object = {}, request: object = {}) =>
    outcome({
      headers: {
        ...headersWith(signedBy(SECRET, BODY)),
        ...(value !== undefined && { 'webhook-signature': value }),
        ...more,
      },
      ...request,
    })
  const OTHER = `whsec_${'ab'.repeat(32)}`

  test('is verified if there is one, and may be required', async () => {
    expect(await verify(standard(SECRET), {}, { requireSignedEvent: true })).toBe('accepted')
    expect(await verify(`v1,AAAA v1a,xyz ${standard(SECRET)}`)).toBe('accepted')
    expect(await verify(standard(SECRET), {}, { secret: [OTHER, SECRET] })).toBe('accepted')
    expect(await verify(undefined)).toBe('accepted')
    expect(await verify(undefined, {}, { requireSignedEvent: true })).toBe('missing_header')
  })

  test('does not match another event type, delivery, time, body or secret', async () => {
    const value = standard(SECRET)
    expect(await verify(value, { 'x-service-event': 'qr_code.deleted' })).toBe('no_match')
    expect(await verify(value, { 'x-service-delivery': ID.replace('2', '3') })).toBe('no_match')
    // The colon cannot be moved, and no part of the event type can become a part of something else.
    expect(await verify(value, { 'x-service-delivery': `${ID}:qr_code`, 'x-service-event': 'scanned' })).toBe(
      'no_match',
    )
    for (const wrong of [
      ...[standard(SECRET, { time: NOW - 1 }), standard(SECRET, { body: '{}' }), standard(OTHER), 'v1,', 'v1', ' '],
      ...[value.replace('v1,', 'v2,'), value.replace('v1,', ''), `${value},`, `${value}, x`],
    ]) {
      expect(await verify(wrong), wrong).toBe('no_match')
    }
    expect(await verify(`${'x'.repeat(4096)} ${value}`)).toBe('malformed_signature')
    // Two headers are joined with a comma, so neither can hide the other.
    expect(await verify(`${standard(OTHER)}, ${value}`)).toBe('accepted')
  })

  test('is never accepted alone', async () => {
    const { 'x-service-signature': _, ...others } = headersWith('')
    expect(await outcome({ headers: { ...others, 'webhook-signature': standard(SECRET) } })).toBe('missing_header')
    expect(await verify(standard(SECRET), { 'x-service-signature': signedBy(OTHER, BODY) })).toBe('no_match')
  })

  test('cannot be made with a secret that is not in base64', async () => {
    const odd = `${SECRET}0`
    const headers = { ...headersWith(signedBy(odd, BODY)), 'webhook-signature': standard(SECRET) }
    expect(await outcome({ headers, secret: odd })).toBe('no_match')
  })
})

test('the tolerance can be narrowed, and NaN rejects everything', async () => {
  const headers = headersWith(signedBy(SECRET, BODY, NOW - 10))
  expect(await outcome({ headers, toleranceSeconds: 10 })).toBe('accepted')
  expect(await outcome({ headers, toleranceSeconds: 9 })).toBe('timestamp_out_of_range')
  expect(await outcome({ headers, toleranceSeconds: Number.NaN })).toBe('timestamp_out_of_range')
  expect(await outcome({ headers, nowSeconds: Number.NaN })).toBe('timestamp_out_of_range')
})

test('the current time defaults to the system clock', async () => {
  const headers = headersWith(signedBy(SECRET, BODY, Math.floor(Date.now() / 1000)))
  expect(await verifyWebhook({ body: BODY, headers, secret: SECRET })).toMatchObject({ event: 'qr_code.scanned' })
  const old = headersWith(signedBy(SECRET, BODY, 1_700_000_000))
  expect(await verifyWebhook({ body: BODY, headers: old, secret: SECRET }).catch(reasonOf)).toBe(
    'timestamp_out_of_range',
  )
})

test('the payload is parsed from the verified bytes, even when the caller reuses its buffer', async () => {
  const body = Buffer.from(BODY)
  const verified = verifyWebhook({
    body,
    headers: headersWith(signedBy(SECRET, BODY)),
    secret: SECRET,
    nowSeconds: NOW,
  })
  body.fill('x')
  expect((await verified).payload).toEqual({ object: 'scan' })
})

test.each([
  ['empty', ''],
  ['missing', undefined],
  ['an empty array', []],
  ['empty next to a valid one', [SECRET, '']],
  ['without its prefix', SECRET.slice(6)],
  ['with a trailing newline', `${SECRET}\n`],
])('a secret that is %s throws a TypeError', async (_kind, secret) => {
  const headers = headersWith(signedBy(String([secret].flat().at(-1) ?? ''), BODY))
  expect(await outcome({ headers, secret: secret as string })).toBeInstanceOf(TypeError)
})

test.each<[string, unknown]>([
  ['an object', { object: 'scan' }],
  ['missing', undefined],
  ['an ArrayBuffer', new ArrayBuffer(2)],
])('a body that is %s throws an error that names the mistake', async (_kind, body) => {
  const request = {
    body: body as string,
    headers: headersWith(signedBy(SECRET, BODY)),
    secret: SECRET,
    nowSeconds: NOW,
  }
  await expect(verifyWebhook(request)).rejects.toThrow(/^body must be the raw text or bytes/)
})
