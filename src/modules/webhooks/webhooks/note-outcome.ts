import { DAY_MS, type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type DisabledNotice, disableEndpoint } from './disable-endpoint.ts'
import { addFailures, clearFailures, type FailureRow } from './failure-queries.ts'

/** An endpoint is disabled once it has failed for this long, with at least this many attempts and no success. */
const DISABLE_AFTER_MS = 5 * DAY_MS
const DISABLE_AFTER_ATTEMPTS = 10

export const noteSuccess = ({ kysely }: Database, orgId: OrgId, id: string): Promise<void> =>
  clearFailures(kysely, orgId, id)

/** Returns whether these failures disabled the endpoint. */
export async function noteFailures(
  database: Database,
  orgId: OrgId,
  id: string,
  failures: { count: number; since: Timestamp },
  notice: DisabledNotice,
  now: Timestamp,
): Promise<boolean> {
  const row = await addFailures(database.kysely, orgId, id, failures)
  if (row === undefined || !isToBeDisabled(row, toMs(now))) return false
  const { url, failing_since } = row
  const reason = `Every attempt has failed since ${failing_since}.`
  return disableEndpoint(database, orgId, id, { url, failingSince: failing_since, reason }, notice, now)
}

const isToBeDisabled = ({ is_active, failing_since, failed_attempts }: FailureRow, nowMs: number): boolean =>
  is_active &&
  failing_since !== null &&
  nowMs - toMs(failing_since) >= DISABLE_AFTER_MS &&
  failed_attempts >= DISABLE_AFTER_ATTEMPTS
