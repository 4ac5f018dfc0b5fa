import type { Timestamp } from '../../../platform/clock/index.ts'
import { announce, type Database } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { updateEndpointDisabled } from './queries.ts'
import { ENDPOINTS_TOPIC } from './service.ts'

/** Disables an endpoint, unless its URL has changed since `url` failed. */
export function disableEndpoint(
  database: Database,
  orgId: OrgId,
  id: string,
  url: string,
  reason: string,
  now: Timestamp,
): Promise<void> {
  return database.write(async (tx) => {
    await updateEndpointDisabled(tx, orgId, id, url, reason, now)
    await announce(tx, ENDPOINTS_TOPIC, [orgId])
  }, orgId)
}
