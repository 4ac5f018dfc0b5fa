import { columnsOf } from '../../../platform/db/index.ts'
import { Journal } from '../../../platform/recording/index.ts'
import type { RecordedScan } from '../scans/index.ts'

export const openScanJournal = (folder: string): Journal<RecordedScan> =>
  new Journal<RecordedScan>(folder, {
    entries: 'scans',
    // Rises with every column that is added to scans, so that an older release leaves the lines of a newer one alone.
    version: columnsOf('scans').length,
    // Columns that an older line lacks are stored as null. A column that must not be null needs its default here.
    upgrade: (_version, entry) => entry as RecordedScan,
  })
