import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

/** A kind of event that is sent to endpoints. */
export const EventType = z
  .object({
    object: z.literal('event_type'),
    type: z.string().meta({ description: 'What `events` of an endpoint call it.', examples: ['qr_code.scanned'] }),
    description: z.string().meta({ examples: ['A QR code was scanned.'] }),
    subscribable: z.boolean().meta({
      description: 'False for `webhook.test`, which is only sent when you ask for it.',
      examples: [true],
    }),
    schema: z.record(z.string(), z.unknown()).describe('The JSON Schema of the payload.'),
    sample: z.record(z.string(), z.unknown()).describe('A payload as it could arrive.'),
  })
  .meta({ id: 'EventType', description: 'A kind of event, and the shape of what arrives.' })
export type EventType = z.infer<typeof EventType>

export const eventTypes = operations(
  {
    name: 'event-types',
    title: 'Event types',
    about: 'Everything that webhooks can tell you of, with the shape of what arrives.',
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
