import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'
import type { EventCatalogue } from '../../../platform/outbox/index.ts'

/** Sent only on request, so endpoints cannot subscribe to it. */
export const webhookEvents = {
  'webhook.test': {
    description: 'You sent a test to this endpoint. You cannot subscribe to this event.',
    payload: z
      .object({
        object: z.literal('webhook_test'),
        webhook_id: field.id.describe('The endpoint under test.'),
        message: z.string().meta({ examples: ['This is a test. Nothing happened.'] }),
        created_at: field.timestamp,
      })
      .meta({ id: 'WebhookTestPayload' }),
  },
} satisfies EventCatalogue
