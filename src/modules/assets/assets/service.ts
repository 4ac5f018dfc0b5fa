import type { z } from 'zod'
import { noteCreated, noteDeleted } from '../../../platform/audit/index.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { Updated } from '../../../platform/contract/responses.ts'
import { lockRow } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import type { StagedFile } from '../../../platform/files/asset-store.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { type UploadSettings, withCleanFile } from './clean-upload.ts'
import type { Asset, assets } from './contract.ts'
import { toFileName } from './file-name.ts'
import { findFileType } from './file-type.ts'
import { type AssetRow, selectAsset, selectAssets } from './queries.ts'
import { isReferenced } from './reference-queries.ts'
import { deleteAssets } from './removals.ts'
import { getStorageError } from './storage.ts'
import { type AssetSettings, claimAssets, withStoredFiles } from './store.ts'

type ListQuery = z.output<typeof assets.list.declared.query>
type CreateQuery = z.output<typeof assets.create.declared.query>

const NOT_ACCEPTED =
  'Must be a JPEG, PNG, WebP, GIF, AVIF, ICO, PDF, MP4, WebM or MP3 file. The content of the file decides, not its name'

export const listAssets = (
  ctx: Context,
  query: ListQuery,
  after: Position | undefined,
  settings: AssetSettings,
): Promise<CursorPage<Asset>> =>
  cursorPage(
    query,
    (limit) => selectAssets(ctx.read, ctx.orgId, after, limit),
    (row) => toAsset(row, settings),
  )

export async function uploadAsset(
  ctx: Context,
  staged: StagedFile,
  { file_name = '' }: CreateQuery,
  settings: UploadSettings,
): Promise<Asset | Updated<Asset>> {
  const type = await findFileType(staged)
  if (type === undefined) throw invalidPayload({}, [NOT_ACCEPTED])
  return withCleanFile(ctx.orgId, { staged, ...type }, settings, (clean) => {
    const file = { ...clean, fileName: toFileName(file_name, `file.${clean.extension}`) }
    const options = { visibility: 'public', isUpload: true } as const
    return withStoredFiles(ctx, [file], options, settings, async ([held]) => {
      if (held === undefined) throw await getStorageError(ctx.read, ctx.orgId, settings)
      return ctx.write(async (tx) => {
        await claimAssets(tx, ctx.orgId, [held], ctx.now)
        const asset = toAsset(held, settings)
        if (!held.isNew) return new Updated(asset)
        noteCreated(tx, asset)
        return asset
      })
    })
  })
}

export async function getAsset(ctx: Context, id: string, settings: AssetSettings): Promise<Asset> {
  const row = await selectAsset(ctx.read, ctx.orgId, id)
  if (row === undefined) throw await notFoundOrGone(ctx.read, ctx.orgId, 'asset', id)
  return toAsset(row, settings)
}

export function deleteAsset(ctx: Context, id: string, settings: AssetSettings): Promise<void> {
  return ctx.write(async (tx) => {
    // A reference that is being added takes the same lock.
    await lockRow(tx, ctx.orgId, 'assets', id)
    const row = await selectAsset(tx, ctx.orgId, id)
    if (row === undefined) throw await notFoundOrGone(tx, ctx.orgId, 'asset', id)
    if (await isReferenced(tx, ctx.orgId, id)) {
      const details = { reason: 'in_use' }
      throw new ApiError('conflict', 'Something still uses this file. Remove it there first.', { details })
    }
    await deleteAssets(tx, ctx.orgId, [id], ctx.now)
    noteDeleted(tx, toAsset(row, settings))
  })
}

const toAsset = (row: AssetRow, { publicUrl }: AssetSettings): Asset => ({
  object: 'asset',
  id: row.id,
  url: `${publicUrl}/assets/${row.name}`,
  file_name: row.file_name,
  media_type: row.media_type as Asset['media_type'],
  size_bytes: row.size_bytes,
  width: row.width,
  height: row.height,
  is_referenced: row.unreferenced_since === null,
  created_at: row.created_at,
})
