import { type Clock, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { openRecorder, type Recorder } from '../../../platform/recording/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import {
  parseScanText,
  type RecordedScan,
  SCAN_VERSION,
  splitScanText,
  storeScanTexts,
  toScanTexts,
} from '../scans/index.ts'

export type ScanRecorder = Recorder<RecordedScan>

/** Scans wait in `journalDir` for their fold. The folder must belong to this database alone. */
export const openScanRecorder = (database: Database, journalDir: string, clock: Clock, log: Logger): ScanRecorder =>
  openRecorder<RecordedScan>(database, journalDir, log, {
    names: { one: 'scan', several: 'scans' },
    version: SCAN_VERSION,
    orgOf: ({ row }) => row.org_id,
    toTexts: toScanTexts,
    split: splitScanText,
    describe: (json) => parseScanText({ json })[0]?.row,
    store: (tx, texts) => storeScanTexts(tx, texts, timestamp(clock())),
  })
