import { z } from 'zod'
import { cursorQuery, field, operations, recorded } from '../../../platform/contract/index.ts'

export const Event = z
  .object({
    object: z.literal('event'),
    id: field.id,
    // Scans have events, too.
    type: recorded(z.string().meta({ description: 'The event type.', examples: ['custom_domain.verified'] })),
    data: z.record(z.string(), z.unknown()).describe('The payload, exactly as webhooks deliver it.'),
    created_at: field.timestamp,
  })
  .meta({ id: 'Event', description: 'Something that happened in your organisation.' })
export type Event = z.infer<typeof Event>

export const events = operations(
  {
    name: 'events',
    title: 'Events',
    about:
      'Everything that happened in your organisation. The Webhooks section describes the payload of each event type.',
    area: 'webhooks',
  },
  {
    list: {
      method: 'GET',
      path: '/events',
      summary: 'List events',
      description:
        'Events of the last 30 days, newest first. A page of large events has fewer than `limit` items: at most 1 MiB.',
      query: cursorQuery({
        type: field.text(1, 100).optional().describe('Only events of this type.'),
      }),
      cursor: Event,
      hasOutsideText: true,
    },
  },
)
