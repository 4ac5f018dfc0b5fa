export { CookieAuthenticator, type SignedIn } from './authenticator.ts'
export { nameOf, personActor } from './person-actor.ts'
export {
  endOtherSessions,
  endSession,
  listSessions,
  type Origin,
  startSession,
  switchOrganisation,
} from './service.ts'
