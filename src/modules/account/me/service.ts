import type { Context } from '../../../platform/http/index.ts'
import type { Credential } from '../../../platform/http/pipeline/context.ts'
import { getOrganisation } from '../organisations/index.ts'
import { findUser } from '../users/index.ts'
import type { Me } from './contract.ts'

export async function getMe(ctx: Context): Promise<Me> {
  const { credential } = ctx
  const { id, name, slug } = await getOrganisation(ctx.read, ctx.orgId)
  const caller =
    credential.userId === null ? { api_key: { id: credential.id, name: credential.name } } : await userOf(ctx)
  return {
    object: 'me',
    connection_label: `${name} · ${credential.name}`,
    org_name: name,
    auth: { type: credential.kind, ...applicationOf(credential) },
    org: { id, name, slug },
    ...caller,
  }
}

async function userOf({ read, credential }: Context): Promise<Pick<Me, 'user'>> {
  const user = credential.userId === null ? undefined : await findUser(read, credential.userId)
  return user === undefined ? {} : { user: { id: user.id, first_name: user.first_name, last_name: user.last_name } }
}

function applicationOf({ application, name, scopes }: Credential): Partial<Me['auth']> {
  if (application === undefined || scopes === 'all') return {}
  const { clientId, logoUrl } = application
  return { client: { client_id: clientId, name, logo_url: logoUrl }, scopes: [...scopes] }
}
