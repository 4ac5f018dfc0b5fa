import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ROLES, Role } from '../roles/contract.ts'
import { Email, PersonName } from '../users/contract.ts'

export const Member = z
  .object({
    object: z.literal('member'),
    id: field.id,
    user_id: field.id.describe('The person. The same in all organisations that they belong to.'),
    first_name: PersonName.nullable().meta({ examples: ['Kim'] }),
    last_name: PersonName.nullable().meta({ examples: ['Berg'] }),
    email: Email,
    avatar_url: z
      .string()
      .nullable()
      .meta({ format: 'uri', examples: [null] }),
    role_id: field.id,
    role: Role.shape.name,
    joined_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Member', description: 'A person who belongs to the organisation.' })
export type Member = z.infer<typeof Member>

export const MemberUpdate = z
  .strictObject({
    role_id: field.id.optional().describe('The new role. Only an owner who is signed in can choose owner.'),
  })
  .meta({ id: 'MemberUpdate' })
export type MemberUpdate = z.output<typeof MemberUpdate>

export const members = operations(
  {
    name: 'members',
    title: 'Members',
    about: 'The people who belong to your organisation, each with a role. Invite others with an invitation.',
    area: 'team',
  },
  {
    list: {
      method: 'GET',
      path: '/team/members',
      summary: 'List members',
      description: 'The newest member first.',
      query: offsetQuery({}),
      offset: Member,
    },
    get: { method: 'GET', path: '/team/members/{id}', summary: 'Get a member', ok: Member },
    update: {
      method: 'PATCH',
      path: '/team/members/{id}',
      summary: "Change a member's role",
      description:
        'Only an owner who is signed in can make somebody an owner (otherwise 409 `conflict`), or give an owner another role (otherwise 403 `forbidden`), and must have signed in or confirmed who they are within the last 10 minutes: otherwise the response is 403 `forbidden` with `details.required` set to `recent_sign_in`. The last owner who can sign in keeps the role. A lower role revokes the pending invitations that the person has created, and pauses their API keys.',
      body: MemberUpdate,
      ok: Member,
      errors: ['conflict', 'unprocessable'],
      example: () => ({ role_id: ROLES.at(-1)?.id }),
    },
    delete: {
      method: 'DELETE',
      path: '/team/members/{id}',
      summary: 'Remove a member',
      description:
        'The person loses access to the organisation within a second. The pending invitations that they have created are revoked, and their API keys are paused. Only an owner who is signed in, and has signed in or confirmed who they are within the last 10 minutes, can remove an owner: otherwise the response is 403 `forbidden`. The last owner who can sign in cannot be removed.',
      errors: ['conflict'],
    },
  },
)
