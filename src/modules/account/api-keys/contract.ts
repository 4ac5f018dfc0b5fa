import { z } from 'zod'
import { choice, explained, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { KEY_SCOPES, SCOPE_MEANINGS } from '../scopes/contract.ts'

export const ApiKey = z
  .object({
    object: z.literal('api_key'),
    id: field.id,
    name: field.name(200).meta({ examples: ['Warehouse'] }),
    hint: z.string().meta({
      description: 'The start and the end of the key: enough to recognise it, not enough to use it.',
      examples: ['wm_live_3kP9…x7Qa'],
    }),
    state: choice({
      active: 'The key works.',
      paused: 'The key does not work until it is resumed.',
      revoked: 'The key never works again.',
      expired: 'The key has reached `expires_at`.',
    }).meta({ examples: ['active'] }),
    scopes: z
      .array(z.string().meta({ examples: ['qr.view'] }))
      .nullable()
      .meta({
        description: 'What the key may do. Null means everything except for what must be named: `codes.slugs`.',
        examples: [['qr.view']],
      }),
    created_by: field.id
      .nullable()
      .describe(
        'The person who created it. When they leave the organisation or get a lower role, the key is paused. Null for a key from the command line, or one whose creator is not known.',
      ),
    expires_at: field.timestamp.nullable(),
    last_used_at: field.timestamp.nullable().describe('Accurate to a minute.'),
    created_at: field.timestamp,
  })
  .meta({ id: 'ApiKey', description: 'A credential for programs.' })
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyWithSecret = ApiKey.extend({
  api_key: z.string().meta({
    description: 'The whole key. Shown only once.',
    examples: ['wm_live_<40 characters>'],
  }),
}).meta({ id: 'ApiKeyWithSecret' })
export type ApiKeyWithSecret = z.infer<typeof ApiKeyWithSecret>

export const ApiKeyCreate = z
  .strictObject({
    name: ApiKey.shape.name,
    expires_at: field.timestamp.nullable().optional().describe('Without it, the key does not expire.'),
    scopes: z
      .array(z.enum(KEY_SCOPES, { error: 'Must be a scope such as qr.view' }).meta(explained(SCOPE_MEANINGS)))
      .min(1)
      .max(KEY_SCOPES.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'Must not have duplicates' })
      .nullable()
      .optional()
      .describe(
        'Without it, the key may do everything in the organisation except manage keys, and what must be named: `codes.slugs`.',
      ),
  })
  .meta({ id: 'ApiKeyCreate' })
export type ApiKeyCreate = z.output<typeof ApiKeyCreate>

export const ApiKeyUpdate = z.strictObject({ name: ApiKey.shape.name.optional() }).meta({ id: 'ApiKeyUpdate' })
export type ApiKeyUpdate = z.output<typeof ApiKeyUpdate>

const ofKey = { method: 'POST', ok: ApiKey } as const

export const apiKeys = operations(
  {
    name: 'api-keys',
    title: 'API keys',
    about: 'Credentials for programs. Only owners and admins who are signed in manage them: a key never manages keys.',
    area: 'team',
    onlyInSession: true,
  },
  {
    list: {
      method: 'GET',
      path: '/api-keys',
      summary: 'List API keys',
      description: 'Newest first, with paused, expired and revoked ones.',
      needsManage: true,
      query: offsetQuery({}),
      offset: ApiKey,
    },
    create: {
      method: 'POST',
      path: '/api-keys',
      summary: 'Create an API key',
      description: 'The response contains the whole key, which is shown only once.',
      needsRecentSignIn: true,
      body: ApiKeyCreate,
      created: ApiKeyWithSecret,
      errors: ['unprocessable'],
      example: (n) => ({ name: `Warehouse ${n}` }),
    },
    get: { method: 'GET', path: '/api-keys/{id}', summary: 'Get an API key', needsManage: true, ok: ApiKey },
    update: {
      method: 'PATCH',
      path: '/api-keys/{id}',
      summary: 'Rename an API key',
      body: ApiKeyUpdate,
      ok: ApiKey,
      example: (n) => ({ name: `Web shop ${n}` }),
    },
    pause: {
      ...ofKey,
      path: '/api-keys/{id}/pause',
      summary: 'Pause an API key',
      description: 'Requests with the key get 403 until you resume it.',
    },
    resume: { ...ofKey, path: '/api-keys/{id}/resume', summary: 'Resume a paused API key' },
    revoke: {
      ...ofKey,
      path: '/api-keys/{id}/revoke',
      summary: 'Revoke an API key',
      description: 'Permanent. Requests with the key get 401.',
    },
  },
)
