import { invalidPayload } from '../../../platform/errors/index.ts'
import type { StagedFile } from '../../../platform/files/asset-store.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  type ImageCleaner,
  ImageTooLarge,
  imageSizeOfFile,
  mayHaveMetadata,
  PIXELS_MAX,
  UnreadableImage,
} from '../../../platform/images/index.ts'
import type { FileType } from './file-type.ts'
import type { AssetSettings } from './store.ts'

interface CleanFile extends FileType {
  staged: StagedFile
}

export interface UploadSettings extends AssetSettings {
  /** Draws photos anew, so that they have no metadata. */
  images: ImageCleaner
}

/**
 * Runs `use` with a file that can be public: a photo with metadata is drawn anew, because it may say where and when it was
 * taken. All other files are used as they are.
 */
export async function withCleanFile<T>(
  orgId: OrgId,
  file: CleanFile,
  { store, images }: UploadSettings,
  use: (clean: CleanFile) => Promise<T>,
): Promise<T> {
  const { path } = file.staged
  const size = await imageSizeOfFile(path)
  if (size !== undefined && size.width * size.height > PIXELS_MAX) throw tooManyPixels()
  if (!(await mayHaveMetadata(path, file.mediaType))) return use(file)
  const { bytes, mediaType, extension } = await images.clean(orgId, path).catch((error) => {
    if (error instanceof ImageTooLarge) throw tooManyPixels()
    if (error instanceof UnreadableImage)
      throw invalidPayload({}, ['The image is damaged. Save it again, then upload it'])
    throw error
  })
  const staged = await store.stage([bytes])
  try {
    return await use({ staged, mediaType, extension })
  } finally {
    await staged.discard()
  }
}

const tooManyPixels = () =>
  invalidPayload({}, [
    `The image has more than ${PIXELS_MAX / 1_000_000} million pixels, or too many frames. Make it smaller, then upload it`,
  ])
