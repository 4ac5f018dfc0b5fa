import type { Actor } from '../../../platform/audit/index.ts'
import { type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { hasScope } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { scopesOf } from '../roles/index.ts'
import type { Area } from '../scopes/index.ts'
import { selectGrantRights, selectKeyRights, selectMemberRights } from './queries.ts'

type Asked = Pick<Actor, 'kind' | 'id'>

/**
 * Checks again whether somebody may still change these areas who asked for it earlier. Returns what they have lost, as a
 * sentence; undefined if they may go on. Signing out takes nothing away: it is no reason to distrust what was asked for before.
 */
export async function findLostRight(
  db: Db,
  orgId: OrgId,
  { kind, id }: Asked,
  areas: readonly Area[],
  now: Timestamp,
): Promise<string | undefined> {
  if (id === null) return undefined
  if (kind === 'api_key') return findLossOfKey(db, orgId, id, areas, now)
  if (kind === 'person') return findLossOfPerson(db, orgId, id, areas)
  return kind === 'application' ? findLossOfApplication(db, orgId, id, areas, now) : undefined
}

async function findLossOfKey(db: Db, orgId: OrgId, id: string, areas: readonly Area[], now: Timestamp) {
  const key = await selectKeyRights(db, orgId, id)
  if (key === undefined) return 'The API key that asked for this job does not exist any more.'
  if (key.revoked_at !== null) return 'The API key that asked for this job was revoked.'
  if (key.paused_at !== null) return 'The API key that asked for this job was paused.'
  if (hasExpired(key.expires_at, now)) return 'The API key that asked for this job has expired.'
  const scopes = key.scopes === null ? 'all' : new Set(key.scopes as string[])
  return mayManage(scopes, areas) ? undefined : 'The API key that asked for this job may not do it any more.'
}

async function findLossOfPerson(db: Db, orgId: OrgId, userId: string, areas: readonly Area[]) {
  const member = await selectMemberRights(db, orgId, userId)
  if (member === undefined) return 'The person who asked for this job has left the organisation.'
  if (member.deactivated_at !== null) return 'The account of the person who asked for this job is deactivated.'
  if (!mayManage(scopesOf(member.role), areas))
    return 'The role of the person who asked for this job does not allow it any more.'
  return undefined
}

async function findLossOfApplication(db: Db, orgId: OrgId, id: string, areas: readonly Area[], now: Timestamp) {
  const grant = await selectGrantRights(db, orgId, id)
  if (grant === undefined || hasExpired(grant.expires_at, now))
    return 'The application that asked for this job is not connected any more.'
  if (!mayManage(new Set(grant.scopes as string[]), areas))
    return 'The application that asked for this job may not do it any more.'
  return findLossOfPerson(db, orgId, grant.user_id, areas)
}

const mayManage = (scopes: 'all' | ReadonlySet<string>, areas: readonly Area[]): boolean =>
  areas.every((area) => hasScope({ scopes }, `${area}.manage`))

const hasExpired = (expiresAt: string | null, now: Timestamp): boolean =>
  expiresAt !== null && toMs(expiresAt) <= toMs(now)
