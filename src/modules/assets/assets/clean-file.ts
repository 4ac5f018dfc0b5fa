import type { AssetStore } from '../../../platform/files/asset-store.ts'
import {
  type CleanImage,
  type ImageCleaner,
  ImageTooLarge,
  imageSizeOfFile,
  mayHaveMetadata,
  PIXELS_MAX,
  UnreadableImage,
} from '../../../platform/images/index.ts'
import { findFileType } from './file-type.ts'
import type { NewFile } from './store.ts'

/** Why an image cannot be public. */
type ImageProblem = 'too_many_pixels' | 'damaged'

/** An image that cannot be public. */
export class ImageRefused extends Error {
  readonly problem: ImageProblem

  constructor(problem: ImageProblem) {
    super(MESSAGES[problem])
    this.problem = problem
  }
}

const MESSAGES: Readonly<Record<ImageProblem, string>> = {
  too_many_pixels: `The image has more than ${PIXELS_MAX / 1_000_000} million pixels, or too many frames`,
  damaged: 'The image is damaged',
}

/**
 * Draws a photo with metadata anew, because it may say where and when it was taken. Returns undefined for a file that can be
 * public as it is. Throws `ImageRefused`, and `QueueFull` if the key (organisation) has too many images waiting.
 */
async function drawClean(
  key: string,
  path: string,
  mediaType: string,
  images: ImageCleaner,
): Promise<CleanImage | undefined> {
  const size = await imageSizeOfFile(path)
  if (size !== undefined && size.width * size.height > PIXELS_MAX) throw new ImageRefused('too_many_pixels')
  if (!(await mayHaveMetadata(path, mediaType))) return undefined
  return images.clean(key, path).catch((error) => {
    if (error instanceof ImageTooLarge) throw new ImageRefused('too_many_pixels')
    if (error instanceof UnreadableImage) throw new ImageRefused('damaged')
    throw error
  })
}

/** The same for a file of the local disk, which is a key of its own: it does not wait for others. */
export async function drawCleanFile(path: string, images: ImageCleaner): Promise<CleanImage | undefined> {
  const type = await findFileType({ path })
  return type && drawClean(path, path, type.mediaType, images)
}

interface Services {
  store: AssetStore
  images: ImageCleaner
}

type TypedFile = Pick<NewFile, 'staged' | 'mediaType' | 'extension'>

/** Returns a file that can be public: the same one, or another one that the caller discards as well. */
export async function toCleanFile<File extends TypedFile>(
  key: string,
  file: File,
  { store, images }: Services,
): Promise<File | (File & Pick<CleanImage, 'mediaType' | 'extension'>)> {
  const clean = await drawClean(key, file.staged.path, file.mediaType, images)
  if (clean === undefined) return file
  const { bytes, mediaType, extension } = clean
  return { ...file, staged: await store.stage([bytes]), mediaType, extension }
}
