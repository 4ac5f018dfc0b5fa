import { eraseOrganisation, erasePerson } from '../../erasure/index.ts'
import { listMembersOf } from '../../modules/account/members/index.ts'
import { listDemoOrganisations, type Organisation } from '../../modules/account/organisations/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { AssetStore } from '../../platform/files/asset-store.ts'
import { demoDomain } from './organisation.ts'

/** Deletes every organisation that `createDemo` made, and the people that it made. */
export async function deleteDemos(
  database: Database,
  store: AssetStore,
  onDelete: (organisation: Organisation) => void,
): Promise<Organisation[]> {
  const demos = await listDemoOrganisations(database.read)
  for (const demo of demos) {
    onDelete(demo)
    // Read before the organisation is deleted: once their memberships are gone, nothing tells who was created for the demo.
    const people = await listMembersOf(database.read, demo.id)
    const invented = people.filter(({ email }) => email.endsWith(`@${demoDomain(demo.slug)}`))
    for (const { user_id } of invented) await erasePerson(database, demo.id, user_id)
    await eraseOrganisation(database, demo.id, store)
  }
  return demos
}
