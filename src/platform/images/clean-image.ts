import type { Metadata, Sharp } from 'sharp'
import { FairQueue } from '../bounded/index.ts'
import { SECOND_MS } from '../clock/index.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { ImageTooLarge, LazySharp, readImage } from './lazy-sharp.ts'

/** An image that we have drawn anew. It has no metadata: no location, no camera, no comments. */
export interface CleanImage {
  bytes: Buffer
  mediaType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  extension: 'jpg' | 'png' | 'webp' | 'gif'
  width: number
  height: number
}

const SIDE_PIXELS_MAX = 4096
/** The largest photos of common phones. Decoding takes up to 6 bytes of memory for each pixel, and a bomb has billions. */
export const PIXELS_MAX = 52_000_000
/** Counts all frames together. Writing an animation takes much longer than a photo. */
const ANIMATION_PIXELS_MAX = 16_000_000
const FRAMES_MAX = 200
const TIMEOUT_SECONDS = 20

/**
 * Two images at once, and one of an organisation: each can take 300 MB of memory and a whole core. An organisation with many
 * photos leaves that core to others half of the time.
 */
const QUEUE_LIMITS = {
  runningMax: 2,
  runningPerKeyMax: 1,
  restAfterMs: 50,
  waitingPerKeyMax: 20,
  waitMsMax: 20 * SECOND_MS,
}

/** Draws images anew, so that nothing is left of a file but what can be seen. */
export class ImageCleaner {
  readonly #queue = new FairQueue(QUEUE_LIMITS)
  readonly #sharp = new LazySharp()

  constructor(metrics?: Metrics) {
    metrics?.watchQueue('images', this.#queue)
    this.#queue.onRefused = () => metrics?.refused.inc({ limit: 'images' })
  }

  /** Whether a further image of this key would be refused. */
  isFull(key: string): boolean {
    return this.#queue.isFull(key)
  }

  /**
   * Reads a file, or the bytes of one. Throws `UnreadableImage` or `ImageTooLarge`, and `QueueFull` if the key
   * (organisation) has too many images waiting.
   */
  clean(key: string, source: string | Buffer): Promise<CleanImage> {
    return this.#queue.run(key, async () => {
      const sharp = await this.#sharp.load()
      return draw((options) => sharp(source, options))
    })
  }
}

type Open = (options: { limitInputPixels: number; failOn: 'error'; animated?: boolean }) => Sharp

async function draw(open: Open): Promise<CleanImage> {
  const metadata = await readImage(() => open({ limitInputPixels: PIXELS_MAX, failOn: 'error' }).metadata())
  const { width, height, pages: frames = 1 } = metadata
  const format = formatOf(metadata)
  const isAnimated = frames > 1 && (format === 'gif' || format === 'webp')
  // `height` is that of one frame.
  const framePixels = width * height
  if (framePixels > PIXELS_MAX) throw new ImageTooLarge()
  if (isAnimated && (frames > FRAMES_MAX || framePixels * frames > ANIMATION_PIXELS_MAX)) throw new ImageTooLarge()
  const image = open({ limitInputPixels: PIXELS_MAX, failOn: 'error', animated: isAnimated })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: SIDE_PIXELS_MAX, height: SIDE_PIXELS_MAX, fit: 'inside', withoutEnlargement: true })
  const { data, info } = await readImage(() => encode(image, format).toBuffer({ resolveWithObject: true }))
  return {
    bytes: data,
    mediaType: `image/${format}`,
    extension: format === 'jpeg' ? 'jpg' : format,
    width: info.width,
    height: info.pageHeight ?? info.height,
  }
}

type Format = 'jpeg' | 'png' | 'webp' | 'gif'

/** Writing AVIF takes many seconds, so those images become what every program can show. */
function formatOf({ format, hasAlpha }: Metadata): Format {
  if (format === 'jpeg' || format === 'png' || format === 'webp' || format === 'gif') return format
  return hasAlpha ? 'png' : 'jpeg'
}

function encode(image: Sharp, format: Format): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 85 })
    case 'png':
      return image.png({ compressionLevel: 6 })
    case 'webp':
      return image.webp({ quality: 85, effort: 2 })
    case 'gif':
      return image.gif({ effort: 3 })
  }
}
