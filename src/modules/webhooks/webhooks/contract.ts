import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

const URL_MAX = 2048
const description = field.text(0, 500).meta({ examples: ['Orders of the web shop'] })
const isActive = z.boolean().meta({
  description: 'While it is false, deliveries are held for 30 days, and sent when it is true again.',
  examples: [true],
})

/** Declared for each catalogue anew, because it names the events that can be subscribed to. */
export function webhookOperations(eventTypes: readonly string[]) {
  const EventName = z
    .enum(eventTypes)
    .meta({ id: 'EventName', description: 'A type of event that can be subscribed to.', examples: [eventTypes[0]] })
  const events = z.array(EventName).describe('The types of events that are sent there.')

  const WebhookEndpoint = z
    .object({
      object: z.literal('webhook_endpoint'),
      id: field.id,
      url: z.string().meta({ examples: ['https://acme.com/hooks/waymark'] }),
      description: description.nullable(),
      events,
      isActive,
      disabled_reason: z
        .string()
        .nullable()
        .meta({
          description: 'Why deliveries to it were stopped. Setting `isActive` clears it.',
          examples: [null],
        }),
      created_at: field.timestamp,
      updated_at: field.timestamp,
    })
    .meta({ id: 'WebhookEndpoint', description: 'An address of yours that events are sent to.' })

  const WebhookEndpointWithSecret = WebhookEndpoint.extend({
    signing_secret: z.string().meta({
      description: 'What deliveries are signed with. It is shown this once.',
      examples: ['whsec_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  }).meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint, with the secret that it was just given.' })

  const url = field
    .text(1, URL_MAX)
    .describe('A public `https://` address with a host name.')
    .meta({ examples: ['https://acme.com/hooks/waymark'] })
  const chosen = events
    .min(1, { error: 'Choose at least one event' })
    .refine((types) => new Set(types).size === types.length, { error: 'Must not name an event twice' })

  const fields = {
    description: description.nullable().optional(),
    isActive: isActive.optional(),
    is_active: z
      .boolean()
      .optional()
      .meta({ description: 'Another spelling of `isActive`.', examples: [true] }),
  }
  const isSpelledOnce = (input: { isActive?: boolean | undefined; is_active?: boolean | undefined }) =>
    input.isActive === undefined || input.is_active === undefined
  const spelledTwice = { path: ['is_active'], error: 'Must not stand beside isActive' }

  const WebhookEndpointCreate = z
    .strictObject({ url, events: chosen, ...fields })
    .refine(isSpelledOnce, spelledTwice)
    .meta({ id: 'WebhookEndpointCreate' })

  const WebhookEndpointUpdate = z
    .strictObject({ url: url.optional(), events: chosen.optional(), ...fields })
    .refine(isSpelledOnce, spelledTwice)
    .meta({ id: 'WebhookEndpointUpdate' })

  const SecretRotation = z
    .strictObject({
      expire_old_after_seconds: z
        .int()
        .min(0)
        .max(86_400)
        .default(86_400)
        .meta({ description: 'How long deliveries are signed with the old secret too.', examples: [3600] }),
    })
    .meta({ id: 'SecretRotation' })

  return operations(
    {
      name: 'webhooks',
      title: 'Webhook endpoints',
      about:
        'Addresses of yours that are told what happens, as it happens. Every delivery is signed, and tried again until your receiver takes it.',
      area: 'webhooks',
    },
    {
      list: {
        method: 'GET',
        path: '/webhooks',
        summary: 'List webhook endpoints',
        description: 'Newest first.',
        query: offsetQuery({}),
        offset: WebhookEndpoint,
      },
      create: {
        method: 'POST',
        path: '/webhooks',
        summary: 'Create a webhook endpoint',
        description: 'Answers the signing secret, this once. An organisation has at most 50 endpoints.',
        body: WebhookEndpointCreate,
        created: WebhookEndpointWithSecret,
        errors: ['unprocessable'],
        example: (n) => ({ url: `https://acme.com/hooks/${n}`, events: [eventTypes[n % eventTypes.length]] }),
      },
      get: { method: 'GET', path: '/webhooks/{id}', summary: 'Get a webhook endpoint', ok: WebhookEndpoint },
      update: {
        method: 'PATCH',
        path: '/webhooks/{id}',
        summary: 'Change a webhook endpoint',
        description: 'Pauses it with `isActive: false`; resuming it sends what was held, oldest first.',
        body: WebhookEndpointUpdate,
        ok: WebhookEndpoint,
        example: (n) => ({ description: `Orders of web shop ${n}` }),
      },
      delete: {
        method: 'DELETE',
        path: '/webhooks/{id}',
        summary: 'Delete a webhook endpoint',
        description: 'What still waited for it is not sent any more.',
      },
      rotateSecret: {
        method: 'POST',
        path: '/webhooks/{id}/rotate-secret',
        summary: 'Rotate the signing secret',
        description:
          'Answers the new secret, this once. For as long as you say, deliveries carry a signature by each of the two.',
        body: SecretRotation,
        ok: WebhookEndpointWithSecret,
        example: () => ({ expire_old_after_seconds: 3600 }),
      },
    },
  )
}

type Webhooks = ReturnType<typeof webhookOperations>
export type WebhookEndpoint = z.infer<Webhooks['get']['declared']['ok']>
export type WebhookEndpointWithSecret = z.infer<Webhooks['create']['declared']['created']>
export type WebhookEndpointCreate = z.output<Webhooks['create']['declared']['body']>
export type WebhookEndpointUpdate = z.output<Webhooks['update']['declared']['body']>
export type SecretRotation = z.output<Webhooks['rotateSecret']['declared']['body']>
