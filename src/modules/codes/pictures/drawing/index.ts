import { encodeModules } from './modules.ts'
import { drawPdf } from './pdf.ts'
import { drawPng } from './png.ts'
import type { Style } from './style.ts'
import { drawSvg } from './svg.ts'

export { PictureTooSmall } from './png.ts'

export type PictureFormat = 'svg' | 'png' | 'pdf'

/** What is left out has its usual value. Whether a value makes sense is for whoever takes it from a caller to say. */
export type PictureOptions = { [Key in keyof Style]?: Style[Key] | undefined }

/**
 * A text, mostly a short URL, as a picture of its QR code. The same arguments give the same bytes. Only a PNG can
 * be too small for its code (`PictureTooSmall`); the other formats are vectors and scale freely.
 */
export function drawCode(text: string, format: PictureFormat, options: PictureOptions = {}): Buffer {
  const { size = 512, margin = 4, ecl = 'M', dark = '#000000', light = '#ffffff' } = options
  const style = { size, margin, ecl, dark, light }
  const modules = encodeModules(text, ecl)
  if (format === 'svg') return drawSvg(text, modules, style)
  return format === 'png' ? drawPng(modules, style) : drawPdf(modules, style)
}
