import { z } from 'zod'
import { cursorQuery, field, operations } from '../../../platform/contract/index.ts'

/** Something that happened. */
export const Event = z
  .object({
    object: z.literal('event'),
    id: field.id,
    type: z.string().meta({ description: 'What happened.', examples: ['custom_domain.verified'] }),
    data: z.record(z.string(), z.unknown()).describe('The payload, as a webhook delivers it.'),
    created_at: field.timestamp,
  })
  .meta({ id: 'Event', description: 'Something that happened in your organisation.' })
export type Event = z.infer<typeof Event>

export const events = operations(
  {
    name: 'events',
    title: 'Events',
    about: 'What happened in your organisation. The payload of each type of event is described under Webhooks.',
    area: 'webhooks',
  },
  {
    list: {
      method: 'GET',
      path: '/events',
      summary: 'List events',
      description: 'What happened in the last 30 days, newest first.',
      query: cursorQuery({
        type: field.text(1, 100).optional().describe('Only events of this type.'),
      }),
      cursor: Event,
    },
  },
)
