import type { Position } from '../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, type Row, type Tx, withPrefix } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('webhook_deliveries', 'org_id', 'test_payload')
export type DeliveryRow = Row<'webhook_deliveries', typeof COLUMNS>
export type StoredStatus = Row<'webhook_deliveries'>['status']

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
    .select(withPrefix('d', COLUMNS))
    .select(['d.test_payload', 'e.payload'])
    .where('d.org_id', '=', orgId)
    .where('d.endpoint_id', '=', endpointId)
    .where('d.id', '=', id)
    .executeTakeFirst()

export const insertDelivery = async (tx: Tx, row: Row<'webhook_deliveries'>): Promise<void> => {
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
