export { invitationEvents } from './events.ts'
export { invitationMails } from './mails.ts'
export { invitationRoutes } from './routes.ts'
export { findInvitation, type InvitationSender, revokeInvitationsOf, takeInvitation } from './service.ts'
