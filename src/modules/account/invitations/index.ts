export { invitationEvents } from './events.ts'
export { invitationRoutes } from './routes.ts'
export { findInvitation, type InvitationMails, takeInvitation } from './service.ts'
