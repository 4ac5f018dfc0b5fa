import { Changes, type EventCatalogue } from '../../../platform/outbox/index.ts'
import { Member } from './contract.ts'

export const memberEvents = {
  'member.joined': { description: 'A person joined the organisation.', payload: Member },
  'member.removed': { description: 'A member left the organisation or was removed from it.', payload: Member },
  'member.role_changed': {
    description: 'A member got another role. `changes` has the old and the new one.',
    payload: Member.extend({ changes: Changes }).meta({ id: 'MemberRoleChanged' }),
  },
} satisfies EventCatalogue
