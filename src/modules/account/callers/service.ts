import type { Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { lockOrganisation } from '../organisations/index.ts'
import { type RoleName, scopesOf } from '../roles/index.ts'
import { hasSession } from '../sessions/index.ts'
import { selectKeyState, selectRole } from './queries.ts'

/** Who changes the team or its credentials, as the transaction sees them. */
export interface Caller {
  /** The role of the person; undefined for an API key. */
  role: RoleName | undefined
  /** The person who is responsible: for an API key, the one who created it. Null if nobody knows them. */
  authorId: string | null
}

/**
 * Lets changes of a team and its credentials wait for each other, then checks again whether the caller may make one. A
 * process looks up a credential at most twice a second. Somebody who has just been removed must not use that time to let
 * themselves in again.
 */
export async function lockTeam(tx: Tx, { orgId, credential }: Context): Promise<Caller> {
  await lockOrganisation(tx, orgId)
  const { kind, id, userId } = credential
  if (userId === null) {
    const key = await selectKeyState(tx, orgId, id)
    if (key !== undefined && (key.paused_at !== null || key.revoked_at !== null)) throw noLonger()
    return { role: undefined, authorId: key?.created_by ?? null }
  }
  const role = await selectRole(tx, orgId, userId)
  if (role === undefined || !scopesOf(role).has('team.manage')) throw noLonger()
  if (kind === 'session' && !(await hasSession(tx, userId, id))) throw noLonger()
  return { role, authorId: userId }
}

const noLonger = (): ApiError => new ApiError('forbidden', 'You may not do this any more.')
