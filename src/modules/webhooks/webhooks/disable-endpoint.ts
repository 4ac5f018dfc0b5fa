import { insertAuditEntries, SYSTEM } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import { announce, type Database, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { updateEndpointDisabled } from './queries.ts'
import { ENDPOINTS_TOPIC } from './service.ts'

/** Tells the owners of the organisation that an endpoint was disabled. */
export interface DisabledNotice {
  /** Whether to tell them: they need not hear of the same endpoint all the time. Called before the transaction. */
  isDue(): Promise<boolean>
  /** Part of the transaction that disables the endpoint. */
  write(tx: Tx, endpoint: { url: string; failingSince: string | null }): Promise<void>
}

/** Disables an endpoint, unless its URL has changed since `url` failed. Returns whether it did. */
export async function disableEndpoint(
  database: Database,
  orgId: OrgId,
  id: string,
  { url, failingSince, reason }: { url: string; failingSince: string | null; reason: string },
  notice: DisabledNotice,
  now: Timestamp,
): Promise<boolean> {
  const isNoticed = await notice.isDue()
  return database.write(async (tx) => {
    const isDisabled = await updateEndpointDisabled(tx, orgId, id, url, reason, now)
    await announce(tx, ENDPOINTS_TOPIC, [orgId])
    if (!isDisabled) return false
    await insertAuditEntries(tx, orgId, SYSTEM, [disabled(id, reason)], now)
    if (isNoticed) await notice.write(tx, { url, failingSince })
    return true
  }, orgId)
}

const disabled = (id: string, reason: string) => ({
  action: 'webhook_endpoint.disabled',
  resource: { type: 'webhook_endpoint', id },
  changes: { isActive: { from: true, to: false }, disabled_reason: { from: null, to: reason } },
})
