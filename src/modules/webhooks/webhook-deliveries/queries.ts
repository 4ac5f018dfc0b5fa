import type { Position } from '../../../platform/contract/pagination.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** One event to be sent to one endpoint. */
export interface WebhookDeliveriesTable {
  org_id: string
  endpoint_id: string
  /** Starts with the time of the event, so that IDs sort by time. */
  id: string
  /** Null for a test. */
  event_id: string | null
  type: string
  test_payload: unknown
  /** `held` is not stored: it is `pending` while the endpoint is not active. */
  status: 'pending' | 'delivered' | 'failed'
  attempt_count: number
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    webhook_deliveries: WebhookDeliveriesTable
  }
}

const COLUMNS = [
  'id',
  'endpoint_id',
  'event_id',
  'type',
  'status',
  'attempt_count',
  'next_attempt_at',
  'delivered_at',
  'created_at',
] as const
export type DeliveryRow = Pick<WebhookDeliveriesTable, (typeof COLUMNS)[number]>
export type StoredStatus = WebhookDeliveriesTable['status']

export interface DeliveryFilters {
  status: StoredStatus | undefined
  type: string | undefined
  /** Leaves tests out. */
  onlyEvents: boolean
}

/** Newest first. */
export const selectDeliveries = (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  { status, type, onlyEvents }: DeliveryFilters,
  after: Position | undefined,
  limit: number,
): Promise<DeliveryRow[]> =>
  db
    .selectFrom('webhook_deliveries')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as StoredStatus))
    .$if(type !== undefined, (query) => query.where('type', '=', type as string))
    .$if(onlyEvents, (query) => query.where('event_id', 'is not', null))
    .$if(after !== undefined, (query) => query.where('id', '<', (after as Position).id))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Includes the payload: `payload` of the event, or `test_payload` of a test. */
export const selectDelivery = (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  id: string,
): Promise<(DeliveryRow & { test_payload: unknown; payload: unknown }) | undefined> =>
  db
    .selectFrom('webhook_deliveries as d')
    .leftJoin('events as e', (join) => join.onRef('e.id', '=', 'd.event_id').onRef('e.org_id', '=', 'd.org_id'))
    .select(COLUMNS.map((column) => `d.${column}` as const))
    .select(['d.test_payload', 'e.payload'])
    .where('d.org_id', '=', orgId)
    .where('d.endpoint_id', '=', endpointId)
    .where('d.id', '=', id)
    .executeTakeFirst()

export const insertDelivery = async (tx: Tx, row: WebhookDeliveriesTable): Promise<void> => {
  await tx.insertInto('webhook_deliveries').values(row).execute()
}

export const updateDeliveryDue = (
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  id: string,
  now: string,
): Promise<DeliveryRow | undefined> =>
  tx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', next_attempt_at: now })
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
