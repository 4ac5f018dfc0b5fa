import { HOUR_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import { type Database, type Db, lockRows, type Tx } from '../../../platform/db/index.ts'
import type { AssetStore, StagedFile, StoredFile } from '../../../platform/files/asset-store.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { type ImageSize, imageSizeOfFile } from '../../../platform/images/index.ts'
import {
  type AssetRow,
  deleteUnstored,
  insertAssets,
  markStored,
  selectStored,
  touchByHash,
  type Visibility,
} from './queries.ts'
import { queueRemovals } from './removals.ts'
import { isImage } from './sizes.ts'
import { type StorageSettings, selectFitting } from './storage.ts'
import { hashOf, newName } from './stored-name.ts'

export interface AssetSettings extends StorageSettings {
  store: AssetStore
  /** The base URL of files. */
  publicUrl: string
  /** Writes the rows of files that are on their way. The transaction of the request comes later, when they are stored. */
  write: Database['write']
}

/** A file that is to become an asset. */
export interface NewFile {
  staged: StagedFile
  mediaType: string
  extension: string
  /** Only displayed. */
  fileName: string
}

/** An asset whose file is in the store. It must be claimed in the transaction that uses it. */
export interface HeldAsset extends AssetRow {
  /** Whether the content was not stored before. */
  readonly isNew: boolean
}

interface HoldOptions {
  visibility: Visibility
  /** Whether a person or program uploaded it, and decides later what it is for. */
  isUpload: boolean
}

/** Other requests stored or deleted the same content meanwhile. Another attempt finds the new state. */
class ContentChanged extends Error {}

const ATTEMPTS_MAX = 5
/** A store that failed may still complete what it was sent. */
const FAILED_REMOVAL_DELAY_MS = HOUR_MS

/**
 * Stores files and runs `write`, which gets the asset of each file, or undefined if it does not fit into the storage of the
 * organisation. `write` runs a transaction that calls `claimAssets`. It may be called again.
 *
 * - A row without `stored_at` → the file in the store → `stored_at`, in the transaction of `write`. A crash leaves a row
 *   that nothing refers to, and the worker removes row and file a day later.
 * - If the organisation has the same content already, that asset is used, and no file is written.
 * - If `write` fails, the new rows are deleted, and the worker removes their files.
 */
export async function withStoredFiles<T>(
  ctx: Pick<Context, 'orgId' | 'now' | 'log'>,
  files: readonly NewFile[],
  options: HoldOptions,
  settings: AssetSettings,
  write: (held: readonly (HeldAsset | undefined)[]) => Promise<T>,
): Promise<T> {
  if (files.length === 0) return write([])
  /** The keys are hashes. No other request knows these assets. */
  const created = new Map<string, HeldAsset>()
  let used: ReadonlySet<HeldAsset | undefined> = new Set()
  let removalDelayMs = 0
  const sizes = await measure(files)
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const held = await hold(ctx, files, sizes, options, settings, created).catch((error) => {
          removalDelayMs = FAILED_REMOVAL_DELAY_MS
          throw error
        })
        const result = await write(held)
        used = new Set(held)
        return result
      } catch (error) {
        if (!(error instanceof ContentChanged) || attempt === ATTEMPTS_MAX) throw error
      }
    }
  } finally {
    const unused = [...created.values()].filter((asset) => !used.has(asset)).map(({ id }) => id)
    await forget(ctx, unused, removalDelayMs, settings)
  }
}

/**
 * Stores a file that nothing refers to yet, and that something will refer to within a day (`addAssetReferences`). Returns
 * undefined if it does not fit. The caller discards the staged file.
 */
export const storeAsset = (
  ctx: Pick<Context, 'orgId' | 'now' | 'log'>,
  file: NewFile,
  visibility: Visibility,
  settings: AssetSettings,
): Promise<HeldAsset | undefined> =>
  withStoredFiles(ctx, [file], { visibility, isUpload: true }, settings, async ([held]) => {
    if (held !== undefined) await settings.write((tx) => claimAssets(tx, ctx.orgId, [held], ctx.now), ctx.orgId)
    return held
  })

/** Confirms that the assets exist when the transaction ends. New ones become visible with it. */
export async function claimAssets(tx: Tx, orgId: OrgId, held: readonly HeldAsset[], now: Timestamp): Promise<void> {
  const idsOf = (isNew: boolean) => [...new Set(held.filter((asset) => asset.isNew === isNew).map(({ id }) => id))]
  const [created, existing] = [idsOf(true), idsOf(false)]
  if (created.length > 0) {
    const stored = await markStored(tx, orgId, created, now).catch((error) => {
      throw isSameContent(error) ? new ContentChanged() : error
    })
    if (stored < created.length) throw new ContentChanged()
  }
  if ((await lockRows(tx, orgId, 'assets', existing, 'reference')).size < existing.length) throw new ContentChanged()
}

const isSameContent = (error: unknown): boolean =>
  error instanceof ConstraintViolation && error.constraint === 'assets_content_key'

/** Opens the file of an asset, public or private; undefined if there is none. The caller reads or closes it. */
export async function openAsset(
  db: Db,
  orgId: OrgId,
  id: string,
  { store }: Pick<AssetSettings, 'store'>,
): Promise<{ file: StoredFile; fileName: string; mediaType: string } | undefined> {
  const row = await selectStored(db, orgId, id)
  const file = row && (await store.open(row.name))
  return row && file && { file, fileName: row.file_name, mediaType: row.media_type }
}

type Sizes = ReadonlyMap<NewFile, ImageSize | undefined>

/** While the files are on the local disk: an attempt to store them takes them away. */
async function measure(files: readonly NewFile[]): Promise<Sizes> {
  const sizes = new Map<NewFile, ImageSize | undefined>()
  for (const file of files) {
    if (isImage(file.mediaType)) sizes.set(file, await imageSizeOfFile(file.staged.path))
  }
  return sizes
}

/** Finds or creates the asset of each file. Adds the new ones to `created`. */
async function hold(
  { orgId, now }: Pick<Context, 'orgId' | 'now'>,
  files: readonly NewFile[],
  sizes: Sizes,
  { visibility, isUpload }: HoldOptions,
  settings: AssetSettings,
  created: Map<string, HeldAsset>,
): Promise<(HeldAsset | undefined)[]> {
  const hashes = files.map(({ staged }) => hashOf(orgId, visibility, staged.sha256))
  const byHash = new Map(files.map((file, n) => [hashes[n] as string, file]))
  const { found, rows } = await settings.write(async (tx) => {
    const found = await touchByHash(tx, orgId, visibility, [...byHash.keys()], isUpload, now)
    const known = new Set([...found.map(({ hash }) => hash), ...created.keys()])
    const missing = [...byHash]
      .filter(([hash]) => !known.has(hash))
      .map(([hash, file]) => ({
        id: newId(),
        name: newName(hash, visibility, file.extension),
        hash,
        visibility,
        media_type: file.mediaType,
        size_bytes: file.staged.sizeBytes,
        file_name: file.fileName,
        is_upload: isUpload,
        created_at: now,
        unreferenced_since: now,
        width: sizes.get(file)?.width ?? null,
        height: sizes.get(file)?.height ?? null,
        measured_at: now,
      }))
    const rows = await selectFitting(tx, orgId, missing, settings)
    await insertAssets(tx, orgId, rows)
    return { found, rows }
  }, orgId)
  for (const row of rows) created.set(row.hash, { ...row, isNew: true })
  const existing = new Map(found.map((row) => [row.hash, { ...row, isNew: false }]))
  await Promise.all(rows.map(({ hash, name, media_type }) => byHash.get(hash)?.staged.store(name, media_type)))
  return hashes.map((hash) => existing.get(hash) ?? created.get(hash))
}

/** Deletes rows that no transaction has claimed. If that fails, the worker does it a day later. */
async function forget(
  { orgId, now, log }: Pick<Context, 'orgId' | 'now' | 'log'>,
  ids: readonly string[],
  delayMs: number,
  { write }: AssetSettings,
): Promise<void> {
  if (ids.length === 0) return
  try {
    await write(async (tx) => {
      const names = await deleteUnstored(tx, orgId, ids)
      await queueRemovals(tx, names, timestamp(toMs(now) + delayMs))
    }, orgId)
  } catch (error) {
    log.error({ err: error }, 'failed to delete assets that are not used')
  }
}
