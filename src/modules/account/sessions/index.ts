export { CookieAuthenticator, type SignedIn } from './authenticator.ts'
export { personActor } from './person-actor.ts'
export {
  endOtherSessions,
  endSession,
  listSessions,
  type Origin,
  type RenewedSession,
  renewSession,
  startSession,
  switchOrganisation,
} from './service.ts'
