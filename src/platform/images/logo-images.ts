import { FairQueue } from '../bounded/index.ts'
import { SECOND_MS } from '../clock/index.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { LazySharp, readImage } from './lazy-sharp.ts'

/** One at a time: drawing takes up to 100 ms of a core. */
const QUEUE_LIMITS = { runningMax: 1, restAfterMs: 10, waitingPerKeyMax: 20, waitMsMax: 10 * SECOND_MS }

/** A logo for a base of 4,096 × 4,096 pixels needs no more. */
const PIXELS_MAX = 17_000_000

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/** Fits logos into squares and puts them on other images. Organisations take turns. */
export class LogoImages {
  readonly #queue = new FairQueue(QUEUE_LIMITS)
  readonly #sharp = new LazySharp()

  constructor(metrics: Metrics) {
    metrics.watchQueue('logos', this.#queue)
    this.#queue.onRefused = () => metrics.refused.inc({ limit: 'logos' })
  }

  /**
   * Fits an image into a square, transparent at its sides, as pixels of red, green, blue and alpha and as a PNG. Throws
   * `UnreadableImage`, `ImageTooLarge` or `QueueFull`.
   */
  fit(key: string, source: Buffer, side: number): Promise<{ side: number; pixels: Buffer; png: Buffer }> {
    return this.#queue.run(key, async () => {
      const sharp = await this.#sharp.load()
      const pixels = await readImage(() =>
        sharp(source, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
          .autoOrient()
          .resize({ width: side, height: side, fit: 'contain', background: TRANSPARENT })
          .toColourspace('srgb')
          .ensureAlpha()
          .raw()
          .toBuffer(),
      )
      const png = await sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
        .png()
        .toBuffer()
      return { side, pixels, png }
    })
  }

  /** Puts a square logo on a PNG. `dpi` is its resolution, if it has one. */
  putOn(
    key: string,
    png: Buffer,
    logo: Buffer,
    { left, top, side }: { left: number; top: number; side: number },
    dpi: number | undefined,
  ): Promise<Buffer> {
    return this.#queue.run(key, async () => {
      const sharp = await this.#sharp.load()
      const input = await sharp(logo).resize(side, side).toBuffer()
      const drawn = sharp(png).composite([{ input, left, top }]).png({ compressionLevel: 6 })
      return (dpi === undefined ? drawn : drawn.withMetadata({ density: dpi })).toBuffer()
    })
  }
}
