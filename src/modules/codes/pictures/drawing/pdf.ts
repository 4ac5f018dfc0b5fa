import { darkRuns, type Modules } from './modules.ts'
import { type Style, toRgb } from './style.ts'

/** One page of rectangles, one point per pixel. It has no date and no id, so the same code gives the same bytes. */
export function drawPdf(modules: Modules, style: Style): Buffer {
  const content = drawContent(modules, style)
  return assemble([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${style.size} ${style.size}]/Resources<<>>/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ])
}

/**
 * PDF coordinates start at the bottom left, in points. The matrix makes them start at the top left, in modules. The
 * dark rectangles are one path with one fill: filled separately, viewers show hairlines where two of them touch.
 */
function drawContent(modules: Modules, { size, margin, dark, light }: Style): string {
  const side = modules.length + 2 * margin
  // PDF numbers have no exponent, and viewers keep no more digits than these.
  const scale = (size / side).toFixed(6)
  const runs = darkRuns(modules).map(({ x, y, width }) => `${x + margin} ${y + margin} ${width} 1 re`)
  return [
    `${toFill(light)} 0 0 ${size} ${size} re f`,
    `${scale} 0 0 -${scale} 0 ${size} cm`,
    toFill(dark),
    ...runs,
    'f',
  ].join('\n')
}

const toFill = (colour: string): string => `${[...toRgb(colour)].map((part) => (part / 255).toFixed(3)).join(' ')} rg`

/** Builds the file around the objects. It is all ASCII, so that a character count is a byte count. */
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
