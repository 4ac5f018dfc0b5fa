import { ByteBudget, BytePace, FairQueue, QueueFull } from '../../../../platform/bounded/index.ts'
import { SECOND_MS } from '../../../../platform/clock/index.ts'
import { ApiError, invalidPayload } from '../../../../platform/errors/index.ts'
import type { AssetStore } from '../../../../platform/files/asset-store.ts'
import type { Context } from '../../../../platform/http/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type OutboundClient, type OutboundDownload, OutboundError } from '../../../../platform/outbound/index.ts'
import type { Metrics } from '../../../../platform/telemetry/metrics.ts'
import {
  findStorageError,
  ImageRefused,
  type NewFile,
  toCleanFile,
  type UploadSettings,
} from '../../../assets/assets/index.ts'
import { fileNameOf } from '../file-name.ts'
import { discardFiles } from './image-files.ts'
import { IMAGE_HEAD_BYTES, imageType } from './image-type.ts'

export interface ImageSettings extends UploadSettings {
  outbound: OutboundClient
  downloads: ImageDownloads
}

const MIB = 1024 * 1024
const IMAGE_BYTES_MAX = 15 * MIB
const DOWNLOAD_MS_MAX = 10 * SECOND_MS
const PER_ORGANISATION_MAX = 4

const QUEUE_LIMITS = {
  runningMax: 16,
  runningPerKeyMax: PER_ORGANISATION_MAX,
  waitingPerKeyMax: 100,
  // Longer than several downloads, so that a queue of slow hosts moves in the meantime.
  waitMsMax: 30 * SECOND_MS,
}
/** Shared by all downloads of an organisation. Four images of 15 MiB then take a third of the time that they may take. */
const BYTES_PER_SECOND = 16 * MIB
/** One request may have 20 images of 15 MiB. */
const UNWRITTEN_LIMITS = { bytesMax: 1536 * MIB, bytesPerKeyMax: 384 * MIB }

const REQUEST = {
  method: 'GET',
  headers: { accept: 'image/jpeg, image/png, image/webp, image/gif', 'user-agent': 'Waymark' },
  timeoutMs: DOWNLOAD_MS_MAX,
  bodyBytesMax: IMAGE_BYTES_MAX,
} as const

/** What the downloads of all organisations share. */
export interface ImageDownloads {
  readonly queue: FairQueue
  /** Bytes of files that are on disk or arriving, and not in the store yet. */
  readonly unwritten: ByteBudget
  readonly pace: BytePace
}

export function createImageDownloads(metrics?: Metrics): ImageDownloads {
  const queue = new FairQueue(QUEUE_LIMITS)
  const unwritten = new ByteBudget(UNWRITTEN_LIMITS)
  metrics?.watchQueue('image_downloads', queue)
  metrics?.watchBudget('image_downloads', unwritten)
  return { queue, unwritten, pace: new BytePace(BYTES_PER_SECOND) }
}

/**
 * Downloads images, several at a time, so that they can be public. Returns for each URL its file, or why it failed. Throws
 * `QueueFull` if too many are downloaded or drawn, and then keeps no file.
 */
export async function fetchImages(
  ctx: Context,
  urls: readonly string[],
  settings: ImageSettings,
): Promise<(NewFile | Error)[]> {
  if (urls.length === 0) return []
  const storageError = await findStorageError(ctx.read, ctx.orgId, settings, 'url')
  if (storageError !== undefined) return urls.map(() => storageError)
  const outcomes: (NewFile | Error)[] = []
  const refused = new AbortController()
  const signal = AbortSignal.any([ctx.signal, refused.signal])
  const remaining = urls.entries()
  const work = async () => {
    for (const [n, url] of remaining) {
      outcomes[n] = await fetchImage(ctx.orgId, url, signal, settings).catch((error) => {
        if (error instanceof QueueFull) refused.abort(error)
        return error
      })
    }
  }
  await Promise.all(Array.from({ length: PER_ORGANISATION_MAX }, work))
  if (!signal.aborted) return outcomes
  await discardFiles(ctx, outcomes.filter(isFile), settings)
  if (refused.signal.aborted) settings.metrics?.refused.inc({ limit: 'image_downloads' })
  throw signal.reason
}

export const isFile = (outcome: NewFile | Error): outcome is NewFile => !(outcome instanceof Error)

function fetchImage(orgId: OrgId, url: string, signal: AbortSignal, settings: ImageSettings): Promise<NewFile> {
  const { outbound, store } = settings
  const { queue, unwritten, pace } = settings.downloads
  const download = async (): Promise<NewFile> => {
    if (!unwritten.tryTake(orgId, IMAGE_BYTES_MAX)) throw new QueueFull('too many files are not written yet')
    let keptBytes = 0
    try {
      const fetched = await outbound
        .download(url, REQUEST, (body) => stageImage(url, body, store, (bytes) => pace.move(orgId, bytes)))
        .catch(throwApiError)
      const file = await toPublicImage(orgId, fetched, settings)
      keptBytes = file.staged.sizeBytes
      return file
    } finally {
      unwritten.release(orgId, IMAGE_BYTES_MAX - keptBytes)
    }
  }
  return queue.run(orgId, download, signal)
}

async function stageImage(
  url: string,
  { status, body }: OutboundDownload,
  store: AssetStore,
  rest: (bytes: number) => Promise<void>,
): Promise<NewFile> {
  if (status !== 200) throw unusable('status', `The host responded with status ${status}`)
  const head = await readHead(body)
  const type = imageType(head)
  if (type === undefined) throw unusable('not_an_image', 'This is not a JPEG, PNG, WebP or GIF image')
  return { staged: await store.stage(joined(head, body, rest)), ...type, fileName: fileNameOf(url, type.extension) }
}

/**
 * Returns the image, drawn anew if it has metadata. It keeps its place among the downloads meanwhile, so that an
 * organisation never has more than a few images waiting to be drawn.
 */
async function toPublicImage(orgId: OrgId, fetched: NewFile, settings: ImageSettings): Promise<NewFile> {
  let image: NewFile | undefined
  try {
    image = await toCleanFile(orgId, fetched, settings)
    return image
  } catch (error) {
    throw error instanceof ImageRefused ? unusable(error.problem, error.message) : error
  } finally {
    if (image !== fetched) await fetched.staged.discard()
  }
}

async function readHead(body: OutboundDownload['body']): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < IMAGE_HEAD_BYTES) {
    const { value, done } = await body.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  return head
}

async function* joined(
  head: Buffer,
  body: AsyncIterable<Buffer>,
  rest: (bytes: number) => Promise<void>,
): AsyncGenerator<Buffer, void> {
  yield head
  for await (const chunk of body) {
    yield chunk
    await rest(chunk.length)
  }
}

/** Must be one error: with two, a caller could find out which names exist in our network. */
const UNREACHABLE: readonly string[] = ['refused_address', 'dns', 'connect'] satisfies OutboundError['kind'][]

function throwApiError(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  if (error.kind === 'refused_url') throw invalidPayload({ url: [error.message] })
  if (UNREACHABLE.includes(error.kind)) throw unusable('unreachable', 'The host could not be reached')
  const message = error.kind === 'too_large' ? 'The file is larger than 15 MiB' : error.message
  throw unusable(error.kind, message)
}

const unusable = (reason: string, message: string): ApiError =>
  new ApiError('unprocessable', `url: ${message}.`, { details: { field: 'url', reason } })
