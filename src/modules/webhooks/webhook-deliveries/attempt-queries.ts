import {
  columnsOf,
  type Database,
  type Db,
  insertMissingRowsAlone,
  type Row,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** One attempt and the state it leaves its delivery in. A trigger copies that state to the delivery. */
export type AttemptRow = Row<'webhook_attempts'>

/** Skips an attempt that is already stored: the first record wins. */
export const insertAttempts = (database: Database, rows: readonly Row<'webhook_attempts'>[]): Promise<void> =>
  insertMissingRowsAlone(database, 'webhook_attempts', rows)

/** A delivery can be replayed any number of times. */
const ATTEMPTS_MAX = 100

/** The last ones, oldest first. */
export const selectAttempts = async (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  deliveryId: string,
): Promise<Row<'webhook_attempts'>[]> => {
  const attempts = await db
    .selectFrom('webhook_attempts')
    .select(columnsOf('webhook_attempts'))
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('number', 'desc')
    .limit(ATTEMPTS_MAX)
    .execute()
  return attempts.reverse()
}

/** The ids of the deliveries of an event begin like its own id. */
const SHARED_LENGTH = 24

/** Forgets what receivers responded to these events, because a response may quote the event. */
export async function forgetResponses(tx: Tx, orgId: OrgId, eventIds: readonly string[]): Promise<void> {
  const endpoints = tx.selectFrom('webhook_endpoints').select('id').where('org_id', '=', orgId)
  for (const eventId of eventIds) {
    const shared = eventId.slice(0, SHARED_LENGTH)
    await tx
      .updateTable('webhook_attempts')
      .set({ response_body: null })
      .where('org_id', '=', orgId)
      .where('endpoint_id', 'in', endpoints)
      .where('delivery_id', '>=', `${shared}000000000000`)
      .where('delivery_id', '<=', `${shared}ffffffffffff`)
      .execute()
  }
}
