import type { EventCatalogue } from '../../outbox/index.ts'
import type { Components } from './components.ts'
import type { Json } from './json.ts'
import { pascalCase } from './names.ts'
import { toSchema } from './schemas.ts'

/** The headers that deliver an event. The body is the payload alone. */
export interface DeliveryHeaders {
  /** The name of the header that carries the event type. */
  eventType: string
  /** All others, as OpenAPI parameters by component name. */
  others: Record<string, object>
}

/** Describes every event as the request that delivers it. */
export const describeWebhooks = (components: Components, events: EventCatalogue, headers: DeliveryHeaders): Json =>
  Object.fromEntries(
    Object.entries(events).map(([type, { description, payload }]) => [
      type,
      { post: describeEvent(components, type, description, toSchema(components, payload, 'output'), headers) },
    ]),
  )

const describeEvent = (
  components: Components,
  type: string,
  description: string,
  schema: Json,
  { eventType, others }: DeliveryHeaders,
): Json => ({
  operationId: `on${pascalCase(type)}`,
  summary: type,
  description,
  // Receivers verify the signature; there is no credential.
  security: [],
  parameters: [
    {
      name: eventType,
      in: 'header',
      required: true,
      description: 'The type of the event.',
      schema: { type: 'string', const: type },
    },
    ...Object.entries(others).map(([name, parameter]) => components.ref('parameters', name, () => ({ ...parameter }))),
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema, example: components.exampleOf(schema) } },
  },
  responses: {
    '2XX': { description: 'Received. Any other status or a timeout is retried later.' },
  },
})
