import { toMs } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import { selectForDelivery } from './queries.ts'

/** An endpoint as the delivery worker needs it, with its secrets decrypted. */
export interface DeliveryEndpoint {
  id: string
  url: string
  isActive: boolean
  secret: string
  /** The secret before the last rotation. Callers check `expiresAtMs`. */
  oldSecret: { text: string; expiresAtMs: number } | undefined
  isFailing: boolean
}

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
