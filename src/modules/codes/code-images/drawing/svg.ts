import { STROKE } from './caption/glyphs.ts'
import { type CaptionText, layOutCaption } from './caption/layout.ts'
import type { PlacedLogo } from './logo.ts'
import { darkRuns, type Modules } from './modules.ts'
import { type Style, TRANSPARENT } from './style.ts'

/** One unit is one module, so that every coordinate is a short integer. */
export function drawSvg(text: string, modules: Modules, style: Style, logo?: PlacedLogo): Buffer {
  const { size, margin, dark } = style
  const side = modules.length + 2 * margin
  const length = toLength(size, style)
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length}" height="${length}" viewBox="0 0 ${side} ${side}"` +
      ` role="img" aria-label="${escapeXml(text)}" shape-rendering="crispEdges">` +
      background(side, side, style) +
      `<path fill="${dark}" d="${toPath(modules, margin)}"/>${toImage(logo, margin)}</svg>\n`,
  )
}

/** One unit is one pixel, because the caption takes its size from the width of the image. */
export function drawSvgWithCaption(
  text: string,
  modules: Modules,
  style: Style,
  caption: CaptionText,
  logo?: PlacedLogo,
): Buffer {
  const { size, margin, dark } = style
  const scale = size / (modules.length + 2 * margin)
  const top = size + Math.max(0, caption.quietZone - margin) * scale
  const { glyphs, unit, height } = layOutCaption(caption, size, top, { inPixels: false })
  const letters = glyphs.map(
    ({ glyph, x, y }) => `<path transform="translate(${round(x)} ${round(y)})scale(${round(unit)})" d="${glyph}"/>`,
  )
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${toLength(size, style)}" height="${toLength(height, style)}"` +
      ` viewBox="0 0 ${size} ${height}" role="img" aria-label="${escapeXml(text)}">` +
      background(size, height, style) +
      `<path fill="${dark}" shape-rendering="crispEdges" transform="scale(${round(scale)})"` +
      ` d="${toPath(modules, margin)}"/>` +
      `<g fill="none" stroke="${dark}" stroke-width="${STROKE}" stroke-linecap="round" stroke-linejoin="round">` +
      `${letters.join('')}</g>${logo ? `<g transform="scale(${round(scale)})">${toImage(logo, margin)}</g>` : ''}</svg>\n`,
  )
}

/** An image with a size in millimetres is drawn in tenths of one. */
const toLength = (units: number, { dpi }: Style): string => (dpi === undefined ? `${units}` : `${units / 10}mm`)

const background = (width: number, height: number, { light }: Style): string =>
  light === TRANSPARENT ? '' : `<rect width="${width}" height="${height}" fill="${light}"/>`

function toImage(logo: PlacedLogo | undefined, margin: number): string {
  if (logo === undefined) return ''
  const { png, box } = logo
  const data = `data:image/png;base64,${png.toString('base64')}`
  const at = margin + box.at
  return `<image x="${at}" y="${at}" width="${box.side}" height="${box.side}" href="${data}"/>`
}

const toPath = (modules: Modules, margin: number): string =>
  darkRuns(modules)
    .map(({ x, y, width }) => `M${x + margin} ${y + margin}h${width}v1H${x + margin}z`)
    .join('')

const round = (value: number): number => Number(value.toFixed(4))

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
