import { DAY_MS, MINUTE_MS, type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import { announce, type Database, lockRows, type Tx } from '../../../platform/db/index.ts'
import { insertTombstones } from '../../../platform/db/tombstones.ts'
import type { AssetStore } from '../../../platform/files/asset-store.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { deleteSome, deleteUnreferenced, selectExpired } from './queries.ts'
import { clearUnreferenced } from './reference-queries.ts'
import { delayRemovals, deleteRemovals, insertRemovals, selectDueRemovals } from './removal-queries.ts'

/** Announced when files wait to be removed. */
export const REMOVALS_TOPIC = 'asset_removals'

/** Why a backup leaves the table out. */
export const ASSET_TABLES_LEFT_OUT = {
  asset_removals: 'names files that belong to no row, so that no backup contains them',
}

/** How long an asset is kept that nothing refers to. */
const UNREFERENCED_MS = DAY_MS
/** The pause after a failure of the store. */
const RETRY_MS = 10 * MINUTE_MS
const BATCH_ASSETS = 100
const BATCH_FILES = 100

/** Lets the worker remove files, once this transaction is committed: a crash leaves no file that nobody knows. */
export async function queueRemovals(tx: Tx, names: readonly string[], dueAt: Timestamp): Promise<void> {
  if (names.length === 0) return
  await insertRemovals(tx, names, dueAt)
  await announce(tx, REMOVALS_TOPIC, [''])
}

/**
 * Deletes those of these assets that nothing refers to, and queues their files. Without `withUploads`, files that somebody
 * uploaded stay. The rows must be locked. Returns the ids of the deleted ones.
 */
export async function deleteAssets(
  tx: Tx,
  orgId: OrgId,
  ids: readonly string[],
  now: Timestamp,
  options = { withUploads: true },
): Promise<string[]> {
  const deleted = await deleteUnreferenced(tx, orgId, ids, options)
  const listed = deleted.filter(({ visibility, stored_at }) => visibility === 'public' && stored_at !== null)
  await insertTombstones(
    tx,
    orgId,
    'asset',
    listed.map(({ id }) => id),
    now,
  )
  await queueRemovals(
    tx,
    deleted.map(({ name }) => name),
    now,
  )
  return deleted.map(({ id }) => id)
}

/** Runs a transaction for an organisation, maybe after a rest. */
export type PacedWrite = (orgId: OrgId, work: (tx: Tx) => Promise<void>) => Promise<void>

/** Deletes some of the assets that nothing has referred to for a day. Returns false if there were none. */
export async function deleteExpiredAssets(database: Database, nowMs: number, write: PacedWrite): Promise<boolean> {
  const expired = await selectExpired(database.read, timestamp(nowMs - UNREFERENCED_MS), BATCH_ASSETS)
  for (const [orgId, assets] of Map.groupBy(expired, ({ orgId }) => orgId)) {
    const ids = assets.map(({ id }) => id)
    await write(orgId, async (tx) => {
      await lockRows(tx, orgId, 'assets', ids, 'change')
      const deleted = new Set(await deleteAssets(tx, orgId, ids, timestamp(nowMs)))
      const kept = ids.filter((id) => !deleted.has(id))
      if (kept.length > 0) await clearUnreferenced(tx, orgId, kept)
    })
  }
  return expired.length > 0
}

/** Removes some of the files that wait for it. Returns false if there were none. After a failure, they are due later. */
export async function removeDueFiles(database: Database, store: AssetStore, nowMs: number): Promise<boolean> {
  const names = await selectDueRemovals(database.read, timestamp(nowMs), BATCH_FILES)
  if (names.length === 0) return false
  try {
    for (const name of names) await store.remove(name)
  } catch (error) {
    await database.write((tx) => delayRemovals(tx, names, timestamp(nowMs + RETRY_MS)))
    throw error
  }
  await database.write((tx) => deleteRemovals(tx, names))
  return true
}

/** Deletes some assets of an organisation that is being deleted. Returns false if there were none. */
export async function dropAssetsOf(tx: Tx, orgId: OrgId, limit: number, now: Timestamp): Promise<boolean> {
  const names = await deleteSome(tx, orgId, limit)
  await queueRemovals(tx, names, now)
  return names.length > 0
}
