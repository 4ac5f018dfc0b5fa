import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { PersonName } from '../users/contract.ts'

/** An application as it registered itself. */
export const Application = z.object({
  client_id: z.string().meta({ maxLength: 16, examples: ['wmc_5f0c2b8e1197'] }),
  name: z.string().meta({ description: 'As the application calls itself.', maxLength: 100, examples: ['Acme Sync'] }),
  logo_url: field.httpsUrl.nullable(),
})

export const Scopes = z
  .array(z.string().meta({ examples: ['qr.view'] }))
  .meta({ description: '`<area>.view` or `<area>.manage`.', examples: [['qr.manage', 'articles.view']] })

export const ConnectedApplication = z
  .object({
    object: z.literal('connected_application'),
    id: field.id,
    client: Application,
    user: z
      .object({
        id: field.id,
        first_name: PersonName.nullable().meta({ examples: ['Kim'] }),
        last_name: PersonName.nullable().meta({ examples: ['Berg'] }),
      })
      .describe('The person for whom the application acts.'),
    scopes: Scopes,
    last_used_at: field.timestamp.nullable().describe('Accurate to a minute.'),
    expires_at: field.timestamp.describe('When the connection ends if the application does not use it.'),
    created_at: field.timestamp,
  })
  .meta({ id: 'ConnectedApplication', description: 'An application that may act for a person in the organisation.' })
export type ConnectedApplication = z.infer<typeof ConnectedApplication>

export const connectedApplications = operations(
  {
    name: 'connected-applications',
    title: 'Connected applications',
    about:
      'Applications that people have connected by OAuth. You see and disconnect your own; owners and admins see and disconnect those of everybody in the organisation. Only people who are signed in can use this.',
    area: null,
    onlyInSession: true,
  },
  {
    list: {
      method: 'GET',
      path: '/connected-applications',
      summary: 'List connected applications',
      description: 'The newest connection first.',
      query: offsetQuery({}),
      offset: ConnectedApplication,
    },
    delete: {
      method: 'DELETE',
      path: '/connected-applications/{id}',
      summary: 'Disconnect an application',
      description:
        'Its tokens stop working within a second, and its webhook endpoints are deleted. The person can connect it again.',
    },
  },
)
