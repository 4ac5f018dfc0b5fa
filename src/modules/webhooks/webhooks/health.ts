/** Endpoints as whoever delivers to them sees them: where to send, what to sign with, and how they fare. */
import { DAY_MS, type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Database, Db } from '../../../platform/db/index.ts'
import { announce } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import { addFailures, clearFailures, disableRow, selectForDelivery } from './health-queries.ts'
import { ENDPOINTS_TOPIC } from './service.ts'

export interface DeliveryEndpoint {
  id: string
  url: string
  isActive: boolean
  secret: string
  /** The one before, for as long as it lives. */
  oldSecret: { text: string; expiresAtMs: number } | undefined
  isFailing: boolean
}

/** With nothing but failures for so long, and so many of them, an endpoint is not asked any more. */
const GIVE_UP_MS = 5 * DAY_MS
const GIVE_UP_ATTEMPTS = 10

export async function loadEndpoints(
  db: Db,
  keyring: Keyring,
  orgId: OrgId,
  nowMs: number,
): Promise<DeliveryEndpoint[]> {
  const rows = await selectForDelivery(db, orgId)
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      url: row.url,
      isActive: row.is_active,
      secret: await keyring.open(row.secret, db, nowMs),
      oldSecret:
        row.old_secret === null || row.old_secret_expires_at === null
          ? undefined
          : { text: await keyring.open(row.old_secret, db, nowMs), expiresAtMs: toMs(row.old_secret_expires_at) },
      isFailing: row.failing_since !== null,
    })),
  )
}

export const noteSuccess = ({ kysely }: Database, orgId: OrgId, id: string): Promise<void> =>
  clearFailures(kysely, orgId, id)

/** Answers whether the endpoint was given up for it. */
export async function noteFailures(
  database: Database,
  orgId: OrgId,
  id: string,
  failures: { count: number; since: Timestamp },
  now: Timestamp,
): Promise<boolean> {
  const row = await addFailures(database.kysely, orgId, id, failures)
  if (row === undefined || !isGivenUp(row, toMs(now))) return false
  await disableEndpoint(database, orgId, id, row.url, `Nothing but failures since ${row.failing_since}.`, now)
  return true
}

/** Only as long as it has the address that asked for it. */
export function disableEndpoint(
  database: Database,
  orgId: OrgId,
  id: string,
  url: string,
  reason: string,
  now: Timestamp,
): Promise<void> {
  return database.write(async (tx) => {
    await disableRow(tx, orgId, id, url, reason, now)
    await announce(tx, ENDPOINTS_TOPIC, [orgId])
  })
}

const isGivenUp = (
  {
    is_active,
    failing_since,
    failed_attempts,
  }: { is_active: boolean; failing_since: string | null; failed_attempts: number },
  nowMs: number,
): boolean =>
  is_active &&
  failing_since !== null &&
  nowMs - toMs(failing_since) >= GIVE_UP_MS &&
  failed_attempts >= GIVE_UP_ATTEMPTS
