import { StreamedFile } from '../../../../platform/contract/index.ts'
import { ApiError } from '../../../../platform/errors/index.ts'
import type { Context } from '../../../../platform/http/index.ts'
import { type AssetSettings, openAsset } from '../../../assets/assets/index.ts'
import { requireConversation } from '../stored-conversation.ts'
import { selectFile } from './message-queries.ts'

type Assets = Pick<AssetSettings, 'store'>

export async function getFile(
  ctx: Context,
  { id, file_id }: { id: string; file_id: string },
  assets: Assets,
): Promise<StreamedFile> {
  await requireConversation(ctx.read, ctx.orgId, id)
  const file = await selectFile(ctx.read, ctx.orgId, id, file_id)
  if (file === undefined) throw new ApiError('not_found', 'This conversation has no file with this id.')
  return new StreamedFile(file.media_type, file.file_name, () => read(ctx, file_id, assets), file.size_bytes)
}

async function* read(ctx: Context, fileId: string, assets: Assets): AsyncGenerator<Uint8Array> {
  const asset = await openAsset(ctx.read, ctx.orgId, fileId, assets)
  if (asset === undefined) throw new Error(`the file of the asset ${fileId} is missing`)
  yield* await asset.file.read()
}
