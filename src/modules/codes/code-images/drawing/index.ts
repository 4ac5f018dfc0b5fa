import type { CaptionElements, CaptionText } from './caption/layout.ts'
import { encodeDataMatrix } from './data-matrix/index.ts'
import { isReadable } from './is-readable.ts'
import { type DrawnLogo, makeRoom, type PlacedLogo } from './logo.ts'
import { encodeModules, type Modules } from './modules.ts'
import { drawPdf } from './pdf.ts'
import { drawPng, placeLogo } from './png.ts'
import type { Style } from './style.ts'
import { drawSvg, drawSvgWithCaption } from './svg.ts'

export { withoutGlyph } from './caption/glyphs.ts'
export { type CaptionElements, maxCapitalHeight } from './caption/layout.ts'
export type { DrawnLogo } from './logo.ts'
export { PictureTooSmall } from './png.ts'
export { TRANSPARENT } from './style.ts'
export { TextTooLong } from './text-too-long.ts'

export type PictureFormat = 'svg' | 'png' | 'pdf'

export type PictureSymbol = 'qr' | 'datamatrix'

/** Options left out have their default. The values are not validated here. A Data Matrix ignores `ecl` and `logo`. */
export type PictureOptions = { [Key in keyof Style]?: Style[Key] | undefined } & {
  /** Replaces `size`. A PNG has `dpi` dots per inch. */
  sizeMm?: number | undefined
  symbol?: PictureSymbol | undefined
  /** A text beneath the code. It makes the image higher than wide. */
  caption?: CaptionElements | undefined
  /** A picture in the middle. It raises `ecl` to H. */
  logo?: DrawnLogo | undefined
}

/** The code cannot be read with its logo. */
export class UnreadableCode extends Error {}

/** The space that scanners need around a symbol, in modules. */
const QUIET_ZONES: Record<PictureSymbol, number> = { qr: 4, datamatrix: 1 }

const MM_PER_INCH = 25.4
const POINTS_PER_INCH = 72
const DPI = 300

/** Draws a text as SVG markup for a page. `label` is read to people who cannot see the code. */
export const drawForPage = (text: string, label: string, size: number): string =>
  drawSvg(label, encodeModules(text, 'M'), { size, margin: 4, ecl: 'M', dark: '#000000', light: '#ffffff' }).toString()

/** The size of an image in the units of its format: pixels, points, or tenths of a millimetre. */
export function sizeIn(format: PictureFormat, { size = 512, sizeMm, dpi = DPI }: PictureOptions): number {
  if (sizeMm === undefined) return size
  if (format === 'svg') return sizeMm * 10
  const inches = sizeMm / MM_PER_INCH
  return format === 'png' ? Math.round(inches * dpi) : Number((inches * POINTS_PER_INCH).toFixed(3))
}

/**
 * Draws a text, usually a short URL, as the image of a QR code or Data Matrix. The same arguments give the same bytes. Only
 * a PNG can be too small (`PictureTooSmall`); the other formats are vector graphics. Throws `TextTooLong` for a text that no
 * symbol holds, and `UnreadableCode` if the code cannot be read with its logo.
 *
 * A PNG leaves the place of the logo empty, because it has few colours: see `logoPlace`.
 */
export function drawCode(text: string, format: PictureFormat, options: PictureOptions = {}): Buffer {
  const { symbol = 'qr', logo } = options
  const style = toStyle(format, options)
  const { modules, box } = encode(text, style, options)
  if (logo && box && !isReadable(text, modules, logo, box, style)) throw new UnreadableCode()
  const caption = options.caption && { ...options.caption, quietZone: QUIET_ZONES[symbol] }
  const drawnLogo = logo && box && { ...logo, box }
  if (format === 'svg') return toSvg(text, modules, style, caption, drawnLogo)
  return format === 'png' ? drawPng(modules, style, caption) : drawPdf(modules, style, caption, drawnLogo)
}

/** Where a PNG of the code has room for its logo, in pixels. */
export function logoPlace(text: string, options: PictureOptions): { left: number; top: number; side: number } {
  const style = toStyle('png', options)
  const { modules, box } = encode(text, style, options)
  if (box === undefined) throw new Error('The code has no room for a logo.')
  return placeLogo(modules, style, box)
}

function toStyle(format: PictureFormat, options: PictureOptions): Style {
  const { margin = 4, ecl = 'M', dark = '#000000', light = '#ffffff', dpi = DPI, sizeMm, logo } = options
  const size = sizeIn(format, options)
  return { size, margin, ecl: logo ? 'H' : ecl, dark, light, ...(sizeMm !== undefined && { dpi }) }
}

function encode(text: string, { ecl }: Style, { symbol = 'qr', logo }: PictureOptions) {
  if (symbol === 'datamatrix') return { modules: encodeDataMatrix(text), box: undefined }
  const modules = encodeModules(text, ecl)
  return logo ? makeRoom(modules) : { modules, box: undefined }
}

const toSvg = (
  text: string,
  modules: Modules,
  style: Style,
  caption: CaptionText | undefined,
  logo: PlacedLogo | undefined,
): Buffer => (caption ? drawSvgWithCaption(text, modules, style, caption, logo) : drawSvg(text, modules, style, logo))
