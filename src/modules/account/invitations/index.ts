export { invitationEvents } from './events.ts'
export { invitationMails } from './mails.ts'
export { invitationRoutes } from './routes.ts'
export { findInvitation, type InvitationSender, takeInvitation } from './service.ts'
