import { setTimeout as sleep } from 'node:timers/promises'
import { removeOrganisation } from '../modules/account/organisations/index.ts'
import { dropAssetsOf, removeDueFiles } from '../modules/assets/assets/index.ts'
import { keepSlugsOf } from '../modules/codes/scan-targets/index.ts'
import { createAnalyser, dropIndexedTexts, dropVocabulary } from '../modules/knowledge/article-search/index.ts'
import { dropMailsOf } from '../modules/mail/mails/index.ts'
import { systemClock, timestamp } from '../platform/clock/index.ts'
import { ConstraintViolation } from '../platform/db/failures.ts'
import { announce, type Database, type Tx } from '../platform/db/index.ts'
import type { AssetStore } from '../platform/files/asset-store.ts'
import type { OrgId } from '../platform/ids/index.ts'
import {
  deleteBatch,
  deleteRowsOf,
  deleteWalked,
  deleteWithin,
  detachCategories,
  type ErasedTable,
  selectIds,
  selectWalkEnd,
} from './erase-queries.ts'
import { ERASED_TABLES, UNREFERENCED } from './erased-tables.ts'

/** Small, so that a deletion does not block requests for long. */
const BATCH_ROWS = 250
/** Rows with children that are deleted together. */
const PARENT_ROWS = 100
/** How many rows of all organisations one step of a walk reads. */
const WALK_ROWS = 2000
/**
 * Requests that were running at the start can still add rows, below rows that are being deleted, too. These are the pauses
 * before another attempt: such requests have ended long before the last one.
 */
const PAUSES_MS = [50, 500, 5000, 30_000]

/**
 * Deletes an organisation with everything that belongs to it, in small transactions. The organisation itself is last, so
 * after a crash, calling it again completes the deletion. The accounts of its people stay.
 */
export async function eraseOrganisation(database: Database, orgId: OrgId, store: AssetStore): Promise<void> {
  const analyser = createAnalyser()
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.write(work, orgId)
  try {
    await untilNothingIsAdded(async () => {
      for (const table of ERASED_TABLES) await emptyTable(database, orgId, table)
      await repeat(() => write((tx) => dropIndexedTexts(tx, orgId, BATCH_ROWS)))
      await repeat(() => dropVocabulary(database, write, analyser, orgId))
      await write((tx) => removeLastRows(tx, orgId))
    })
  } finally {
    await analyser.close()
  }
  // Their names were queued with the deletion of their rows. After a failure, the worker goes on.
  await repeat(() => removeDueFiles(database, store, systemClock()))
}

/** Repeats work that fails if somebody adds a row to what it deletes. */
async function untilNothingIsAdded(work: () => Promise<void>): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConstraintViolation) || error.kind !== 'foreign_key') throw error
    }
    await sleep(pause)
  }
  return work()
}

async function removeLastRows(tx: Tx, orgId: OrgId): Promise<void> {
  await removeOrganisation(tx, orgId)
  for (const table of UNREFERENCED) await deleteRowsOf(tx, orgId, table)
  await dropMailsOf(tx, orgId)
}

async function emptyTable(database: Database, orgId: OrgId, erased: ErasedTable): Promise<void> {
  const { table, children, walk } = erased
  if (walk !== undefined) return walkTable(database, orgId, erased, walk)
  if (children !== undefined) return emptyParents(database, orgId, erased, children)
  const write = (work: (tx: Tx) => Promise<boolean>): Promise<boolean> => database.write(work, orgId)
  if (table === 'assets') {
    return repeat(() => write((tx) => dropAssetsOf(tx, orgId, BATCH_ROWS, timestamp(systemClock()))))
  }
  // A category cannot be deleted before those within it.
  if (table === 'article_categories') await repeat(() => write((tx) => detachCategories(tx, orgId, BATCH_ROWS)))
  await repeat(() => write((tx) => announceDeleted(tx, erased, deleteBatch(tx, orgId, erased, BATCH_ROWS))))
}

/** Deletes rows with their children. A parent may have many more children than one transaction should delete. */
function emptyParents(
  database: Database,
  orgId: OrgId,
  parent: ErasedTable,
  children: Record<string, string>,
): Promise<void> {
  const remove = (erased: ErasedTable, column: string, ids: readonly string[]) =>
    repeat(() =>
      database.write(
        (tx) => announceDeleted(tx, erased, deleteWithin(tx, orgId, erased, column, ids, BATCH_ROWS)),
        orgId,
      ),
    )
  return repeat(async () => {
    const ids = await selectIds(database.read, orgId, parent.table, PARENT_ROWS)
    if (ids.length === 0) return false
    for (const [table, column] of Object.entries(children)) await remove({ table }, column, ids)
    await remove(parent, 'id', ids)
    return true
  })
}

/** Reads a whole table in steps, because no index tells which rows belong to the organisation. */
async function walkTable(database: Database, orgId: OrgId, erased: ErasedTable, key: string): Promise<void> {
  let after: string | undefined
  await repeat(async () => {
    const range = { after, end: await selectWalkEnd(database.readLong, erased.table, key, after, WALK_ROWS) }
    await database.write((tx) => announceDeleted(tx, erased, deleteWalked(tx, orgId, erased, key, range)), orgId)
    after = range.end
    return after !== undefined
  })
}

/** Makes processes drop what they keep about the deleted rows. Returns false if there were none. */
async function announceDeleted(
  tx: Tx,
  { table, announced }: ErasedTable,
  deletion: Promise<string[]>,
): Promise<boolean> {
  const keys = await deletion
  if (table === 'scan_targets') await keepSlugsOf(tx, keys)
  if (announced !== undefined && keys.length > 0) await announce(tx, announced[0], [...new Set(keys)])
  return keys.length > 0
}

/** Repeats a step until it has nothing more to do. */
async function repeat(step: () => Promise<boolean>): Promise<void> {
  while (await step());
}
