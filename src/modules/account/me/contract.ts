import { z } from 'zod'
import { field, operations } from '../../../platform/contract/index.ts'

export const Me = z
  .object({
    object: z.literal('me'),
    connection_label: z.string().meta({
      description: "The organisation's name, then the credential's.",
      examples: ['Acme · Warehouse'],
    }),
    org_name: z.string().meta({ examples: ['Acme'] }),
    auth: z.object({ type: z.literal('api_key').describe('What kind of credential was shown.') }),
    org: z.object({
      id: field.id,
      name: z.string().meta({ examples: ['Acme'] }),
      slug: z.string().meta({ examples: ['acme'] }),
    }),
    api_key: z.object({ id: field.id, name: z.string().meta({ examples: ['Warehouse'] }) }),
  })
  .meta({ id: 'Me', description: 'Who the calling credential is.' })
export type Me = z.infer<typeof Me>

export const me = operations(
  {
    name: 'me',
    title: 'Current identity',
    about: 'The organisation and the credential that a request is made with.',
    area: null,
  },
  {
    get: {
      method: 'GET',
      path: '/me',
      summary: 'Get the current identity',
      description: 'Which organisation and which credential a request is made with. Good for trying out a key.',
      ok: Me,
    },
  },
)
