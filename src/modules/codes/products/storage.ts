import { type Db, lockTotal, selectTotal, sumOf, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { getOrganisation } from '../../account/organisations/index.ts'

export interface StorageSettings {
  /** For organisations without their own limit. */
  storageBytesMax: number
  metrics?: Metrics
}

/** What the images of an organisation use, and what they may use. */
interface Storage {
  usedBytes: number
  limitBytes: number
}

const USED = sumOf('product_images', 'size_bytes')

/** Returns an error if there is no room at all. Avoids a useless download; the transaction decides. */
export async function findStorageError(db: Db, orgId: OrgId, settings: StorageSettings): Promise<ApiError | undefined> {
  const usedBytes = await selectTotal(db, orgId, USED)
  const limitBytes = await findLimit(db, orgId, settings)
  return usedBytes < limitBytes ? undefined : storageFull({ usedBytes, limitBytes }, settings)
}

/** Throws if a file does not fit. No other transaction can use the room before this one ends. */
export async function requireStorage(tx: Tx, orgId: OrgId, bytes: number, settings: StorageSettings): Promise<void> {
  const storage = await lockStorage(tx, orgId, settings)
  if (storage.usedBytes + bytes > storage.limitBytes) throw storageFull(storage, settings)
}

/** Returns the files that fit, in their order. No other transaction can use the room before this one ends. */
export async function selectFitting<File extends { size_bytes: number }>(
  tx: Tx,
  orgId: OrgId,
  files: readonly File[],
  settings: StorageSettings,
): Promise<File[]> {
  if (files.length === 0) return []
  const { usedBytes, limitBytes } = await lockStorage(tx, orgId, settings)
  let freeBytes = limitBytes - usedBytes
  return files.filter(({ size_bytes }) => {
    if (size_bytes > freeBytes) return false
    freeBytes -= size_bytes
    return true
  })
}

const lockStorage = async (tx: Tx, orgId: OrgId, settings: StorageSettings): Promise<Storage> => ({
  usedBytes: await lockTotal(tx, orgId, USED),
  limitBytes: await findLimit(tx, orgId, settings),
})

const findLimit = async (db: Db, orgId: OrgId, { storageBytesMax }: StorageSettings): Promise<number> =>
  (await getOrganisation(db, orgId)).storage_bytes_max ?? storageBytesMax

function storageFull({ usedBytes, limitBytes }: Storage, { metrics }: StorageSettings): ApiError {
  metrics?.refused.inc({ limit: 'storage' })
  return new ApiError(
    'unprocessable',
    'url: The image does not fit into the storage of your organisation. Delete images or products, or ask the operator for more storage.',
    { details: { field: 'url', reason: 'storage_full', used_bytes: usedBytes, limit_bytes: limitBytes } },
  )
}
