import { glyphOf } from './glyphs.ts'

/** The default width in units of the glyphs: the longest element, 25 characters, fits into a line. */
const WIDTH_UNITS = 168
/** Distance from one character to the next. */
const ADVANCE = 6
/** Distance from one line to the next. A multiple of `ADVANCE`, so that both are whole pixels. */
const LINE_HEIGHT = 12
const CAPITAL_WIDTH = 4
const CAPITAL_HEIGHT = 6
const DESCENDER = 8
/** Space at both sides of a line, and above and below the caption. */
const SIDE_PAD = 2
const TOP_PAD = 3
const BOTTOM_PAD = 4

export interface Caption {
  /** The size of a unit of the glyphs. */
  unit: number
  glyphs: PlacedGlyph[]
  /** The height of the whole image: the code, the caption and the space around it. */
  height: number
}

export interface PlacedGlyph {
  glyph: string
  x: number
  y: number
}

/** The text beneath a code. */
export interface CaptionElements {
  /** Such as `(01) 09506000134352` and `(10) ABC123`, or the words of a sentence. */
  elements: readonly string[]
  /** What separates two elements in one line. */
  gap: ' ' | '  '
  /** The height of capital letters, as a part of the width. Left out, 25 characters fit into a line. */
  capitalHeight?: number | undefined
}

export interface CaptionText extends CaptionElements {
  /** The space, in modules, that scanners need between the code and the text. */
  quietZone: number
}

/** The width that the longest value needs if a unit is one pixel. */
export const minCaptionWidth = (elements: readonly string[]): number =>
  Math.max(...elements.flatMap((element) => element.split(' ')).map((word) => word.length)) * ADVANCE + 2 * SIDE_PAD

/** The largest `capitalHeight` with which every value fits into a line. */
export const maxCapitalHeight = (elements: readonly string[]): number => CAPITAL_HEIGHT / minCaptionWidth(elements)

/**
 * Places the elements of a caption in centred lines below `top`. An element such as `(10) ABC123` is broken only between its
 * AI and its value, never within a value: a reader could not tell where it ends.
 *
 * In pixels a unit is at least one pixel, so the width must be at least `minCaptionWidth`. All characters then start at the
 * centre of a pixel, which keeps small text sharp.
 */
export function layOutCaption(
  { elements, gap, capitalHeight = CAPITAL_HEIGHT / WIDTH_UNITS }: CaptionElements,
  width: number,
  top: number,
  { inPixels }: { inPixels: boolean },
): Caption {
  const exact = (width * capitalHeight) / CAPITAL_HEIGHT
  const unit = inPixels ? Math.max(1, Math.floor(exact * ADVANCE) / ADVANCE) : exact
  const snap = (at: number): number => (inPixels ? Math.round(at - 0.5) + 0.5 : at)
  const columns = Math.floor((width / unit - 2 * SIDE_PAD) / ADVANCE)
  const lines = toLines(elements, gap, columns)
  const first = snap(top + TOP_PAD * unit)
  return {
    unit,
    glyphs: lines.flatMap((line, row) => {
      const length = (line.length - 1) * ADVANCE + CAPITAL_WIDTH
      const start = snap((width - length * unit) / 2)
      return Array.from(line, (character, column) => ({
        glyph: glyphOf(character),
        x: start + column * ADVANCE * unit,
        y: first + row * LINE_HEIGHT * unit,
      })).filter(({ glyph }) => glyph !== '')
    }),
    height: Math.ceil(first + ((lines.length - 1) * LINE_HEIGHT + DESCENDER + BOTTOM_PAD) * unit),
  }
}

function toLines(elements: readonly string[], gap: string, columns: number): string[] {
  const lines: string[] = []
  for (const element of elements) {
    const joined = `${lines.at(-1)}${gap}${element}`
    if (element.length > columns) lines.push(...element.split(' '))
    else if (lines.length > 0 && joined.length <= columns) lines.splice(-1, 1, joined)
    else lines.push(element)
  }
  return lines
}
