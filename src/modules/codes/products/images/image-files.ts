import type { ByteBudget } from '../../../../platform/bounded/index.ts'
import type { Context } from '../../../../platform/http/index.ts'
import { type AssetSettings, type HeldAsset, type NewFile, withStoredFiles } from '../../../assets/assets/index.ts'

interface FileSettings extends AssetSettings {
  /** The bytes of files that are on disk and not stored yet. */
  downloads: { unwritten: ByteBudget }
}

/** Runs `write` with the assets of the files, and keeps the files if it succeeds. */
export async function keepIfWritten<T>(
  ctx: Context,
  files: readonly NewFile[],
  settings: FileSettings,
  write: (held: readonly (HeldAsset | undefined)[]) => Promise<T>,
): Promise<T> {
  try {
    return await withStoredFiles(ctx, files, { visibility: 'public', isUpload: false }, settings, write)
  } finally {
    await discardFiles(ctx, files, settings)
  }
}

/** Removes files from the disk unless they were stored. It must not fail the request any more, so an error is only logged. */
export async function discardFiles(
  { orgId, log }: Context,
  files: readonly NewFile[],
  { downloads }: Pick<FileSettings, 'downloads'>,
): Promise<void> {
  const discard = ({ staged }: NewFile) =>
    staged.discard().catch((error) => log.error({ err: error }, 'failed to remove a file'))
  await Promise.all(files.map(discard))
  for (const { staged } of files) downloads.unwritten.release(orgId, staged.sizeBytes)
}
