import { crc32, deflateSync } from 'node:zlib'
import type { Modules } from './modules.ts'
import { type Style, toRgb } from './style.ts'

/** The code has more modules than the image has pixels. */
export class PictureTooSmall extends Error {
  /** The smallest size, in pixels, at which this code can be drawn. */
  readonly minSize: number

  constructor(minSize: number) {
    super(`The code needs at least ${minSize} pixels.`)
    this.name = 'PictureTooSmall'
    this.minSize = minSize
  }
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const BIT_DEPTH = 1
const PALETTE_COLOURS = 3

/** One bit per pixel: 0 is the light colour, 1 the dark one. */
export function drawPng(modules: Modules, { size, margin, dark, light }: Style): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header[8] = BIT_DEPTH
  header[9] = PALETTE_COLOURS
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.concat([toRgb(light), toRgb(dark)])),
    chunk('IDAT', deflateSync(drawRows(modules, size, margin), { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Every module has the same whole number of pixels: cheap scanners fail on modules of unequal width. Remaining pixels
 * widen the margin. If one pixel per module leaves no room for the requested margin, the margin shrinks: a narrow margin
 * is often still readable, a truncated code never is.
 */
function drawRows(modules: Modules, size: number, margin: number): Buffer {
  if (modules.length > size) throw new PictureTooSmall(modules.length)
  const scale = Math.max(1, Math.floor(size / (modules.length + 2 * margin)))
  const start = Math.floor((size - modules.length * scale) / 2)
  // Each row starts with a byte for its filter: 0 means none.
  const rowBytes = 1 + Math.ceil(size / 8)
  const rows = Buffer.alloc(rowBytes * size)
  for (const [y, row] of modules.entries()) {
    const line = Buffer.alloc(rowBytes)
    for (const [x, isDark] of row.entries()) {
      if (!isDark) continue
      for (let pixel = start + x * scale; pixel < start + (x + 1) * scale; pixel++) {
        line[1 + (pixel >> 3)] = (line[1 + (pixel >> 3)] ?? 0) | (0x80 >> (pixel & 7))
      }
    }
    const first = (start + y * scale) * rowBytes
    rows.fill(line, first, first + scale * rowBytes)
  }
  return rows
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
