import { z } from 'zod'
import { choice, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ROUTE_RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'

const SLUG_LENGTH_MAX = 255

const slug = z
  .string()
  .max(SLUG_LENGTH_MAX, { error: `Must have at most ${SLUG_LENGTH_MAX} characters` })
  .regex(/^[a-z0-9-]*$/, { error: 'Must be lower-case letters, digits or -' })
  .refine((text) => !ROUTE_RESERVED_WORDS.has(text), {
    error: 'This word is part of our own addresses. Choose another one',
  })
  .meta({ description: 'The path after the domain. Empty for the root.', examples: ['help'] })

export const CustomDomainRoute = z
  .object({
    object: z.literal('custom_domain_route'),
    id: field.id,
    domain_id: field.id,
    slug: z
      .string()
      .max(SLUG_LENGTH_MAX)
      .meta({ description: 'The path after the domain. Empty for the root.', examples: ['help'] }),
    type: choice({
      chatbot: 'The chat of `chatbot_id`.',
      kb: 'The help centre of `kb_id`.',
      page: 'The page `page_id`.',
    }).describe('What the route shows.'),
    chatbot_id: field.id.nullable().describe('Null unless `type` is `chatbot`.'),
    kb_id: field.id.nullable().describe('The knowledge base. Null unless `type` is `kb`.'),
    page_id: field.id.nullable().describe('Null unless `type` is `page`.'),
    is_default: z
      .boolean()
      .describe('Whether `/` of the domain redirects here. A route with an empty slug is at `/` itself.'),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'Where visitors find it. Null until the domain is verified.',
        examples: ['https://shop.acme.com/help'],
      }),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'CustomDomainRoute', description: 'An address on a custom domain for a page, help centre or chatbot.' })
export type CustomDomainRoute = z.infer<typeof CustomDomainRoute>

const ID_FIELDS = { chatbot: 'chatbot_id', kb: 'kb_id', page: 'page_id' } as const
export type RouteType = keyof typeof ID_FIELDS

export const idField = (type: RouteType) => ID_FIELDS[type]

export const CustomDomainRouteCreate = z
  .strictObject({
    domain_id: field.id,
    slug,
    type: CustomDomainRoute.shape.type,
    chatbot_id: field.id.nullable().optional().describe('Required if `type` is `chatbot`.'),
    kb_id: field.id.nullable().optional().describe('Required if `type` is `kb`.'),
    page_id: field.id.nullable().optional().describe('Required if `type` is `page`.'),
  })
  .refine(
    (input) => Object.entries(ID_FIELDS).every(([type, name]) => (input[name] != null) === (type === input.type)),
    { error: 'Must have the id that `type` names, and no other: chatbot_id, kb_id or page_id' },
  )
  .meta({ id: 'CustomDomainRouteCreate' })
export type CustomDomainRouteCreate = z.output<typeof CustomDomainRouteCreate>

export const CustomDomainRouteUpdate = z
  .strictObject({ is_default: CustomDomainRoute.shape.is_default.optional() })
  .meta({ id: 'CustomDomainRouteUpdate' })
export type CustomDomainRouteUpdate = z.output<typeof CustomDomainRouteUpdate>

export const customDomainRoutes = operations(
  {
    name: 'custom-domain-routes',
    title: 'Custom domain routes',
    about:
      'Addresses on your own domains for pages, help centres and chatbots. Codes, objects and products of your organisation work on every verified domain without a route.',
    area: 'domains',
  },
  {
    list: {
      method: 'GET',
      path: '/custom-domain-routes',
      summary: 'List routes',
      description: 'Newest first.',
      query: offsetQuery({ domain_id: field.id.optional().describe('Only routes of this domain.') }),
      offset: CustomDomainRoute,
    },
    create: {
      method: 'POST',
      path: '/custom-domain-routes',
      summary: 'Create a route',
      description: 'A domain can have 500 routes. They are shown once the domain is verified.',
      body: CustomDomainRouteCreate,
      created: CustomDomainRoute,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        domain_id: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11',
        slug: `help-${n}`,
        type: 'kb',
        kb_id: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e12',
      }),
    },
    get: { method: 'GET', path: '/custom-domain-routes/{id}', summary: 'Get a route', ok: CustomDomainRoute },
    update: {
      method: 'PATCH',
      path: '/custom-domain-routes/{id}',
      summary: 'Update a route',
      description: 'A domain has at most one default route. Turn the current one off first.',
      body: CustomDomainRouteUpdate,
      ok: CustomDomainRoute,
      errors: ['conflict'],
      example: () => ({ is_default: true }),
    },
    delete: {
      method: 'DELETE',
      path: '/custom-domain-routes/{id}',
      summary: 'Delete a route',
      description: 'The page, help centre or chatbot stays.',
    },
  },
)
