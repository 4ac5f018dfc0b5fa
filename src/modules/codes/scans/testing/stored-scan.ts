import { toMs } from '../../../../platform/clock/index.ts'
import { newIdAt, type OrgId } from '../../../../platform/ids/index.ts'
import type { RecordedScan, StoredScan } from '../index.ts'

type Required = Pick<StoredScan, 'target_kind' | 'target_id' | 'scanned_at'>

/** A person's scan for `storeScans`, without an event. Columns that are not given are null. */
export const toRecordedScan = (orgId: OrgId, scan: Required & Partial<StoredScan>): RecordedScan => ({
  row: {
    org_id: orgId,
    id: newIdAt(toMs(scan.scanned_at)),
    is_bot: false,
    visitor: 'v',
    user_agent: null,
    device_type: null,
    device_os: null,
    device_browser: null,
    destination_type: null,
    destination_id: null,
    destination_url: null,
    query_params: null,
    country: null,
    region: null,
    city: null,
    gs1: null,
    referrer: null,
    ...scan,
  },
  announced: false,
})
