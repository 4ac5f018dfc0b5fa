export { auditPerson } from './audit-person.ts'
export { memberEvents } from './events.ts'
export { organisationPeople } from './people.ts'
export { memberRoutes } from './routes.ts'
export {
  addMember,
  findFirstOrganisation,
  findMemberByEmail,
  hasOwner,
  isMember,
  listMemberships,
  listMembersOf,
  requireMayMakeOwner,
} from './service.ts'
