import { type Database, type Db, insertMissingRowsAlone, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** One attempt and the state it leaves its delivery in. A trigger copies that state to the delivery. */
export interface AttemptRow {
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
    webhook_attempts: AttemptRow
  }
}

const COLUMNS = [
  'org_id',
  'endpoint_id',
  'delivery_id',
  'number',
  'started_at',
  'duration_ms',
  'response_status',
  'error',
  'response_body',
  'status_after',
  'next_attempt_at',
] as const

/** Skips an attempt that is already stored: the first record wins. */
export const insertAttempts = (database: Database, rows: readonly AttemptRow[]): Promise<void> =>
  insertMissingRowsAlone(database, 'webhook_attempts', COLUMNS, rows)

/** A delivery can be replayed any number of times. */
const ATTEMPTS_MAX = 100

/** The last ones, oldest first. */
export const selectAttempts = async (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  deliveryId: string,
): Promise<AttemptRow[]> => {
  const attempts = await db
    .selectFrom('webhook_attempts')
    .selectAll()
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
