import type { RecordedScan } from '../modules/codes/scans/index.ts'
import { Journal } from './journal.ts'

/**
 * Raise the version whenever `RecordedScan` or its row changes, and let `upgrade` fill in what older lines lack: after
 * an update, a journal may still hold scans of the previous release.
 */
export const openScanJournal = (folder: string): Journal<RecordedScan> =>
  new Journal<RecordedScan>(folder, {
    version: 1,
    // Version 0 is the same entry, without a version in the line.
    upgrade: (_version, entry) => entry as RecordedScan,
  })
