import type { Position } from '../../../platform/contract/pagination.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** One event on its way to one endpoint. */
export interface WebhookDeliveriesTable {
  org_id: string
  endpoint_id: string
  /** Begins with the moment of the event, so that ids sort by time. */
  id: string
  /** Null for a test, which nothing happened for. */
  event_id: string | null
  type: string
  test_payload: unknown
  /** What is `held` is `pending`, with an endpoint that is not active. */
  status: 'pending' | 'delivered' | 'failed'
  attempt_count: number
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
}

/** What was tried, and what the delivery became by it: a trigger writes that into the delivery. */
export interface WebhookAttemptsTable {
  org_id: string
  endpoint_id: string
  delivery_id: string
  number: number
  started_at: string
  duration_ms: number
  response_status: number | null
  error: string | null
  response_body: string | null
  status_after: 'pending' | 'delivered' | 'failed'
  next_attempt_at: string | null
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    webhook_deliveries: WebhookDeliveriesTable
    webhook_attempts: WebhookAttemptsTable
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
  /** Without those that are tests. */
  onlyEvents: boolean
}

/** Newest first, from a position on. */
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

/** With what it sends, wherever that is kept. */
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

export const selectAttempts = (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  deliveryId: string,
): Promise<WebhookAttemptsTable[]> =>
  db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute()

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
