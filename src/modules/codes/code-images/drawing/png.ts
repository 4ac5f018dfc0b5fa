import { crc32, deflateSync } from 'node:zlib'
import { type CaptionText, layOutCaption, minCaptionWidth } from './caption/layout.ts'
import { drawStrokes } from './caption/strokes.ts'
import type { LogoBox } from './logo.ts'
import type { Modules } from './modules.ts'
import { type Style, TRANSPARENT, toRgb } from './style.ts'

/** The code has more modules, or its caption needs more pixels, than the image has. */
export class PictureTooSmall extends Error {
  /** The smallest size, in pixels, at which this image can be drawn. */
  readonly minSize: number

  constructor(minSize: number) {
    super(`The code needs at least ${minSize} pixels.`)
    this.name = 'PictureTooSmall'
    this.minSize = minSize
  }
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const PALETTE_COLOURS = 3
/** Each row starts with a byte for its filter: 0 means none. */
const FILTER_BYTES = 1

/**
 * One bit per pixel: 0 is the light colour, 1 the dark one. With a caption it is four bits, so that the edges of letters are
 * smooth: 15 is the dark colour, and the shades lie between.
 */
export function drawPng(modules: Modules, { size, margin, dark, light, dpi }: Style, caption?: CaptionText): Buffer {
  const minSize = Math.max(modules.length, caption ? minCaptionWidth(caption.elements) : 0)
  if (minSize > size) throw new PictureTooSmall(minSize)
  const { scale, start } = place(modules, size, margin)
  const end = start + modules.length * scale
  const text =
    caption && layOutCaption(caption, size, Math.max(size, end + caption.quietZone * scale), { inPixels: true })
  const pixels = new Pixels(size, text?.height ?? size, text ? 4 : 1)
  drawModules(pixels, modules, scale, start)
  if (text) drawStrokes(text, (x, y, coverage) => pixels.darken(x, y, coverage))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels.width, 0)
  header.writeUInt32BE(pixels.height, 4)
  header[8] = pixels.depth
  header[9] = PALETTE_COLOURS
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(dpi === undefined ? [] : [chunk('pHYs', toDensity(dpi))]),
    chunk('PLTE', toPalette(light === TRANSPARENT ? dark : light, dark, pixels.lastShade)),
    ...(light === TRANSPARENT ? [chunk('tRNS', toOpacities(pixels.lastShade))] : []),
    // With four times the data, a higher level would take most of the time, to save a fifth.
    chunk('IDAT', deflateSync(pixels.rows, { level: text ? 3 : 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The rows of the file. Shade 0 is the light colour, the last one the dark colour. */
class Pixels {
  readonly width: number
  readonly height: number
  /** Bits per pixel. */
  readonly depth: 1 | 4
  readonly lastShade: number
  readonly rows: Buffer
  readonly rowBytes: number

  constructor(width: number, height: number, depth: 1 | 4) {
    this.width = width
    this.height = height
    this.depth = depth
    this.lastShade = 2 ** depth - 1
    this.rowBytes = FILTER_BYTES + Math.ceil((width * depth) / 8)
    this.rows = Buffer.alloc(this.rowBytes * height)
  }

  /** Gives a pixel at least this share of the dark colour, from 0 to 1. */
  darken(x: number, y: number, coverage: number): void {
    const bit = x * this.depth
    const at = y * this.rowBytes + FILTER_BYTES + (bit >> 3)
    const shift = 8 - this.depth - (bit & 7)
    const byte = this.rows[at] ?? 0
    const before = (byte >> shift) & this.lastShade
    const shade = Math.round(coverage * this.lastShade)
    if (shade > before) this.rows[at] = byte + ((shade - before) << shift)
  }

  /** Repeats a row in the next ones, so that there are `count` of it. */
  repeatRow(y: number, count: number): void {
    const first = y * this.rowBytes
    for (let n = 1; n < count; n++) this.rows.copyWithin(first + n * this.rowBytes, first, first + this.rowBytes)
  }
}

function toPalette(light: string, dark: string, lastShade: number): Buffer {
  const [from, to] = [toRgb(light), toRgb(dark)]
  const shades = Array.from({ length: lastShade + 1 }, (_, shade) =>
    from.map((part, n) => Math.round(part + (((to[n] ?? 0) - part) * shade) / lastShade)),
  )
  return Buffer.concat(shades)
}

/** Shade 0 is transparent, the last one opaque. */
const toOpacities = (lastShade: number): Buffer =>
  Buffer.from(Array.from({ length: lastShade + 1 }, (_, shade) => Math.round((shade / lastShade) * 255)))

/** Pixels per metre in both directions, and the number that says that it is metres. */
function toDensity(dpi: number): Buffer {
  const data = Buffer.alloc(9)
  data.writeUInt32BE(Math.round(dpi / 0.0254), 0)
  data.writeUInt32BE(Math.round(dpi / 0.0254), 4)
  data[8] = 1
  return data
}

/** The pixels of a logo. */
export function placeLogo(modules: Modules, { size, margin }: Style, box: LogoBox) {
  const { scale, start } = place(modules, size, margin)
  const at = Math.round(start + box.at * scale)
  return { left: at, top: at, side: Math.max(1, Math.round(box.side * scale)) }
}

/**
 * Every module has the same whole number of pixels: cheap scanners fail on modules of unequal width. Remaining pixels
 * widen the margin. If one pixel per module leaves no room for the requested margin, the margin shrinks: a narrow margin
 * is often still readable, a truncated code never is.
 */
function place(modules: Modules, size: number, margin: number): { scale: number; start: number } {
  const scale = Math.max(1, Math.floor(size / (modules.length + 2 * margin)))
  return { scale, start: Math.floor((size - modules.length * scale) / 2) }
}

function drawModules(pixels: Pixels, modules: Modules, scale: number, start: number): void {
  for (const [row, line] of modules.entries()) {
    const y = start + row * scale
    for (const [column, isDark] of line.entries()) {
      if (!isDark) continue
      for (let x = start + column * scale; x < start + (column + 1) * scale; x++) pixels.darken(x, y, 1)
    }
    pixels.repeatRow(y, scale)
  }
}

/** A chunk is length, name, data, and a checksum over name and data. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
