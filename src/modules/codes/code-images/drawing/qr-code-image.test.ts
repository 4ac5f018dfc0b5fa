import { crc32, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadScanner, readCode } from '../../../../testing/world/scanner.ts'
import { useSvgReader } from '../../../../testing/world/svg-reader.ts'
import { drawCode, logoPlace, type PictureFormat, type PictureOptions, PictureTooSmall, TRANSPARENT } from './index.ts'
import { isReadable } from './is-readable.ts'
import { encodeModules } from './modules.ts'

const SHORT = 'http://localhost:8080/aB3dE5gH'
const DIGITAL_LINK = 'https://go.acme.com/g/acme-industries/01/09506000134352'
const LONG = `${DIGITAL_LINK}/10/LOT-2026-0042/21/${'aB3dE5gH'.repeat(6)}`
const LEVELS = ['L', 'M', 'Q', 'H'] as const
const FORMATS: PictureFormat[] = ['svg', 'png', 'pdf']

/** Rows of pixels or modules; true is dark. */
type Bitmap = boolean[][]
type Pixels = { data: Uint8ClampedArray; width: number; height: number }

beforeAll(loadScanner)
useSvgReader()
afterEach(() => {
  vi.useRealTimers()
})

/** Renders the bitmap on white paper, with a quiet zone. */
function print(bitmap: Bitmap, scale: number): Pixels {
  const edge = 4 * scale
  const side = bitmap.length * scale + 2 * edge
  const paper = new Uint32Array(side * side).fill(0xffffffff)
  for (const [y, row] of bitmap.entries()) {
    for (let line = edge + y * scale; line < edge + (y + 1) * scale; line++) {
      const start = line * side + edge
      for (const [x, isDark] of row.entries()) {
        if (isDark) paper.fill(0xff000000, start + x * scale, start + (x + 1) * scale)
      }
    }
  }
  return { data: new Uint8ClampedArray(paper.buffer), width: side, height: side }
}

interface Drawing {
  bitmap: Bitmap
  size: number
  dark: string
  light: string
}

const toHex = (bytes: Iterable<number>) => `#${Buffer.from([...bytes]).toString('hex')}`

function readPng(png: Buffer): Drawing {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks: Record<string, Buffer> = {}
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)))
    chunks[png.toString('latin1', at + 4, at + 8)] = png.subarray(at + 8, end)
    at = end + 4
  }
  expect(Object.keys(chunks)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
  const { IHDR, PLTE, IDAT } = chunks as Record<string, Buffer>
  const size = IHDR!.readUInt32BE(0)
  expect(IHDR!.readUInt32BE(4)).toBe(size)
  expect([...IHDR!.subarray(8)]).toEqual([1, 3, 0, 0, 0])
  const rows = inflateSync(IDAT!)
  const rowBytes = 1 + Math.ceil(size / 8)
  expect(rows.length).toBe(size * rowBytes)
  const bitmap: Bitmap = []
  for (let y = 0; y < size; y++) {
    const [filter, ...bytes] = rows.subarray(y * rowBytes, (y + 1) * rowBytes)
    if (filter !== 0) throw new Error(`Row ${y} has filter ${filter}`)
    const row = bytes.flatMap((byte) => [128, 64, 32, 16, 8, 4, 2, 1].map((bit) => (byte & bit) !== 0))
    bitmap.push(row.slice(0, size))
  }
  return { bitmap, size, light: toHex(PLTE!.subarray(0, 3)), dark: toHex(PLTE!.subarray(3)) }
}

/** Draws runs of [x, y, width], and throws if two overlap. */
function fill(side: number, runs: number[][]): Bitmap {
  const bitmap = Array.from({ length: side }, () => new Array<boolean>(side).fill(false))
  for (const [x, y, width] of runs as [number, number, number][]) {
    for (let at = x; at < x + width; at++) {
      if (bitmap[y]?.[at] !== false) throw new Error(`Outside the code, or drawn twice, at ${at}, ${y}`)
      bitmap[y]![at] = true
    }
  }
  return bitmap
}

const SVG =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="(\d+)" height="\1" viewBox="0 0 (\d+) \2" role="img" aria-label="([^"<>]*)" shape-rendering="crispEdges"><rect width="\2" height="\2" fill="(#\w{6})"\/><path fill="(#\w{6})" d="((?:M\d+ \d+h\d+v1H\d+z)+)"\/><\/svg>\n$/

function readSvg(svg: Buffer): Drawing & { label: string } {
  const [, size, side, label, light, dark, path] = SVG.exec(svg.toString())!
  const runs = Array.from(path!.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g), ([, x, y, width, back]) => {
    expect(back).toBe(x)
    return [Number(x), Number(y), Number(width)]
  })
  return { bitmap: fill(Number(side), runs), size: Number(size), light: light!, dark: dark!, label: label! }
}

/** Reads the file like a PDF viewer: from its end to the cross-reference table, and from there to each object. */
function readPdf(pdf: Buffer): Drawing {
  const file = pdf.toString('latin1')
  expect(file).toMatch(/^%PDF-1\.4\n/)
  const [, tableAt] = /\nstartxref\n(\d+)\n%%EOF\n$/.exec(file)!
  const [, count, entries] = /^xref\n0 (\d+)\n((?:\d{10} \d{5} [nf] \n)+)trailer\n/.exec(file.slice(Number(tableAt)))!
  const [free, ...used] = entries!.match(/.{19}\n/g)!
  expect(free).toBe('0000000000 65535 f \n')
  expect(file).toContain(`trailer\n<</Size ${count}/Root 1 0 R>>`)
  expect(used.length + 1).toBe(Number(count))
  const objects = used.map((entry, index) => {
    const object = file.slice(Number(entry.slice(0, 10)))
    expect(object.startsWith(`${index + 1} 0 obj\n`)).toBe(true)
    return object.slice(0, object.indexOf('\nendobj\n'))
  })
  const [, size] = /\/MediaBox\[0 0 (\d+) \1\]/.exec(objects[2]!)!
  const [, length, content] = /<<\/Length (\d+)>>\nstream\n(.*)\nendstream$/s.exec(objects[3]!)!
  expect(content!.length).toBe(Number(length))
  const [background, matrix, foreground, ...rectangles] = content!.split('\n')
  expect(rectangles.pop()).toBe('f')
  const [, light] = new RegExp(`^(.*) rg 0 0 ${size} ${size} re f$`).exec(background!)!
  const [, scale] = new RegExp(`^([\\d.]+) 0 0 -\\1 0 ${size} cm$`).exec(matrix!)!
  const side = Math.round(Number(size) / Number(scale))
  expect(Math.abs(side * Number(scale) - Number(size))).toBeLessThan(0.001)
  const runs = rectangles.map((rectangle) => /^(\d+) (\d+) (\d+) 1 re$/.exec(rectangle)!.slice(1).map(Number))
  const colour = (parts: string) => toHex(parts.split(' ').map((part) => Math.round(Number(part) * 255)))
  const dark = colour(foreground!.replace(/ rg$/, ''))
  return { bitmap: fill(side, runs), size: Number(size), light: colour(light!), dark }
}

const READERS = { svg: readSvg, png: readPng, pdf: readPdf }
const draw = (format: PictureFormat, text: string, options: PictureOptions = {}) =>
  READERS[format](drawCode(text, format, options))

/** Cuts off the margin. The finder patterns in three corners are dark up to the edges of the code. */
function modulesOf(bitmap: Bitmap): { modules: string; scale: number; edges: number[] } {
  const top = bitmap.findIndex((row) => row.includes(true))
  const bottom = bitmap.findLastIndex((row) => row.includes(true))
  const left = bitmap[top]!.indexOf(true)
  const right = bitmap[top]!.lastIndexOf(true)
  // The finder pattern starts with seven dark modules.
  const scale = (bitmap[top]!.indexOf(false, left) - left) / 7
  const code = bitmap.slice(top, bottom + 1).map((row) => row.slice(left, right + 1))
  const modules = code.filter((_, y) => y % scale === 0).map((row) => row.filter((_, x) => x % scale === 0))
  for (const [y, row] of code.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark !== modules[Math.floor(y / scale)]![Math.floor(x / scale)]) throw new Error(`Uneven at ${x}, ${y}`)
    }
  }
  const edges = [top, left, bitmap.length - 1 - bottom, bitmap.length - 1 - right]
  return { modules: modules.map((row) => row.map((isDark) => (isDark ? '#' : ' ')).join('')).join('\n'), scale, edges }
}

const pngCases = LEVELS.flatMap((ecl) => [64, 65, 100, 512, 2000].map((size) => ({ ecl, size })))

test.each(pngCases)('a PNG at $size px and level $ecl is readable with any margin', async (options) => {
  // The scanner is slow on four million pixels, and more texts would prove nothing new.
  for (const text of options.size === 2000 ? [LONG] : [SHORT, DIGITAL_LINK, LONG]) {
    const expected = { text, ecl: options.ecl }
    for (const margin of [1, 4, 20])
      expect(await readCode(drawCode(text, 'png', { ...options, margin }))).toEqual(expected)
    expect(await readCode(print(draw('png', text, { ...options, margin: 0 }).bitmap, 1))).toEqual(expected)
  }
})

const slug = fc.stringMatching(/^[A-Za-z0-9]{8}$/)
const level = fc.constantFrom(...LEVELS)

test('a PNG of any slug, size and margin is readable', async () => {
  await fc.assert(
    fc.asyncProperty(slug, level, fc.integer({ min: 64, max: 400 }), fc.nat(20), async (slug, ecl, size, margin) => {
      const text = `https://go.acme.com/${slug}`
      const png = drawCode(text, 'png', { ecl, size, margin })
      expect(await readCode(margin === 0 ? print(readPng(png).bitmap, 1) : png)).toEqual({ text, ecl })
    }),
  )
})

test('all formats have the same modules, the exact size and the requested margin', () => {
  fc.assert(
    fc.property(slug, level, fc.integer({ min: 120, max: 400 }), fc.nat(20), (slug, ecl, size, margin) => {
      const text = `https://go.acme.com/${slug}`
      const [svg, png, pdf] = FORMATS.map((format) => draw(format, text, { ecl, size, margin })) as [
        Drawing,
        Drawing,
        Drawing,
      ]
      expect([svg.size, png.size, png.bitmap.length, pdf.size]).toEqual([size, size, size, size])
      const vector = modulesOf(svg.bitmap)
      expect(vector.edges).toEqual([margin, margin, margin, margin])
      expect(modulesOf(pdf.bitmap)).toEqual(vector)
      const raster = modulesOf(png.bitmap)
      expect(raster.modules).toBe(vector.modules)
      expect(raster.scale).toBe(Math.floor(size / svg.bitmap.length))
      const [least, most] = [Math.min(...raster.edges), Math.max(...raster.edges)]
      expect(least).toBeGreaterThanOrEqual(margin * raster.scale)
      expect(most - least).toBeLessThanOrEqual(1)
    }),
  )
})

test.each(['svg', 'pdf'] as const)('the shapes of a %s are readable', async (format) => {
  for (const ecl of LEVELS) {
    for (const text of [SHORT, DIGITAL_LINK, LONG]) {
      for (const margin of [0, 4, 20]) {
        expect(await readCode(print(draw(format, text, { ecl, margin }).bitmap, 3))).toEqual({ text, ecl })
      }
    }
  }
})

test('the margin of a PNG shrinks when one pixel per module leaves no room for it', () => {
  const { bitmap } = draw('png', SHORT, { size: 64, margin: 20 })
  const { scale, edges } = modulesOf(bitmap)
  expect({ scale, edges }).toEqual({ scale: 1, edges: [17, 17, 18, 18] })
})

test('a PNG with fewer pixels than modules throws the minimum size, and is drawn at that size', async () => {
  const text = `https://go.acme.com/${'aB3dE5gH'.repeat(25)}`
  let thrown: unknown
  try {
    drawCode(text, 'png', { size: 64, ecl: 'H', margin: 4 })
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(PictureTooSmall)
  const { minSize } = thrown as PictureTooSmall
  expect(() => drawCode(text, 'png', { size: minSize - 1, ecl: 'H' })).toThrow(PictureTooSmall)
  expect(await readCode(print(draw('png', text, { size: minSize, ecl: 'H' }).bitmap, 1))).toEqual({ text, ecl: 'H' })
  for (const format of ['svg', 'pdf'] as const) {
    expect(await readCode(print(draw(format, text, { size: 64, ecl: 'H' }).bitmap, 3))).toEqual({ text, ecl: 'H' })
  }
})

test.each(FORMATS)('a %s has the requested colours', (format) => {
  const { dark, light } = draw(format, SHORT, { dark: '#010280', light: '#fedcba' })
  expect({ dark, light }).toEqual({ dark: '#010280', light: '#fedcba' })
})

test.each(FORMATS)('a %s defaults to 512 px, level M, black on white and a margin of 4', (format) => {
  const defaults = { size: 512, margin: 4, ecl: 'M', dark: '#000000', light: '#ffffff' } as const
  expect(drawCode(SHORT, format)).toEqual(drawCode(SHORT, format, defaults))
  expect(drawCode(SHORT, format, { size: undefined })).toEqual(drawCode(SHORT, format, defaults))
})

test.each(FORMATS)('a %s has the same bytes at any time', (format) => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  const before = drawCode(SHORT, format)
  vi.setSystemTime(1_900_000_000_000)
  expect(drawCode(SHORT, format)).toEqual(before)
})

test('the label of an SVG is the escaped text', () => {
  expect(readSvg(drawCode('https://acme.com/?a="<b>"&c=\'ü', 'svg')).label).toBe(
    "https://acme.com/?a=&quot;&lt;b&gt;&quot;&amp;c='ü",
  )
})

test.each([
  [512, 2048],
  [2000, 4096],
])('a PNG of %i px takes less than %i bytes', (size, bytesMax) => {
  expect(drawCode(LONG, 'png', { size }).length).toBeLessThan(bytesMax)
})

test('a transparent background has no colour in any format', async () => {
  const options = { light: TRANSPARENT, dark: '#123456' }
  const { data, info } = await sharp(drawCode(SHORT, 'png', options))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info.channels).toBe(4)
  const colours = new Set(
    Array.from({ length: data.length / 4 }, (_, n) => data.subarray(n * 4, n * 4 + 4).toString('hex')),
  )
  expect(colours).toEqual(new Set(['12345600', '123456ff']))
  expect(drawCode(SHORT, 'svg', options).toString()).not.toContain('<rect')
  expect(drawCode(SHORT, 'pdf', options).toString('latin1')).not.toContain('re f')
  const onPaper = await sharp(drawCode(SHORT, 'png', options))
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
  expect((await readCode(onPaper))?.text).toBe(SHORT)
})

test('a size in millimetres is the size on paper', async () => {
  const options = { sizeMm: 25.4, dpi: 600 }
  const { width, height, density } = await sharp(drawCode(SHORT, 'png', options)).metadata()
  expect({ width, height, density }).toEqual({ width: 600, height: 600, density: 600 })
  expect(drawCode(SHORT, 'svg', options).toString()).toContain('width="25.4mm" height="25.4mm"')
  expect(drawCode(SHORT, 'pdf', options).toString('latin1')).toContain('/MediaBox[0 0 72 72]')
  const captioned = { ...options, caption: { elements: ['Acme'], gap: ' ' } as const }
  const [, widthMm, heightMm, viewBox] = /width="([\d.]+)mm" height="([\d.]+)mm" viewBox="0 0 ([\d. ]+)"/.exec(
    drawCode(SHORT, 'svg', captioned).toString(),
  )!
  expect(viewBox).toBe(`${Number(widthMm) * 10} ${Number(heightMm) * 10}`)
})

describe('with a logo', () => {
  /** Worst for a scanner: dark, opaque and square. */
  const darkLogo = async () => {
    const side = 64
    const pixels = Buffer.alloc(side * side * 4, Buffer.from([20, 20, 20, 255]))
    const png = await sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
      .png()
      .toBuffer()
    return { side, pixels, png }
  }

  test.each([SHORT, DIGITAL_LINK, LONG])('%s is readable in every format, at level H', async (text) => {
    const logo = await darkLogo()
    for (const caption of [undefined, { elements: ['Acme'], gap: ' ' } as const]) {
      const svg = await sharp(drawCode(text, 'svg', { logo, ecl: 'L', caption }))
        .png()
        .toBuffer()
      expect(await readCode(svg)).toEqual({ text, ecl: 'H' })
      const options = { logo, size: 300, caption }
      const { left, top, side } = logoPlace(text, options)
      const input = await sharp(logo.png).resize(side, side).toBuffer()
      const png = sharp(drawCode(text, 'png', options)).composite([{ input, left, top }])
      expect(await readCode(await png.png().toBuffer())).toEqual({ text, ecl: 'H' })
    }
    const pdf = drawCode(text, 'pdf', { logo }).toString('latin1')
    expect(pdf).toContain('/XObject<</Logo 5 0 R>>')
    const colours = /5 0 obj\n<<([^>]*)\/Length (\d+)[^>]*>>\nstream\n/.exec(pdf)!
    expect(colours[1]).toContain('/Width 64/Height 64/ColorSpace/DeviceRGB')
    const from = colours.index + colours[0].length
    const stream = Buffer.from(pdf.slice(from, from + Number(colours[2])), 'latin1')
    expect(inflateSync(stream)).toEqual(Buffer.alloc(64 * 64 * 3, 20))
  })

  test('a code that cannot be read with it is not drawn', async () => {
    const logo = await darkLogo()
    const modules = encodeModules(SHORT, 'H')
    const style = { size: 512, margin: 4, ecl: 'H', dark: '#000000', light: '#ffffff' } as const
    const side = modules.length
    expect(isReadable(SHORT, modules, logo, { at: 0.4 * side, side: 0.2 * side }, style)).toBe(true)
    expect(isReadable(SHORT, modules, logo, { at: 0.1 * side, side: 0.8 * side }, style)).toBe(false)
  })
})
