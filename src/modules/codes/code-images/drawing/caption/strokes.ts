import { STROKE, stepsOf } from './glyphs.ts'
import type { Caption, PlacedGlyph } from './layout.ts'

/** Straight pieces of a curve: enough that the corners between them stay invisible at the largest size. */
const CURVE_PIECES = 8

type Segment = [fromX: number, fromY: number, toX: number, toY: number]

/** Calls `darken` for every pixel that the strokes touch, with the share of the pixel that they cover. */
export function drawStrokes({ glyphs, unit }: Caption, darken: (x: number, y: number, coverage: number) => void): void {
  // A stroke thinner than a pixel would be pale.
  const radius = Math.max(1, STROKE * unit) / 2
  for (const placed of glyphs) {
    for (const segment of segmentsOf(placed, unit)) drawSegment(segment, radius, darken)
  }
}

function segmentsOf({ glyph, x, y }: PlacedGlyph, unit: number): Segment[] {
  const segments: Segment[] = []
  let [penX, penY] = [0, 0]
  const lineTo = (toX: number, toY: number): void => {
    segments.push([x + penX * unit, y + penY * unit, x + toX * unit, y + toY * unit])
    penX = toX
    penY = toY
  }
  for (const { pen, points } of stepsOf(glyph)) {
    if (pen === 'Q') {
      const [fromX, fromY] = [penX, penY]
      const [controlX, controlY, toX, toY] = points
      for (let piece = 1; piece <= CURVE_PIECES; piece++) {
        const t = piece / CURVE_PIECES
        const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
        lineTo(a * fromX + b * controlX + c * toX, a * fromY + b * controlY + c * toY)
      }
    } else if (pen === 'L') lineTo(points[0], points[1])
    else [penX, penY] = points
  }
  return segments
}

function drawSegment(
  [fromX, fromY, toX, toY]: Segment,
  radius: number,
  darken: (x: number, y: number, coverage: number) => void,
): void {
  const deltaX = toX - fromX
  const deltaY = toY - fromY
  const squared = deltaX ** 2 + deltaY ** 2
  const reach = radius + 0.5
  const lastX = Math.max(fromX, toX) + reach
  const lastY = Math.max(fromY, toY) + reach
  for (let y = Math.floor(Math.min(fromY, toY) - reach); y <= lastY; y++) {
    const centreY = y + 0.5 - fromY
    for (let x = Math.floor(Math.min(fromX, toX) - reach); x <= lastX; x++) {
      const centreX = x + 0.5 - fromX
      // The point of the segment that is nearest to the centre of the pixel, from 0 at its start to 1 at its end.
      const along = (centreX * deltaX + centreY * deltaY) / squared
      const nearest = along < 0 ? 0 : along > 1 ? 1 : along
      const distance = (centreX - nearest * deltaX) ** 2 + (centreY - nearest * deltaY) ** 2
      if (distance < reach ** 2) darken(x, y, Math.min(1, reach - Math.sqrt(distance)))
    }
  }
}
