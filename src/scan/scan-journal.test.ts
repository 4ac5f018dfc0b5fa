import { expect, test } from 'vitest'
import { SCAN_COLUMNS } from '../modules/codes/scans/queries.ts'
import { SCAN_JOURNAL_VERSION } from './scan-journal.ts'

const COLUMNS_OF_VERSION_1 = [
  ...['org_id', 'id', 'target_kind', 'target_id', 'scanned_at', 'is_bot', 'visitor', 'user_agent'],
  ...['device_type', 'device_os', 'device_browser', 'destination_type', 'destination_id', 'destination_url'],
  ...['query_params', 'country', 'region', 'city', 'gs1', 'referrer'],
]

test('the journal version is raised when the columns of a scan change', () => {
  expect({ version: SCAN_JOURNAL_VERSION, columns: SCAN_COLUMNS }).toEqual({
    version: 1,
    columns: COLUMNS_OF_VERSION_1,
  })
})
