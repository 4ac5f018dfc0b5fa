import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import type { Assets } from '../../../platform/files/assets.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { type OutboundClient, OutboundError } from '../../../platform/outbound/index.ts'
import { fileNameOf } from './file-name.ts'
import type { ProductImageRow } from './image-queries.ts'
import { imageType } from './image-type.ts'

export interface ImageSettings {
  outbound: OutboundClient
  assets: Assets
}

/** A file that is stored already, before any row refers to it. */
type ImageFile = Pick<ProductImageRow, 'id' | 'asset' | 'file_name' | 'media_type' | 'size_bytes'>

const IMAGE_BYTES_MAX = 15 * 1024 * 1024
const FETCH_TIMEOUT_MS = 10_000
/** Bounds memory: each image is held in memory until it is written to disk. */
const CONCURRENT_FETCHES_MAX = 4

const REQUEST = {
  method: 'GET',
  headers: { accept: 'image/jpeg, image/png, image/webp, image/gif', 'user-agent': 'Waymark' },
  timeoutMs: FETCH_TIMEOUT_MS,
  bodyBytesMax: IMAGE_BYTES_MAX,
  whenLarger: 'fail',
} as const

/** Fetches an image and stores its file. Throws an `ApiError` that tells the caller what is wrong with the URL. */
export async function fetchImage(url: string, { outbound, assets }: ImageSettings): Promise<ImageFile> {
  const { status, body } = await outbound.request(url, REQUEST).catch(throwApiError)
  if (status !== 200) throw unusable('status', `The host responded with status ${status}`)
  const type = imageType(body)
  if (type === undefined) throw unusable('not_an_image', 'This is not a JPEG, PNG, WebP or GIF image')
  const id = newId()
  const asset = `${id}.${type.extension}`
  await assets.save(asset, body)
  const file_name = fileNameOf(url, type.extension)
  return { id, asset, file_name, media_type: type.mediaType, size_bytes: body.length }
}

/** Fetches several images. Returns the files in the order of the URLs, and the URLs that failed. */
export async function fetchImages(
  ctx: Context,
  urls: readonly string[],
  settings: ImageSettings,
): Promise<{ files: ImageFile[]; failed: string[] }> {
  const fetched: (ImageFile | undefined)[] = []
  const remaining = urls.entries()
  const work = async () => {
    for (const [n, url] of remaining) {
      fetched[n] = await fetchImage(url, settings).catch((error) => {
        if (!(error instanceof ApiError)) ctx.log.error({ err: error }, 'failed to store an image')
        return undefined
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_FETCHES_MAX }, work))
  return {
    files: fetched.filter((file) => file !== undefined),
    failed: urls.filter((_, n) => fetched[n] === undefined),
  }
}

/** Runs `write`, and removes the files again if their rows were not written. */
export async function keepIfWritten<T>(
  ctx: Context,
  files: readonly ImageFile[],
  { assets }: ImageSettings,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    // The connection may have broken after the commit. An orphaned file does less harm than a missing one.
    if (!(error instanceof DatabaseUnavailable)) await removeFiles(ctx, files, assets)
    throw error
  }
}

/** Removes files whose rows are gone. It must not fail the request any more, so an error is only logged. */
export async function removeFiles(ctx: Context, files: readonly { asset: string }[], assets: Assets): Promise<void> {
  const remove = ({ asset }: { asset: string }) =>
    assets.remove(asset).catch((error) => ctx.log.error({ err: error, asset }, 'failed to remove a file'))
  await Promise.all(files.map(remove))
}

function throwApiError(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  if (error.kind === 'refused_url') throw invalidPayload({ url: [error.message] })
  const message = error.kind === 'too_large' ? 'The file is larger than 15 MiB' : error.message
  throw unusable(error.kind, message)
}

const unusable = (reason: string, message: string): ApiError =>
  new ApiError('unprocessable', `url: ${message}.`, { details: { field: 'url', reason } })
