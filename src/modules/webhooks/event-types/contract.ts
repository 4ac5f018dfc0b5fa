import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

export const EventType = z
  .object({
    object: z.literal('event_type'),
    type: z
      .string()
      .meta({ description: 'The name to use in `events` of a webhook endpoint.', examples: ['qr_code.scanned'] }),
    description: z.string().meta({ examples: ['A QR code was scanned.'] }),
    subscribable: z.boolean().meta({
      description: 'False for `webhook.test`, which is sent only when you send a test.',
      examples: [true],
    }),
    schema: z.record(z.string(), z.unknown()).describe('The JSON Schema of the payload.'),
    sample: z.record(z.string(), z.unknown()).describe('An example payload.'),
  })
  .meta({ id: 'EventType', description: 'A kind of event, with the schema of its payload.' })
export type EventType = z.infer<typeof EventType>

export const eventTypes = operations(
  {
    name: 'event-types',
    title: 'Event types',
    about: 'Every type of event that webhooks deliver, with the schema and a sample of its payload.',
    area: 'webhooks',
  },
  {
    list: {
      method: 'GET',
      path: '/event-types',
      summary: 'List event types',
      query: offsetQuery({ search: field.search }, 100),
      offset: EventType,
    },
  },
)
