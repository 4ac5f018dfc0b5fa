import { z } from 'zod'
import { choice, type Family, field, offsetQuery, operations } from '../../../platform/contract/index.ts'

const URL_MAX = 2048
const description = field.text(0, 500).meta({ examples: ['Web shop orders'] })
const isActive = z.boolean().meta({
  description: 'While false, deliveries are held for up to 30 days. They are sent when you set it back to true.',
  examples: [true],
})

export const webhookFamily: Family = {
  name: 'webhooks',
  title: 'Webhook endpoints',
  about:
    'URLs of yours that receive events as they happen. Every delivery is signed, and retried for about three days until your receiver accepts it.',
  area: 'webhooks',
}

/** A function, because the contract lists the event types that endpoints can subscribe to, with their meaning. */
export function webhookOperations(eventTypes: Readonly<Record<string, string>>) {
  const names = Object.keys(eventTypes)
  const EventName = choice(eventTypes).meta({
    id: 'EventName',
    description: 'An event type that you can subscribe to.',
    examples: names.slice(0, 1),
  })
  const events = z.array(EventName).describe('The event types to send to this endpoint.')

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
          description: 'Why the endpoint was disabled. Setting `isActive` back to true clears it.',
          examples: [null],
        }),
      created_at: field.timestamp,
      updated_at: field.timestamp,
    })
    .meta({ id: 'WebhookEndpoint', description: 'A URL of yours that receives events.' })

  const WebhookEndpointWithSecret = WebhookEndpoint.extend({
    signing_secret: z.string().meta({
      description: 'The secret that deliveries are signed with. It is shown only once.',
      examples: ['whsec_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  }).meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint with its new signing secret.' })

  const url = field
    .text(1, URL_MAX)
    .describe('A public `https://` URL with a host name.')
    .meta({ examples: ['https://acme.com/hooks/waymark'] })
  const chosen = events
    .min(1, { error: 'Choose at least one event' })
    .refine((types) => new Set(types).size === types.length, { error: 'Must not list an event twice' })

  const fields = {
    description: description.nullable().optional(),
    isActive: isActive.optional(),
    /** An alias of `isActive`. */
    is_active: z.boolean().optional().meta({ 'x-internal': true }),
  }
  const hasOneSpelling = (input: { isActive?: boolean | undefined; is_active?: boolean | undefined }) =>
    input.isActive === undefined || input.is_active === undefined
  const twoSpellings = { path: ['is_active'], error: 'Must not be combined with isActive' }

  const WebhookEndpointCreate = z
    .strictObject({ url, events: chosen, ...fields })
    .refine(hasOneSpelling, twoSpellings)
    .meta({ id: 'WebhookEndpointCreate' })

  const WebhookEndpointUpdate = z
    .strictObject({ url: url.optional(), events: chosen.optional(), ...fields })
    .refine(hasOneSpelling, twoSpellings)
    .meta({ id: 'WebhookEndpointUpdate' })

  const SecretRotation = z
    .strictObject({
      expire_old_after_seconds: z
        .int()
        .min(0)
        .max(86_400)
        .default(86_400)
        .meta({
          description: 'For how many seconds deliveries are also signed with the old secret.',
          examples: [3600],
        }),
    })
    .meta({ id: 'SecretRotation' })

  return operations(webhookFamily, {
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
      description:
        'The response contains the signing secret, which is shown only once. An organisation can have at most 50 endpoints.',
      needsRecentSignIn: true,
      body: WebhookEndpointCreate,
      created: WebhookEndpointWithSecret,
      errors: ['unprocessable'],
      example: (n) => ({ url: `https://acme.com/hooks/${n}`, events: [names[n % names.length]] }),
    },
    get: { method: 'GET', path: '/webhooks/{id}', summary: 'Get a webhook endpoint', ok: WebhookEndpoint },
    update: {
      method: 'PATCH',
      path: '/webhooks/{id}',
      summary: 'Change a webhook endpoint',
      description:
        'Set `isActive` to false to pause the endpoint. When you set it back to true, held deliveries are sent, oldest first.',
      body: WebhookEndpointUpdate,
      ok: WebhookEndpoint,
      example: (n) => ({ description: `Web shop orders ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/webhooks/{id}',
      summary: 'Delete a webhook endpoint',
      description: 'Deliveries that are still waiting are not sent.',
    },
    rotateSecret: {
      method: 'POST',
      path: '/webhooks/{id}/rotate-secret',
      summary: 'Rotate the signing secret',
      description:
        'The response contains the new secret, which is shown only once. Until the old secret expires, deliveries carry one signature for each.',
      needsRecentSignIn: true,
      body: SecretRotation,
      ok: WebhookEndpointWithSecret,
      example: () => ({ expire_old_after_seconds: 3600 }),
    },
  })
}

type Webhooks = ReturnType<typeof webhookOperations>
export type WebhookEndpoint = z.infer<Webhooks['get']['declared']['ok']>
export type WebhookEndpointWithSecret = z.infer<Webhooks['create']['declared']['created']>
export type WebhookEndpointCreate = z.output<Webhooks['create']['declared']['body']>
export type WebhookEndpointUpdate = z.output<Webhooks['update']['declared']['body']>
export type SecretRotation = z.output<Webhooks['rotateSecret']['declared']['body']>
