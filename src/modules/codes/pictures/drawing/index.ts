import type { CaptionText } from './caption/layout.ts'
import { encodeDataMatrix } from './data-matrix/index.ts'
import { encodeModules, type Modules } from './modules.ts'
import { drawPdf } from './pdf.ts'
import { drawPng } from './png.ts'
import type { Style } from './style.ts'
import { drawSvg, drawSvgWithCaption } from './svg.ts'

export { PictureTooSmall } from './png.ts'
export { TextTooLong } from './text-too-long.ts'

export type PictureFormat = 'svg' | 'png' | 'pdf'

export type PictureSymbol = 'qr' | 'datamatrix'

/** Options left out have their default. The values are not validated here. A Data Matrix ignores `ecl`. */
export type PictureOptions = { [Key in keyof Style]?: Style[Key] | undefined } & {
  symbol?: PictureSymbol | undefined
  /** The elements of a text beneath the code. It makes the image higher than wide. */
  caption?: readonly string[] | undefined
}

/** The space that scanners need around a symbol, in modules. */
const QUIET_ZONES: Record<PictureSymbol, number> = { qr: 4, datamatrix: 1 }

/** Draws a text as SVG markup for a page. `label` is read to people who cannot see the code. */
export const drawForPage = (text: string, label: string, size: number): string =>
  drawSvg(label, encodeModules(text, 'M'), { size, margin: 4, ecl: 'M', dark: '#000000', light: '#ffffff' }).toString()

/**
 * Draws a text, usually a short URL, as the image of a QR code or Data Matrix. The same arguments give the same bytes. Only
 * a PNG can be too small (`PictureTooSmall`); the other formats are vector graphics. Throws `TextTooLong` for a text that no
 * symbol holds.
 */
export function drawCode(text: string, format: PictureFormat, options: PictureOptions = {}): Buffer {
  const { size = 512, margin = 4, ecl = 'M', dark = '#000000', light = '#ffffff', symbol = 'qr' } = options
  const style = { size, margin, ecl, dark, light }
  const modules = symbol === 'qr' ? encodeModules(text, ecl) : encodeDataMatrix(text)
  const caption = options.caption && { elements: options.caption, quietZone: QUIET_ZONES[symbol] }
  if (format === 'svg') return toSvg(text, modules, style, caption)
  return format === 'png' ? drawPng(modules, style, caption) : drawPdf(modules, style, caption)
}

const toSvg = (text: string, modules: Modules, style: Style, caption: CaptionText | undefined): Buffer =>
  caption ? drawSvgWithCaption(text, modules, style, caption) : drawSvg(text, modules, style)
