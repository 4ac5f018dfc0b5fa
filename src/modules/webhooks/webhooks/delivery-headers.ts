import type { DeliveryHeaders } from '../../../platform/contract/openapi/index.ts'

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

/** The headers of a delivery as the OpenAPI document describes them. `webhooks/delivery` sends them. */
export const DELIVERY_HEADERS: DeliveryHeaders = {
  eventType: 'X-Service-Event',
  others: {
    DeliveryId: header('X-Service-Delivery', 'The ID of the delivery. It may arrive more than once: ignore repeats.', {
      type: 'string',
      format: 'uuid',
      examples: ['0197f3a2-5d20-7c44-8a10-9be1d7a4c002'],
    }),
    DeliveryTimestamp: header('X-Service-Timestamp', 'Unix time in seconds at which this attempt was signed.', {
      type: 'integer',
      examples: [1_781_045_458],
    }),
    DeliverySignature: header(
      'X-Service-Signature',
      'Proves that we sent the request: `v1` is the lower-case hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the signing secret. Compare in constant time, and reject a `t` that is more than 300 seconds off. While a secret is being rotated there are two `v1` parts; one of them must match.',
      {
        type: 'string',
        pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$',
        examples: ['t=1781045458,v1=5f2b6c1de09a7734c8b1f0d25a9e3b8476c0d1e2f3a4b5968778695a4b3c2d1e'],
      },
    ),
    WebhookId: header(
      'webhook-id',
      'The ID of the delivery, a colon and the event type: the same on every attempt. `webhook-signature` covers it.',
      { type: 'string', examples: ['0197f3a2-5d20-7c44-8a10-9be1d7a4c002:qr_code.scanned'] },
    ),
    WebhookTimestamp: header('webhook-timestamp', 'Unix time in seconds at which this attempt was signed.', {
      type: 'integer',
      examples: [1_781_045_458],
    }),
    WebhookSignature: header(
      'webhook-signature',
      'The signature of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes that the signing secret without `whsec_` is in base64. Libraries of Standard Webhooks verify it. While a secret is being rotated there are two, separated by a space.',
      {
        type: 'string',
        pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
        examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
      },
    ),
  },
}
