import { STROKE } from './caption/glyphs.ts'
import { type CaptionText, layOutCaption } from './caption/layout.ts'
import { darkRuns, type Modules } from './modules.ts'
import type { Style } from './style.ts'

/** One unit is one module, so that every coordinate is a short integer. */
export function drawSvg(text: string, modules: Modules, { size, margin, dark, light }: Style): Buffer {
  const side = modules.length + 2 * margin
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}"` +
      ` role="img" aria-label="${escapeXml(text)}" shape-rendering="crispEdges">` +
      `<rect width="${side}" height="${side}" fill="${light}"/>` +
      `<path fill="${dark}" d="${toPath(modules, margin)}"/></svg>\n`,
  )
}

/** One unit is one pixel, because the caption takes its size from the width of the image. */
export function drawSvgWithCaption(text: string, modules: Modules, style: Style, caption: CaptionText): Buffer {
  const { size, margin, dark, light } = style
  const scale = size / (modules.length + 2 * margin)
  const top = size + Math.max(0, caption.quietZone - margin) * scale
  const { glyphs, unit, height } = layOutCaption(caption.elements, size, top, { inPixels: false })
  const letters = glyphs.map(
    ({ glyph, x, y }) => `<path transform="translate(${round(x)} ${round(y)})scale(${round(unit)})" d="${glyph}"/>`,
  )
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}" viewBox="0 0 ${size} ${height}"` +
      ` role="img" aria-label="${escapeXml(text)}"><rect width="${size}" height="${height}" fill="${light}"/>` +
      `<path fill="${dark}" shape-rendering="crispEdges" transform="scale(${round(scale)})"` +
      ` d="${toPath(modules, margin)}"/>` +
      `<g fill="none" stroke="${dark}" stroke-width="${STROKE}" stroke-linecap="round" stroke-linejoin="round">` +
      `${letters.join('')}</g></svg>\n`,
  )
}

const toPath = (modules: Modules, margin: number): string =>
  darkRuns(modules)
    .map(({ x, y, width }) => `M${x + margin} ${y + margin}h${width}v1H${x + margin}z`)
    .join('')

const round = (value: number): number => Number(value.toFixed(4))

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
