import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { type ApiError, unprocessable } from '../../../platform/errors/index.ts'
import type { ItemPlan } from '../create-or-change/index.ts'
import type { Imported, ImportedInput, QrCodeCreate } from './contract.ts'
import type { QrCodeRow } from './queries.ts'

/** When a new code was created: elsewhere, if it was moved here. */
export const createdAt = (imported: ImportedInput | undefined, now: Timestamp): Timestamp =>
  imported?.created_at === undefined ? now : timestamp(toMs(imported.created_at as Timestamp))

/** The columns after a request, which keeps the scans if it has none. The counter follows, as the trigger of the table does it. */
export function importedColumns(imported: ImportedInput | undefined, row: QrCodeRow): Partial<QrCodeRow> {
  if (imported === undefined) return {}
  const imported_scans = imported.scans ?? row.imported_scans ?? 0
  const total_scans = row.total_scans + imported_scans - (row.imported_scans ?? 0)
  return { imported_scans, imported_from: imported.from, total_scans }
}

export const toImported = ({ imported_scans, imported_from, created_at }: QrCodeRow): Imported | null =>
  imported_scans === null ? null : { scans: imported_scans, created_at, from: imported_from ?? '' }

/** A code from the future would stay at the top of every list. */
export function findFutureCodes(
  plans: readonly ItemPlan<QrCodeCreate, QrCodeRow>[],
  now: Timestamp,
): Map<number, ApiError> {
  const future = plans.filter(({ input }) => createdAt(input.imported, now) > now)
  return new Map(
    future.map(({ index, input }) => [
      index,
      unprocessable('imported.created_at', input.imported?.created_at, 'this time is in the future'),
    ]),
  )
}
