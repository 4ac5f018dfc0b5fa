export { invitationEvents } from './events.ts'
export { invitationRoutes } from './routes.ts'
export { findInvitation, takeInvitation } from './service.ts'
