export { memberEvents } from './events.ts'
export { memberRoutes } from './routes.ts'
export {
  addMember,
  findFirstOrganisation,
  findMemberByEmail,
  isMember,
  isRecipient,
  listAdmins,
  listMemberships,
  listMembersOf,
  listOwners,
  listRecipients,
  requireMayMakeOwner,
} from './service.ts'
