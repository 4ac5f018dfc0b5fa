import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import type { Assets } from '../../../platform/files/assets.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { imageType, type OutboundClient, OutboundError } from '../../../platform/outbound/index.ts'
import { fileNameOf } from './file-name.ts'
import type { ProductImageRow } from './image-queries.ts'

/** Where images come from, and where they are kept. */
export interface ImageSettings {
  outbound: OutboundClient
  assets: Assets
}

/** A file that is kept already, before any row knows of it. */
type ImageFile = Pick<ProductImageRow, 'id' | 'asset' | 'file_name' | 'media_type' | 'size_bytes'>

const IMAGE_BYTES_MAX = 15 * 1024 * 1024
const FETCH_TIMEOUT_MS = 10_000
/** Each is held in memory until it is on the disk. */
const FETCHES_AT_A_TIME = 4

const REQUEST = {
  method: 'GET',
  headers: { accept: 'image/jpeg, image/png, image/webp, image/gif', 'user-agent': 'Waymark' },
  timeoutMs: FETCH_TIMEOUT_MS,
  bodyBytesMax: IMAGE_BYTES_MAX,
  whenLarger: 'fail',
} as const

/** Fetches an image and keeps its file; throws what the caller should hear about an address that gives none. */
export async function fetchImage(url: string, { outbound, assets }: ImageSettings): Promise<ImageFile> {
  const { status, body } = await outbound.request(url, REQUEST).catch(refuse)
  if (status !== 200) throw unusable('status', `The host answered with status ${status}`)
  const type = imageType(body)
  if (type === undefined) throw unusable('not_an_image', 'This is not a JPEG, PNG, WebP or GIF image')
  const id = newId()
  const asset = `${id}.${type.extension}`
  await assets.save(asset, body)
  const file_name = fileNameOf(url, type.extension)
  return { id, asset, file_name, media_type: type.mediaType, size_bytes: body.length }
}

/** Fetches what can be fetched, in the order of the addresses, and tells which could not. */
export async function fetchImages(
  ctx: Context,
  urls: readonly string[],
  settings: ImageSettings,
): Promise<{ files: ImageFile[]; failed: string[] }> {
  const fetched: (ImageFile | undefined)[] = []
  const left = urls.entries()
  const work = async () => {
    for (const [n, url] of left) {
      fetched[n] = await fetchImage(url, settings).catch((error) => {
        if (!(error instanceof ApiError)) ctx.log.error({ err: error }, 'an image could not be kept')
        return undefined
      })
    }
  }
  await Promise.all(Array.from({ length: FETCHES_AT_A_TIME }, work))
  return {
    files: fetched.filter((file) => file !== undefined),
    failed: urls.filter((_, n) => fetched[n] === undefined),
  }
}

/** Files whose rows were not written are removed again. */
export async function keepIfWritten<T>(
  ctx: Context,
  files: readonly ImageFile[],
  { assets }: ImageSettings,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    // A connection that broke may have broken after the commit: a file too many harms less than one too few.
    if (!(error instanceof DatabaseUnavailable)) await removeFiles(ctx, files, assets)
    throw error
  }
}

/** After the rows are gone. By then nothing may fail any more: a file that stays behind is only logged. */
export async function removeFiles(ctx: Context, files: readonly { asset: string }[], assets: Assets): Promise<void> {
  const remove = ({ asset }: { asset: string }) =>
    assets.remove(asset).catch((error) => ctx.log.error({ err: error, asset }, 'a file stays behind'))
  await Promise.all(files.map(remove))
}

function refuse(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  if (error.kind === 'refused_url') throw invalidPayload({ url: [error.message] })
  const message = error.kind === 'too_large' ? 'The file is larger than 15 MiB' : error.message
  throw unusable(error.kind, message)
}

const unusable = (reason: string, message: string): ApiError =>
  new ApiError('unprocessable', `url: ${message}.`, { details: { field: 'url', reason } })
