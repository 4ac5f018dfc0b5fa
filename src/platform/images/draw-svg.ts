import { LazySharp, readImage } from './lazy-sharp.ts'

/** Lets the library read SVG while one is drawn. The service itself never does: SVG is a program that draws. */
const SVG_READER = { operation: ['VipsForeignLoadSvg'] }
const WIDTH_MAX = 1600
const DENSITY = 144
const PIXELS_MAX = 40_000_000
const TIMEOUT_SECONDS = 20

const library = new LazySharp()

/**
 * Draws an SVG as a PNG, twice as large as it is meant to be shown, for sharp screens. Only for commands of the operator,
 * which read files of the operator. Nothing outside of the bytes is read: they have no place from which files could be
 * found. Throws `UnreadableImage` or `ImageTooLarge`.
 */
export async function drawSvg(svg: Buffer): Promise<Buffer> {
  const sharp = await library.load()
  sharp.unblock(SVG_READER)
  try {
    return await readImage(() =>
      sharp(svg, { density: DENSITY, limitInputPixels: PIXELS_MAX })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .resize({ width: WIDTH_MAX, withoutEnlargement: true })
        .png({ compressionLevel: 9 })
        .toBuffer(),
    )
  } finally {
    sharp.block(SVG_READER)
  }
}
