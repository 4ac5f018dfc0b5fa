export { memberEvents } from './events.ts'
export { memberRoutes } from './routes.ts'
export {
  addMember,
  findFirstOrganisation,
  findMemberByEmail,
  listMemberships,
  listMembersOf,
  requireMayMakeOwner,
} from './service.ts'
