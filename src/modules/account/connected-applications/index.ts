export type { ConnectedApplication } from './contract.ts'
export {
  selectAllowed as hasAllowed,
  selectGrant as findGrant,
  updateExpiry as extendGrant,
  updateLastUsed,
} from './queries.ts'
export { connectedApplicationRoutes } from './routes.ts'
export {
  type CleanUpAfterGrant,
  createGrant,
  endExpiredGrants,
  endGrant,
  endGrantsEverywhere,
  endGrantsOf,
  hasGrants,
} from './service.ts'
