import type { OrganisationPeople } from '../../mail/mails/index.ts'
import { getOrganisation } from '../organisations/index.ts'
import { rolesWith } from '../roles/index.ts'
import { selectByRole, selectRecipient, selectRecipients } from './queries.ts'

/** Enough that somebody reads a notice. */
const READERS_MAX = 20
/** Those who do the work all want to know, but a stranger can cause such mails. */
const HOLDERS_MAX = 50

/** The people who get mails about an organisation. */
export const organisationPeople: OrganisationPeople = {
  getName: async (db, orgId) => (await getOrganisation(db, orgId)).name,
  listOwners: (db, orgId) => selectByRole(db, orgId, ['owner'], READERS_MAX),
  listAdmins: (db, orgId) => selectByRole(db, orgId, ['owner', 'admin'], READERS_MAX),
  listHolders: (db, orgId, scope, exceptUserId) => selectByRole(db, orgId, rolesWith(scope), HOLDERS_MAX, exceptUserId),
  listMembers: selectRecipients,
  hasMember: async (db, orgId, email) => (await selectRecipient(db, orgId, email)) !== undefined,
}
