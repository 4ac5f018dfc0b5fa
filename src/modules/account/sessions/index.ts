export { CONFIRM_PATH, CookieAuthenticator, type SignedIn, sessionCookie } from './authenticator.ts'
export { nameOf, personActor } from './person-actor.ts'
export {
  endOtherSessions,
  endSession,
  hasSession,
  listSessions,
  type Origin,
  type RenewedSession,
  renewSession,
  requireSession,
  startSession,
  switchOrganisation,
} from './service.ts'
