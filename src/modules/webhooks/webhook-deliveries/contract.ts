import { z } from 'zod'
import { choice, cursorQuery, field, operations, recorded } from '../../../platform/contract/index.ts'
import { webhookFamily } from '../webhooks/contract.ts'

const Status = choice({
  pending: 'Waiting for the next attempt.',
  delivered: 'Your endpoint responded with 2xx.',
  failed: 'Given up, after ten attempts or after the only attempt of a test.',
  held: 'Waiting until the endpoint is active again.',
}).meta({ examples: ['delivered'] })

const event = recorded(z.string().meta({ description: 'The event type.', examples: ['qr_code.scanned'] }))

export const WebhookDelivery = z
  .object({
    object: z.literal('webhook_delivery'),
    id: field.id.describe('The same on every attempt, so that receivers can detect duplicates.'),
    webhook_id: field.id,
    event,
    status: Status,
    attempt_count: z.int().meta({ examples: [1] }),
    next_attempt_at: field.timestamp.nullable().meta({ examples: [null] }),
    delivered_at: field.timestamp.nullable(),
    created_at: field.timestamp,
  })
  .meta({ id: 'WebhookDelivery', description: 'One event to be sent to one endpoint.' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const Attempt = z.object({
  number: z.int().meta({ examples: [1] }),
  started_at: field.timestamp,
  duration_ms: z.int().meta({ examples: [84] }),
  status: z
    .int()
    .nullable()
    .meta({ description: 'The HTTP status of the response.', examples: [200] }),
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why there was no response, such as `timeout`, `dns` or `tls`.', examples: [null] }),
  response_body: z
    .string()
    .nullable()
    .meta({ description: 'The first 2 KiB of the response body.', examples: ['ok'] }),
})

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  payload: z.record(z.string(), z.unknown()).describe('The request body.'),
  attempts: z.array(Attempt).describe('The last 100, oldest first. Kept for 30 days.'),
}).meta({ id: 'WebhookDeliveryDetail', description: 'A delivery with its payload and its attempts.' })
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

export const WebhookTest = z
  .strictObject({
    event: field
      .text(1, 100)
      .optional()
      .describe('Send a sample of this event type instead of `webhook.test`.')
      .meta({ examples: ['qr_code.scanned'] }),
  })
  .meta({ id: 'WebhookTest' })
export type WebhookTest = z.output<typeof WebhookTest>

export const WebhookReplay = z
  .strictObject({
    from: field.timestamp.describe('Only deliveries of events at or after this time.'),
    to: field.timestamp.optional().describe('Only deliveries of events before this time. Defaults to now.'),
    status: choice({
      failed: 'Deliveries that were given up.',
      delivered: 'Deliveries that arrived, to send them again.',
      pending: 'Deliveries that wait for a retry, which is brought forward.',
    })
      .default('failed')
      .describe('The status of the deliveries to send.'),
  })
  .meta({ id: 'WebhookReplay' })
export type WebhookReplay = z.output<typeof WebhookReplay>

export const WebhookReplayResult = z
  .object({
    object: z.literal('webhook_replay'),
    replayed: z.int().meta({ description: 'How many deliveries are sent now.', examples: [42] }),
    has_more: z.boolean().meta({
      description:
        'Whether more deliveries match. A request replays at most 10,000, oldest first. Repeat it until this is false.',
      examples: [false],
    }),
  })
  .meta({ id: 'WebhookReplayResult', description: 'The result of a replay.' })
export type WebhookReplayResult = z.infer<typeof WebhookReplayResult>

export const webhookDeliveries = operations(
  {
    name: 'webhook-deliveries',
    title: 'Webhook deliveries',
    about: 'Every delivery to an endpoint, with its attempts and responses. You can send deliveries again.',
    area: 'webhooks',
  },
  {
    list: {
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      summary: 'List deliveries',
      description: 'Deliveries of the last 30 days, newest first.',
      query: cursorQuery({
        status: Status.optional().describe('Only deliveries with this status.'),
        event: field.text(1, 100).optional().describe('Only deliveries of this event type.'),
      }),
      cursor: WebhookDelivery,
      hasOutsideText: true,
    },
    get: {
      method: 'GET',
      path: '/webhooks/{id}/deliveries/{delivery_id}',
      summary: 'Get a delivery with its attempts',
      ok: WebhookDeliveryDetail,
      hasOutsideText: true,
    },
    replay: {
      method: 'POST',
      path: '/webhooks/{id}/deliveries/{delivery_id}/replay',
      summary: 'Send a delivery again',
      description:
        'Makes one more attempt right away, with the same ID and body. If it fails and the delivery has had fewer than ten attempts, the remaining retries follow.',
      ok: WebhookDelivery,
    },
  },
)

/** Operations on an endpoint that belong to the family of endpoints, as their path does. */
export const endpointDeliveries = operations(webhookFamily, {
  replayDeliveries: {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    summary: 'Send many deliveries again',
    description:
      'Sends all deliveries with this status in this period: at most 10,000 per request, oldest first. With `pending`, retries do not wait for their time any more, those first that would come first: for a receiver that works again after an outage.',
    body: WebhookReplay,
    ok: WebhookReplayResult,
    example: () => ({ from: '2026-06-09T00:00:00Z', to: '2026-06-10T00:00:00Z' }),
  },
  test: {
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a test event',
    description:
      'Sends `webhook.test`, or a sample of another event type. It is attempted once, even while the endpoint is paused. Get the delivery to see the response.',
    body: WebhookTest,
    ok: WebhookDelivery,
    example: () => ({ event: 'qr_code.scanned' }),
  },
})
