import type { Context } from '../../../platform/http/index.ts'
import { getOrganisation } from '../organisations/index.ts'
import type { Me } from './contract.ts'

export async function getMe({ read, orgId, credential }: Context): Promise<Me> {
  const { id, name, slug } = await getOrganisation(read, orgId)
  return {
    object: 'me',
    connection_label: `${name} · ${credential.name}`,
    org_name: name,
    auth: { type: credential.kind },
    org: { id, name, slug },
    api_key: { id: credential.id, name: credential.name },
  }
}
