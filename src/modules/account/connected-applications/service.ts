import { type Actor, noteCreated, noteDeleted, withAudit } from '../../../platform/audit/index.ts'
import { MINUTE_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { type Database, type Db, lockRow, type Tx, totalOf } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { listMemberships } from '../members/index.ts'
import type { ConnectedApplication } from './contract.ts'
import {
  deleteGrant,
  insertGrant,
  type ShownGrantRow,
  selectExpiredGrants,
  selectGrant,
  selectGrantIds,
  selectShownGrant,
  selectShownGrants,
} from './queries.ts'

/** Removes what an application has created under a grant and what must not outlive it: its webhook endpoints. */
export type CleanUpAfterGrant = (tx: Tx, orgId: OrgId, grantId: string, now: Timestamp) => Promise<void>

/** How long an application has to fetch its first tokens. */
const FIRST_TOKENS_MS = 10 * MINUTE_MS
/** Limits what one person can store in an organisation. Beyond this, the oldest connection ends. */
const GRANTS_MAX = 50
const EXPIRED_BATCH = 100

/** Owners and admins see all connections of the organisation; others see their own. */
const seesAll = ({ credential: { scopes } }: Context): boolean => scopes === 'all' || scopes.has('team.manage')

export function listApplications(ctx: Context, query: OffsetQuery): Promise<OffsetPage<ConnectedApplication>> {
  const userId = seesAll(ctx) ? null : ctx.credential.userId
  return offsetPage(ctx, query, {
    totals: [userId === null ? 'oauth_grants' : totalOf('oauth_grants', 'user_id', userId)],
    count: undefined,
    rows: (db, limit, offset) => selectShownGrants(db, ctx.orgId, userId, limit, offset),
    toItem: toConnectedApplication,
  })
}

export function disconnectApplication(ctx: Context, id: string, cleanUp: CleanUpAfterGrant): Promise<void> {
  return ctx.write(async (tx) => {
    const row = await selectShownGrant(tx, ctx.orgId, id)
    if (row === undefined || !(seesAll(ctx) || row.user_id === ctx.credential.userId)) {
      throw new ApiError('not_found', 'There is no connected application with this id.')
    }
    await endGrant(tx, ctx.orgId, id, ctx.now, cleanUp)
  })
}

interface NewGrant {
  orgId: OrgId
  userId: string
  clientId: string
  scopes: readonly string[]
}

/** Lets an application act for a person in an organisation. The caller has checked that the person belongs to it. */
export async function createGrant(
  tx: Tx,
  { orgId, userId, clientId, scopes }: NewGrant,
  now: Timestamp,
  cleanUp: CleanUpAfterGrant,
): Promise<string> {
  const existing = await selectGrantIds(tx, orgId, userId)
  for (const id of existing.slice(GRANTS_MAX - 1)) await endGrant(tx, orgId, id, now, cleanUp)
  const id = newId()
  await insertGrant(tx, {
    id,
    org_id: orgId,
    user_id: userId,
    client_id: clientId,
    scopes: [...scopes],
    last_used_at: null,
    expires_at: timestamp(toMs(now) + FIRST_TOKENS_MS),
    created_at: now,
  })
  const created = await selectShownGrant(tx, orgId, id)
  if (created !== undefined) noteCreated(tx, toConnectedApplication(created))
  return id
}

/** Ends a grant and all its tokens. Does nothing if it has ended already. */
export async function endGrant(
  tx: Tx,
  orgId: OrgId,
  id: string,
  now: Timestamp,
  cleanUp: CleanUpAfterGrant,
): Promise<void> {
  const row = await selectShownGrant(tx, orgId, id)
  if (row === undefined) return
  noteDeleted(tx, toConnectedApplication(row))
  await cleanUp(tx, orgId, id, now)
  await deleteGrant(tx, orgId, id)
}

/** Ends the grants of a person who leaves an organisation. */
export async function endGrantsOf(
  tx: Tx,
  orgId: OrgId,
  userId: string,
  now: Timestamp,
  cleanUp: CleanUpAfterGrant,
): Promise<void> {
  for (const id of await selectGrantIds(tx, orgId, userId)) await endGrant(tx, orgId, id, now, cleanUp)
}

/** Ends the grants of a person in all their organisations. */
export async function endGrantsEverywhere(
  tx: Tx,
  userId: string,
  actor: Actor,
  now: Timestamp,
  cleanUp: CleanUpAfterGrant,
): Promise<void> {
  for (const { org_id } of await listMemberships(tx, userId)) {
    await withAudit(tx, org_id, actor, now, () => endGrantsOf(tx, org_id, userId, now, cleanUp))
  }
}

export async function hasGrants(db: Db, userId: string): Promise<boolean> {
  for (const { org_id } of await listMemberships(db, userId)) {
    if ((await selectGrantIds(db, org_id, userId)).length > 0) return true
  }
  return false
}

/** Ends the grants whose last token has expired, in small transactions. */
export async function endExpiredGrants(database: Database, now: Timestamp, cleanUp: CleanUpAfterGrant): Promise<void> {
  for (;;) {
    const expired = await selectExpiredGrants(database.read, now, EXPIRED_BATCH)
    for (const { id, org_id } of expired) {
      const orgId = org_id
      await database.write(async (tx) => {
        await lockRow(tx, orgId, 'oauth_grants', id)
        const grant = await selectGrant(tx, id)
        // Its application may have refreshed its token meanwhile.
        if (grant !== undefined && grant.expires_at <= now) await endGrant(tx, orgId, id, now, cleanUp)
      }, orgId)
    }
    if (expired.length < EXPIRED_BATCH) return
  }
}

function toConnectedApplication(row: ShownGrantRow): ConnectedApplication {
  const { id, client_id, name, logo_url, user_id, first_name, last_name, scopes, last_used_at } = row
  return {
    object: 'connected_application',
    id,
    client: { client_id, name, logo_url },
    user: { id: user_id, first_name, last_name },
    scopes: scopes as string[],
    last_used_at,
    expires_at: row.expires_at,
    created_at: row.created_at,
  }
}
