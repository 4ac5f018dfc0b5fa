import { type Db, lockTotal, selectTotal, sumOf, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'

export interface StorageSettings {
  /** How many bytes of files an organisation may store. */
  storageLimitOf: (db: Db, orgId: OrgId) => Promise<number>
  metrics?: Metrics
}

const USED = sumOf('assets', 'size_bytes')

/**
 * Returns an error if there is no room at all. Avoids useless work; the transaction that stores a file decides. With a field,
 * the error names the part of the request that asked for the file.
 */
export async function findStorageError(
  db: Db,
  orgId: OrgId,
  settings: StorageSettings,
  field?: string,
): Promise<ApiError | undefined> {
  const usedBytes = await selectTotal(db, orgId, USED)
  const limitBytes = await settings.storageLimitOf(db, orgId)
  return usedBytes < limitBytes ? undefined : storageFull(usedBytes, limitBytes, settings, field)
}

/** The error for a file that did not fit. */
export const getStorageError = async (db: Db, orgId: OrgId, settings: StorageSettings, field?: string) =>
  storageFull(await selectTotal(db, orgId, USED), await settings.storageLimitOf(db, orgId), settings, field)

/** Returns the files that fit, in their order. No other transaction can use the room before this one ends. */
export async function selectFitting<File extends { size_bytes: number }>(
  tx: Tx,
  orgId: OrgId,
  files: readonly File[],
  settings: StorageSettings,
): Promise<File[]> {
  if (files.length === 0) return []
  const usedBytes = await lockTotal(tx, orgId, USED)
  let freeBytes = (await settings.storageLimitOf(tx, orgId)) - usedBytes
  return files.filter(({ size_bytes }) => {
    if (size_bytes > freeBytes) return false
    freeBytes -= size_bytes
    return true
  })
}

function storageFull(
  usedBytes: number,
  limitBytes: number,
  { metrics }: StorageSettings,
  field: string | undefined,
): ApiError {
  metrics?.refused.inc({ limit: 'storage' })
  const details = { reason: 'storage_full', used_bytes: usedBytes, limit_bytes: limitBytes }
  if (field === undefined) {
    const message =
      'The file does not fit into the storage of your organisation. Delete files, or ask the operator for more storage.'
    return new ApiError('unprocessable', message, { details })
  }
  return new ApiError(
    'unprocessable',
    `${field}: The image does not fit into the storage of your organisation. Delete images or products, or ask the operator for more storage.`,
    { details: { field, ...details } },
  )
}
