import type { EventCatalogue } from '../../outbox/index.ts'
import type { Components } from './components.ts'
import type { Json, Ref } from './json.ts'
import { pascalCase } from './names.ts'
import { toSchema } from './schemas.ts'

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

/** What tells of a delivery: the body is the payload alone. The event's type is added to each event. */
const DELIVERY_HEADERS: Record<string, Json> = {
  DeliveryId: header('X-Service-Delivery', 'Names the delivery. The same one may arrive twice: ignore repeats.', {
    type: 'string',
    format: 'uuid',
    examples: ['0197f3a2-5d20-7c44-8a10-9be1d7a4c002'],
  }),
  DeliveryTimestamp: header('X-Service-Timestamp', 'The Unix second at which this attempt was signed.', {
    type: 'integer',
    examples: [1_781_045_458],
  }),
  DeliverySignature: header(
    'X-Service-Signature',
    'Proves who sent it: `v1` is the lower-case hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the signing secret. Compare in constant time, and refuse a `t` that is more than 300 seconds off. There are two `v1` parts while a secret is being replaced; one of them has to match.',
    {
      type: 'string',
      pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$',
      examples: ['t=1781045458,v1=5f2b6c1de09a7734c8b1f0d25a9e3b8476c0d1e2f3a4b5968778695a4b3c2d1e'],
    },
  ),
}

/** Every event, as the request in which a receiver gets it. */
export const describeWebhooks = (components: Components, events: EventCatalogue): Json =>
  Object.fromEntries(
    Object.entries(events).map(([type, { description, payload }]) => [
      type,
      { post: describeEvent(components, type, description, toSchema(components, payload, 'output')) },
    ]),
  )

const describeEvent = (components: Components, type: string, description: string, schema: Json): Json => ({
  operationId: `on${pascalCase(type)}`,
  summary: type,
  description,
  // A receiver knows the sender by the signature, not by a credential.
  security: [],
  parameters: [
    header('X-Service-Event', 'The type of the event.', { type: 'string', const: type }),
    ...deliveryHeaders(components),
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema, example: components.exampleOf(schema) } },
  },
  responses: {
    '2XX': { description: 'Received. Any other status, or no answer in time, is tried again later.' },
  },
})

const deliveryHeaders = (components: Components): Ref[] =>
  Object.entries(DELIVERY_HEADERS).map(([name, parameter]) => components.ref('parameters', name, () => parameter))
