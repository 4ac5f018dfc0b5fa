import { compiled, type Db, type Row, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = [
  'id',
  'grant_id',
  'url',
  'description',
  'events',
  'is_active',
  'disabled_reason',
  'created_at',
  'updated_at',
] as const
export type EndpointRow = Row<'webhook_endpoints', typeof COLUMNS>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('webhook_endpoints').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectEndpoint = async (db: Db, orgId: OrgId, id: string): Promise<EndpointRow | undefined> =>
  (await byId(db, orgId, id))[0]

/** Newest first. A null grant selects all endpoints of the organisation. */
export const selectEndpoints = (
  db: Db,
  orgId: OrgId,
  grantId: string | null,
  limit: number,
  offset: number,
): Promise<EndpointRow[]> =>
  db
    .selectFrom('webhook_endpoints')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .$if(grantId !== null, (query) => query.where('grant_id', '=', grantId))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const selectForDelivery = compiled((db: Db, orgId: OrgId) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'is_active', 'secret', 'old_secret', 'old_secret_expires_at', 'failing_since'])
    .where('org_id', '=', orgId),
)

export const insertEndpoint = async (tx: Tx, orgId: OrgId, row: EndpointRow & { secret: string }): Promise<void> => {
  await tx
    .insertInto('webhook_endpoints')
    .values({
      ...row,
      org_id: orgId,
      old_secret: null,
      old_secret_expires_at: null,
      failing_since: null,
      failed_attempts: 0,
    })
    .execute()
}

type Change = Partial<Omit<Row<'webhook_endpoints'>, 'id' | 'org_id' | 'grant_id' | 'created_at'>>

export const updateEndpointRow = async (tx: Tx, orgId: OrgId, id: string, change: Change): Promise<void> => {
  const update = tx.updateTable('webhook_endpoints').set(change).where('org_id', '=', orgId).where('id', '=', id)
  await runWithoutResult(tx, update)
}

/** Keeps the current secret as the old one if `oldExpiresAt` is set. */
export const updateSecret = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  secret: string,
  oldExpiresAt: string | null,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('webhook_endpoints')
    .set((row) => ({
      secret,
      old_secret: oldExpiresAt === null ? null : row.ref('secret'),
      old_secret_expires_at: oldExpiresAt,
      updated_at: now,
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Only if the endpoint is active and still has this URL. Returns whether it was. */
export const updateEndpointDisabled = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  url: string,
  reason: string,
  now: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_endpoints')
    .set({ is_active: false, disabled_reason: reason, updated_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('url', '=', url)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteEndpointRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('webhook_endpoints').where('org_id', '=', orgId).where('id', '=', id).execute()
}
