import { type Database, type Db, insertMissingRowsAlone } from '../../../platform/db/index.ts'
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

/** Skips an attempt that is already stored: the first record wins. */
export const insertAttempts = (database: Database, rows: readonly AttemptRow[]): Promise<void> =>
  insertMissingRowsAlone(database, 'webhook_attempts', rows)

export const selectAttempts = (db: Db, orgId: OrgId, endpointId: string, deliveryId: string): Promise<AttemptRow[]> =>
  db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute()
