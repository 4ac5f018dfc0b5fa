import { z } from 'zod'
import { choice, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ROLES, Role } from '../roles/contract.ts'
import { Email } from '../users/contract.ts'

export const Invitation = z
  .object({
    object: z.literal('invitation'),
    id: field.id,
    email: Email,
    role_id: field.id,
    role: Role.shape.name,
    status: choice({
      pending: 'The person has not answered yet.',
      accepted: 'The person has joined.',
      declined: 'The person does not want to join.',
      expired: 'The person did not answer before `expires_at`.',
      revoked: 'You have withdrawn it.',
    }).meta({ examples: ['pending'] }),
    invited_by: field.id.nullable().describe('The person who sent it. Null if it was created with an API key.'),
    expires_at: field.timestamp.describe('Seven days after it was created.'),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Invitation', description: 'An invitation to join the organisation with a role.' })
export type Invitation = z.infer<typeof Invitation>

export const InvitationWithToken = Invitation.extend({
  token: z
    .string()
    .optional()
    .meta({
      description:
        'Only if this installation sends no mail: the token of the link `{app_url}/account/invitation?token={token}`, for you to pass on. Shown only once.',
      examples: ['wmi_8fK2pQx7Lm4Rt9Vb3Nc6Zs1Wd5Hg0Jy8Ta2Ue7Xo4'],
    }),
}).meta({ id: 'InvitationWithToken' })
export type InvitationWithToken = z.infer<typeof InvitationWithToken>

export const InvitationCreate = z
  .strictObject({
    email: Email.describe('One pending invitation per address.'),
    role_id: field.id.describe('Only an owner who is signed in can choose owner.'),
  })
  .meta({ id: 'InvitationCreate' })
export type InvitationCreate = z.output<typeof InvitationCreate>

const AGENT = ROLES.find(({ name }) => name === 'agent')?.id

export const invitations = operations(
  {
    name: 'invitations',
    title: 'Invitations',
    about:
      'Invite a person to your organisation by email address. Only pending invitations are listed; they expire after seven days.',
    area: 'team',
  },
  {
    list: {
      method: 'GET',
      path: '/team/invitations',
      summary: 'List pending invitations',
      description: 'Newest first.',
      query: offsetQuery({}),
      offset: Invitation,
    },
    create: {
      method: 'POST',
      path: '/team/invitations',
      summary: 'Invite a person',
      description:
        'The person gets a link by mail. If this installation sends no mail, the response contains a token for the link instead, which is shown only once. Only an owner who is signed in can invite an owner, and must have signed in or confirmed who they are within the last 10 minutes: otherwise the response is 403 `forbidden` with `details.required` set to `recent_sign_in`.',
      body: InvitationCreate,
      created: InvitationWithToken,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ email: `agent-${n}@acme.com`, role_id: AGENT }),
    },
    get: { method: 'GET', path: '/team/invitations/{id}', summary: 'Get a pending invitation', ok: Invitation },
    delete: {
      method: 'DELETE',
      path: '/team/invitations/{id}',
      summary: 'Revoke an invitation',
      description: 'Its token stops working.',
    },
  },
)
