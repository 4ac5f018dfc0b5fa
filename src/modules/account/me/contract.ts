import { z } from 'zod'
import { choice, field, operations } from '../../../platform/contract/index.ts'
import { Application, Scopes } from '../connected-applications/contract.ts'
import { PersonName } from '../users/contract.ts'

export const Me = z
  .object({
    object: z.literal('me'),
    connection_label: z.string().meta({
      description: 'The names of the organisation and the credential.',
      examples: ['Acme · Warehouse'],
    }),
    org_name: z.string().meta({ examples: ['Acme'] }),
    auth: z.object({
      type: choice({
        api_key: 'An API key.',
        session: 'A person who is signed in.',
        oauth_token: 'An access token of an application.',
      }).meta({ description: 'The kind of the credential.', examples: ['api_key'] }),
      client: Application.optional().describe('Only for an access token: the application.'),
      scopes: Scopes.optional().describe(
        'Only for an access token: what it may do, as far as the role of the person allows it.',
      ),
    }),
    org: z.object({
      id: field.id,
      name: z.string().meta({ examples: ['Acme'] }),
      slug: z.string().meta({ examples: ['acme'] }),
    }),
    api_key: z
      .object({ id: field.id, name: z.string().meta({ examples: ['Warehouse'] }) })
      .optional()
      .describe('Only for an API key.'),
    user: z
      .object({
        id: field.id,
        first_name: PersonName.nullable().meta({ examples: ['Kim'] }),
        last_name: PersonName.nullable().meta({ examples: ['Berg'] }),
      })
      .optional()
      .describe('Only for a person who is signed in, or for whom an application acts.'),
  })
  .meta({ id: 'Me', description: 'The organisation and the credential of the request.' })
export type Me = z.infer<typeof Me>

export const me = operations(
  {
    name: 'me',
    title: 'Current identity',
    about: 'The organisation and the credential of your request.',
    area: null,
  },
  {
    get: {
      method: 'GET',
      path: '/me',
      summary: 'Get the current identity',
      description:
        'Returns the organisation and the credential of your request. Needs no scope, so use it to test a key.',
      ok: Me,
    },
  },
)
