import type { ByteBudget } from '../../../platform/bounded/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Assets } from '../../../platform/files/assets.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { ProductImageRow } from './image-queries.ts'

/** A file that is stored already, before any row refers to it. */
export type ImageFile = Pick<ProductImageRow, 'id' | 'asset' | 'file_name' | 'media_type' | 'size_bytes'>

interface FileSettings {
  assets: Assets
  downloads: { unwritten: ByteBudget }
}

/** Runs `write`, and removes the files again if their rows were not written. */
export async function keepIfWritten<T>(
  ctx: Context,
  files: readonly ImageFile[],
  settings: FileSettings,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    // The connection may have broken after the commit. An orphaned file does less harm than a missing one.
    if (!(error instanceof DatabaseUnavailable)) await removeFiles(ctx, files, settings.assets)
    throw error
  } finally {
    release(ctx.orgId, files, settings)
  }
}

/** Removes files that no transaction will write. */
export async function discardFiles(ctx: Context, files: readonly ImageFile[], settings: FileSettings): Promise<void> {
  await removeFiles(ctx, files, settings.assets)
  release(ctx.orgId, files, settings)
}

/** Removes files whose rows are gone. It must not fail the request any more, so an error is only logged. */
export async function removeFiles(ctx: Context, files: readonly { asset: string }[], assets: Assets): Promise<void> {
  const remove = ({ asset }: { asset: string }) =>
    assets.remove(asset).catch((error) => ctx.log.error({ err: error, asset }, 'failed to remove a file'))
  await Promise.all(files.map(remove))
}

function release(orgId: OrgId, files: readonly ImageFile[], { downloads }: FileSettings): void {
  for (const { size_bytes } of files) downloads.unwritten.release(orgId, size_bytes)
}
