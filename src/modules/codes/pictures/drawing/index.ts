import { encodeModules } from './modules.ts'
import { drawPdf } from './pdf.ts'
import { drawPng } from './png.ts'
import type { Style } from './style.ts'
import { drawSvg } from './svg.ts'

export { PictureTooSmall } from './png.ts'

export type PictureFormat = 'svg' | 'png' | 'pdf'

/** Options left out have their default. The values are not validated here. */
export type PictureOptions = { [Key in keyof Style]?: Style[Key] | undefined }

/** Draws a text as SVG markup for a page. `label` is read to people who cannot see the code. */
export const drawForPage = (text: string, label: string, size: number): string =>
  drawSvg(label, encodeModules(text, 'M'), { size, margin: 4, ecl: 'M', dark: '#000000', light: '#ffffff' }).toString()

/**
 * Draws a text, usually a short URL, as a QR code image. The same arguments give the same bytes. Only a PNG can be too
 * small for its code (`PictureTooSmall`); the other formats are vector graphics.
 */
export function drawCode(text: string, format: PictureFormat, options: PictureOptions = {}): Buffer {
  const { size = 512, margin = 4, ecl = 'M', dark = '#000000', light = '#ffffff' } = options
  const style = { size, margin, ecl, dark, light }
  const modules = encodeModules(text, ecl)
  if (format === 'svg') return drawSvg(text, modules, style)
  return format === 'png' ? drawPng(modules, style) : drawPdf(modules, style)
}
