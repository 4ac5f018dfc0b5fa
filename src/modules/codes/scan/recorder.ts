import { type Clock, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { Recorder } from '../../../platform/recording/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { type RecordedScan, storeScans } from '../scans/index.ts'
import { openScanJournal } from './scan-journal.ts'

export type ScanRecorder = Recorder<RecordedScan>

export const openScanRecorder = (database: Database, journalDir: string, clock: Clock, log: Logger): ScanRecorder =>
  new Recorder<RecordedScan>({
    journal: openScanJournal(journalDir),
    store: (scans) => storeScans(database, scans, timestamp(clock())),
    names: { one: 'scan', several: 'scans' },
    describe: ({ row }) => row,
    log,
  })
