import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'
import type { EventCatalogue } from '../../../platform/outbox/index.ts'

/** What endpoints are sent when somebody asks for it. Nothing happened, so nobody can subscribe to it. */
export const webhookEvents = {
  'webhook.test': {
    description: 'You asked for a test of this endpoint. It cannot be subscribed to.',
    payload: z
      .object({
        object: z.literal('webhook_test'),
        webhook_id: field.id.describe('The endpoint that is tested.'),
        message: z.string().meta({ examples: ['This is a test. Nothing happened.'] }),
        created_at: field.timestamp,
      })
      .meta({ id: 'WebhookTestPayload' }),
  },
} satisfies EventCatalogue
