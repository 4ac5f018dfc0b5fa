import { z } from 'zod'
import { cursorQuery, field, operations } from '../../../platform/contract/index.ts'

const Status = z.enum(['pending', 'delivered', 'failed', 'held']).meta({
  description:
    '`pending` waits for its next attempt, `held` for its endpoint to be active again; `failed` was tried ten times.',
  examples: ['delivered'],
})

const event = z.string().meta({ description: 'The type of the event.', examples: ['qr_code.scanned'] })

/** One event on its way to one endpoint. */
export const WebhookDelivery = z
  .object({
    object: z.literal('webhook_delivery'),
    id: field.id.describe('The same on every attempt: receivers tell repetitions by it.'),
    webhook_id: field.id,
    event,
    status: Status,
    attempt_count: z.int().meta({ examples: [1] }),
    next_attempt_at: field.timestamp.nullable().meta({ examples: [null] }),
    delivered_at: field.timestamp.nullable(),
    created_at: field.timestamp,
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one endpoint.' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const Attempt = z.object({
  number: z.int().meta({ examples: [1] }),
  started_at: field.timestamp,
  duration_ms: z.int().meta({ examples: [84] }),
  status: z
    .int()
    .nullable()
    .meta({ description: 'The HTTP status that came back.', examples: [200] }),
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why no answer came back: a class such as `timeout`, `dns` or `tls`.', examples: [null] }),
  response_body: z
    .string()
    .nullable()
    .meta({ description: 'The first 2 KiB of what came back.', examples: ['ok'] }),
})

/** With what was sent, and what came back each time. */
export const WebhookDeliveryDetail = WebhookDelivery.extend({
  payload: z.record(z.string(), z.unknown()).describe('What is sent, as it is sent.'),
  attempts: z.array(Attempt).describe('Oldest first, for 30 days.'),
}).meta({ id: 'WebhookDeliveryDetail', description: 'A delivery, what it sends, and what came back each time.' })
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

export const WebhookTest = z
  .strictObject({
    event: field
      .text(1, 100)
      .optional()
      .describe('Send a sample of this type of event instead of `webhook.test`.')
      .meta({ examples: ['qr_code.scanned'] }),
  })
  .meta({ id: 'WebhookTest' })
export type WebhookTest = z.output<typeof WebhookTest>

export const WebhookReplay = z
  .strictObject({
    from: field.timestamp.describe('Deliveries of events from this moment on.'),
    to: field.timestamp.optional().describe('And before this one; left out, until now.'),
    status: z
      .enum(['failed', 'delivered'])
      .default('failed')
      .describe('Those that were given up, or those that arrived.'),
  })
  .meta({ id: 'WebhookReplay' })
export type WebhookReplay = z.output<typeof WebhookReplay>

export const WebhookReplayResult = z
  .object({
    object: z.literal('webhook_replay'),
    replayed: z.int().meta({ description: 'How many deliveries go out again.', examples: [42] }),
    has_more: z.boolean().meta({
      description: 'At most 10,000 go out at once, oldest first: ask again until this is false.',
      examples: [false],
    }),
  })
  .meta({ id: 'WebhookReplayResult', description: 'What a replay has set going.' })
export type WebhookReplayResult = z.infer<typeof WebhookReplayResult>

export const webhookDeliveries = operations(
  {
    name: 'webhook-deliveries',
    title: 'Webhook deliveries',
    about: 'What was sent to an endpoint, when, and what came back; and sending it again.',
    area: 'webhooks',
  },
  {
    list: {
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      summary: 'List deliveries',
      description: 'Of the last 30 days, newest first.',
      query: cursorQuery({
        status: Status.optional().describe('Only deliveries in this state.'),
        event: field.text(1, 100).optional().describe('Only deliveries of this type of event.'),
      }),
      cursor: WebhookDelivery,
    },
    get: {
      method: 'GET',
      path: '/webhooks/{id}/deliveries/{delivery_id}',
      summary: 'Get a delivery with its attempts',
      ok: WebhookDeliveryDetail,
    },
    replay: {
      method: 'POST',
      path: '/webhooks/{id}/deliveries/{delivery_id}/replay',
      summary: 'Send a delivery again',
      description: 'One more attempt, at once, with the same id and body; if it fails, the usual ones follow.',
      ok: WebhookDelivery,
    },
    replayRange: {
      method: 'POST',
      path: '/webhooks/{id}/replay',
      summary: 'Send many deliveries again',
      description: 'All that are in this state, of all events in this time; at most 10,000 at once, oldest first.',
      body: WebhookReplay,
      ok: WebhookReplayResult,
      example: () => ({ from: '2026-06-09T00:00:00Z', to: '2026-06-10T00:00:00Z' }),
    },
    test: {
      method: 'POST',
      path: '/webhooks/{id}/test',
      summary: 'Send a test event',
      description:
        'Sends `webhook.test`, or a sample of an event, once and also while the endpoint is paused. Look at the delivery to see what came back.',
      body: WebhookTest,
      ok: WebhookDelivery,
      example: () => ({ event: 'qr_code.scanned' }),
    },
  },
)
