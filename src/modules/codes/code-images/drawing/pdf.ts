import { deflateSync } from 'node:zlib'
import { STROKE, stepsOf } from './caption/glyphs.ts'
import { type CaptionText, layOutCaption, type PlacedGlyph } from './caption/layout.ts'
import type { PlacedLogo } from './logo.ts'
import { darkRuns, type Modules } from './modules.ts'
import { type Style, TRANSPARENT, toRgb } from './style.ts'

/** One page of rectangles, one point per pixel. It has no date and no id, so the same code gives the same bytes. */
export function drawPdf(modules: Modules, style: Style, caption?: CaptionText, logo?: PlacedLogo): Buffer {
  const { size, margin } = style
  const gap = Math.max(0, (caption?.quietZone ?? 0) - margin) * (size / (modules.length + 2 * margin))
  const text = caption && layOutCaption(caption, size, size + gap, { inPixels: false })
  const height = text?.height ?? size
  const letters = text?.glyphs.map((glyph) => drawGlyph(glyph, text.unit, height)) ?? []
  const content = drawContent(modules, style, height, letters, logo)
  return assemble([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size} ${height}]/Resources<<${logo ? '/XObject<</Logo 5 0 R>>' : ''}>>/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    ...(logo ? drawLogo(logo) : []),
  ])
}

/** The colours of the logo (object 5), and how opaque it is (object 6). */
function drawLogo({ side, pixels }: PlacedLogo): string[] {
  const parts = (from: number, to: number) => Buffer.from(pixels.filter((_, n) => n % 4 >= from && n % 4 < to))
  const image = (colours: string, data: Buffer, more = '') => {
    const stream = deflateSync(data).toString('latin1')
    const form = `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/${colours}/BitsPerComponent 8`
    return `<<${form}/Filter/FlateDecode/Length ${stream.length}${more}>>\nstream\n${stream}\nendstream`
  }
  return [image('DeviceRGB', parts(0, 3), '/SMask 6 0 R'), image('DeviceGray', parts(3, 4))]
}

/**
 * PDF coordinates start at the bottom left, in points. The matrix makes them start at the top left, in modules. The
 * dark rectangles are one path with one fill: filled separately, viewers show hairlines where two of them touch.
 */
function drawContent(
  modules: Modules,
  { size, margin, dark, light }: Style,
  height: number,
  letters: readonly string[],
  logo: PlacedLogo | undefined,
): string {
  const side = modules.length + 2 * margin
  // PDF numbers have no exponent, and viewers keep no more digits than these.
  const scale = (size / side).toFixed(6)
  const runs = darkRuns(modules).map(({ x, y, width }) => `${x + margin} ${y + margin} ${width} 1 re`)
  return [
    ...(light === TRANSPARENT ? [] : [`${toColour(light)} rg 0 0 ${size} ${height} re f`]),
    // Lines with round ends and corners.
    ...(letters.length > 0 ? [`${toColour(dark)} RG 1 J 1 j ${STROKE} w`, ...letters] : []),
    `${scale} 0 0 -${scale} 0 ${height} cm`,
    `${toColour(dark)} rg`,
    ...runs,
    'f',
    ...(logo ? [placeLogo(logo, margin)] : []),
  ].join('\n')
}

/** Images are drawn upwards into a square of one unit, and the matrix has turned the page. */
const placeLogo = ({ box: { at, side } }: PlacedLogo, margin: number): string =>
  `q ${side} 0 0 -${side} ${margin + at} ${margin + at + side} cm /Logo Do Q`

const toColour = (colour: string): string => [...toRgb(colour)].map((part) => (part / 255).toFixed(3)).join(' ')

/** PDF has only cubic curves: their control points lie two thirds of the way to the one of a quadratic curve. */
function drawGlyph({ glyph, x, y }: PlacedGlyph, unit: number, height: number): string {
  const scale = unit.toFixed(6)
  let [penX, penY] = [0, 0]
  const steps = stepsOf(glyph).map(({ pen, points }) => {
    const [endX = 0, endY = 0] = points.slice(-2)
    const [aX, aY] = [penX, penY]
    penX = endX
    penY = endY
    if (pen !== 'Q') return `${endX} ${endY} ${pen === 'M' ? 'm' : 'l'}`
    const [controlX, controlY] = points
    const third = (from: number, to: number): string => (from + (2 / 3) * (to - from)).toFixed(3)
    const first = `${third(aX, controlX)} ${third(aY, controlY)}`
    return `${first} ${third(endX, controlX)} ${third(endY, controlY)} ${endX} ${endY} c`
  })
  return `q ${scale} 0 0 -${scale} ${x.toFixed(3)} ${(height - y).toFixed(3)} cm ${steps.join(' ')} S Q`
}

/** Builds the file around the objects. Every character is one byte, so that a character count is a byte count. */
function assemble(objects: string[]): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const count = objects.length + 1
  // Every line of the table must be 20 bytes long, including its two-byte end: viewers compute the offsets.
  const table = ['0000000000 65535 f \n', ...offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)]
  const trailer = `trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${count}\n${table.join('')}${trailer}`, 'latin1')
}
