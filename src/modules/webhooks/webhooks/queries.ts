import { compiled, type Db, insertRows, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export interface WebhookEndpointsTable {
  id: string
  org_id: string
  /** The OAuth grant under which it was made; null when a key or a session did. */
  grant_id: string | null
  url: string
  description: string | null
  events: unknown
  is_active: boolean
  disabled_reason: string | null
  /** Sealed, as is the old one. */
  secret: string
  old_secret: string | null
  old_secret_expires_at: string | null
  /** Since when nothing but failures came back, and how many. */
  failing_since: string | null
  failed_attempts: number
  created_at: string
  updated_at: string
}

/** Who wants to hear of what: one row for each event of each endpoint, active or not. */
interface EventSubscriptionsTable {
  org_id: string
  type: string
  endpoint_id: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    webhook_endpoints: WebhookEndpointsTable
    event_subscriptions: EventSubscriptionsTable
  }
}

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
export type EndpointRow = Pick<WebhookEndpointsTable, (typeof COLUMNS)[number]>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('webhook_endpoints').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectEndpoint = async (db: Db, orgId: OrgId, id: string): Promise<EndpointRow | undefined> =>
  (await byId(db, orgId, id))[0]

/** Newest first: of one grant, or of the whole organisation. */
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

type Change = Partial<Omit<WebhookEndpointsTable, 'id' | 'org_id' | 'grant_id' | 'created_at'>>

export const updateEndpointRow = async (tx: Tx, orgId: OrgId, id: string, change: Change): Promise<void> => {
  await tx.updateTable('webhook_endpoints').set(change).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** The old secret is kept when there is a time until which it counts. */
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

export const deleteEndpointRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('webhook_endpoints').where('org_id', '=', orgId).where('id', '=', id).execute()
}

export const insertSubscriptions = (tx: Tx, orgId: OrgId, endpointId: string, types: readonly string[]) =>
  insertRows(
    tx,
    'event_subscriptions',
    types.map((type) => ({ org_id: orgId, type, endpoint_id: endpointId })),
  )

export const deleteSubscriptions = async (tx: Tx, orgId: OrgId, endpointId: string): Promise<void> => {
  await tx.deleteFrom('event_subscriptions').where('org_id', '=', orgId).where('endpoint_id', '=', endpointId).execute()
}

export const selectSubscribedTypes = (db: Db, orgId: OrgId, types: readonly string[]): Promise<{ type: string }[]> =>
  db
    .selectFrom('event_subscriptions')
    .select('type')
    .distinct()
    .where('org_id', '=', orgId)
    .where('type', 'in', [...types])
    .execute()
