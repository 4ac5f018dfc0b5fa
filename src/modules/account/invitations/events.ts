import type { EventCatalogue } from '../../../platform/outbox/index.ts'
import { Invitation } from './contract.ts'

export const invitationEvents = {
  'member.invited': { description: 'A person was invited to the organisation.', payload: Invitation },
  'invitation.revoked': { description: 'A pending invitation was revoked.', payload: Invitation },
} satisfies EventCatalogue
