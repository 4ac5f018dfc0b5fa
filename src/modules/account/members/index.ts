export { memberEvents } from './events.ts'
export { memberRoutes } from './routes.ts'
export {
  addMember,
  findFirstOrganisation,
  findMemberByEmail,
  isMember,
  listMemberships,
  listMembersOf,
  listOwners,
  requireMayMakeOwner,
} from './service.ts'
