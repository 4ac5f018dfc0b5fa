import type { RecordedScan } from '../modules/codes/scans/index.ts'
import { Journal } from './journal.ts'

/**
 * Raise it whenever `RecordedScan` or its row changes, and let `upgrade` fill in what older lines lack: after an update,
 * a journal may still hold scans of the previous release.
 */
export const SCAN_JOURNAL_VERSION = 1

export const openScanJournal = (folder: string): Journal<RecordedScan> =>
  new Journal<RecordedScan>(folder, {
    version: SCAN_JOURNAL_VERSION,
    // Version 0 is the same entry, without a version in the line.
    upgrade: (_version, entry) => entry as RecordedScan,
  })
