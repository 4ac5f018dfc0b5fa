import { invalidPayload } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { ImageCleaner } from '../../../platform/images/index.ts'
import { ImageRefused, toCleanFile } from './clean-file.ts'
import type { AssetSettings, NewFile } from './store.ts'

type UploadedFile = Pick<NewFile, 'staged' | 'mediaType' | 'extension'>

export interface UploadSettings extends AssetSettings {
  /** Draws photos anew, so that they have no metadata. */
  images: ImageCleaner
}

const ADVICE = {
  too_many_pixels: 'Make it smaller, then upload it',
  damaged: 'Save it again, then upload it',
}

/** Runs `use` with a file that can be public. */
export async function withCleanFile<T>(
  orgId: OrgId,
  file: UploadedFile,
  settings: UploadSettings,
  use: (clean: UploadedFile) => Promise<T>,
): Promise<T> {
  const clean = await toCleanFile(orgId, file, settings).catch((error) => {
    if (error instanceof ImageRefused) throw invalidPayload({}, [`${error.message}. ${ADVICE[error.problem]}`])
    throw error
  })
  try {
    return await use(clean)
  } finally {
    if (clean !== file) await clean.staged.discard()
  }
}
