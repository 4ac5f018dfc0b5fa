import { darkRuns, type Modules } from './modules.ts'
import type { Style } from './style.ts'

/** One unit is one module, so that every coordinate is a short integer. */
export function drawSvg(text: string, modules: Modules, { size, margin, dark, light }: Style): Buffer {
  const side = modules.length + 2 * margin
  const runs = darkRuns(modules).map(({ x, y, width }) => `M${x + margin} ${y + margin}h${width}v1H${x + margin}z`)
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}"` +
      ` role="img" aria-label="${escapeXml(text)}" shape-rendering="crispEdges">` +
      `<rect width="${side}" height="${side}" fill="${light}"/><path fill="${dark}" d="${runs.join('')}"/></svg>\n`,
  )
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
