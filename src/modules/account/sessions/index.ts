export { CookieAuthenticator, type SignedIn } from './authenticator.ts'
export {
  endOtherSessions,
  endSession,
  listSessions,
  type Origin,
  startSession,
  switchOrganisation,
} from './service.ts'
