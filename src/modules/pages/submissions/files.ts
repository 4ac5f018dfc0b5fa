import { StreamedFile } from '../../../platform/contract/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type AssetSettings, openAsset } from '../../assets/assets/index.ts'
import type { SubmissionData, SubmittedFile } from '../form/index.ts'
import { requireSubmission } from './stored-submission.ts'

export async function getFile(
  ctx: Context,
  { id, file_id }: { id: string; file_id: string },
  assets: Pick<AssetSettings, 'store'>,
): Promise<StreamedFile> {
  const { data } = await requireSubmission(ctx.read, ctx.orgId, id)
  const file = filesIn(data as SubmissionData).find((one) => one.file_id === file_id)
  if (file === undefined) throw new ApiError('not_found', 'This submission has no file with this id.')
  return new StreamedFile(file.media_type, file.file_name, () => read(ctx, file_id, assets), file.size_bytes)
}

async function* read(ctx: Context, fileId: string, assets: Pick<AssetSettings, 'store'>): AsyncGenerator<Uint8Array> {
  const asset = await openAsset(ctx.read, ctx.orgId, fileId, assets)
  if (asset === undefined) throw new Error(`the file of the asset ${fileId} is missing`)
  yield* await asset.file.read()
}

export const filesIn = (data: SubmissionData): SubmittedFile[] =>
  Object.values(data).flatMap(({ type, value }) => (type === 'form_media' ? (value as SubmittedFile[]) : []))
