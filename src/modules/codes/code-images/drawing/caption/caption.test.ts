import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadScanner, readCode, readDataMatrix } from '../../../../../testing/world/scanner.ts'
import { useSvgReader } from '../../../../../testing/world/svg-reader.ts'
import { type CaptionElements, drawCode, type PictureOptions, PictureTooSmall } from '../index.ts'
import { glyphOf, withoutGlyph } from './glyphs.ts'
import { layOutCaption } from './layout.ts'

const URL = 'https://id.example.com/01/09506000134352/22/2A/10/ABC123/21/12345'
const GTIN = '(01) 09506000134352'
const USUAL = [GTIN, '(10) ABC123', '(21) 12345']
/** Three values of the greatest length. */
const LONGEST = [GTIN, '(22) !"%&\'()*+,-./:;<=>?_', '(10) ABCDEFGHIJKLMNOPQRST', '(21) UVWXYZabcdefghijklmn']

const gs1 = (elements: string[]): CaptionElements => ({ elements, gap: '  ' })

beforeAll(loadScanner)
useSvgReader()

interface Image {
  width: number
  height: number
  isDark: (x: number, y: number) => boolean
}

async function render(file: Buffer): Promise<Image> {
  const { data, info } = await sharp(file).removeAlpha().greyscale().raw().toBuffer({ resolveWithObject: true })
  return {
    width: info.width,
    height: info.height,
    isDark: (x, y) => (data[y * info.width + x] as number) < 160,
  }
}

/** The first and last row, and the first and last column, that have dark pixels between two rows. */
function extentOf({ width, isDark }: Image, from: number, to: number) {
  const rows = new Set<number>()
  const columns = new Set<number>()
  for (let y = from; y < to; y++) {
    for (let x = 0; x < width; x++) {
      if (!isDark(x, y)) continue
      rows.add(y)
      columns.add(x)
    }
  }
  return { top: Math.min(...rows), bottom: Math.max(...rows), left: Math.min(...columns), right: Math.max(...columns) }
}

const cases = (['qr', 'datamatrix'] as const).flatMap((symbol) =>
  [128, 200, 512].flatMap((size) => [0, 4, 20].map((margin) => ({ symbol, size, margin }))),
)

test.each(cases)(
  'the text of a $symbol at $size px and margin $margin is centred below the quiet zone',
  async (style) => {
    const { symbol, size, margin } = style
    const plain = await render(drawCode(URL, 'png', style))
    const code = extentOf(plain, 0, size)
    for (const caption of size < 160 ? [USUAL] : [USUAL, LONGEST]) {
      for (const format of ['png', 'svg'] as const) {
        const file = drawCode(URL, format, { ...style, caption: gs1(caption) })
        const image = await render(file)
        expect(image.width).toBe(size)
        const drawn = format === 'png' ? code : extentOf(image, 0, size)
        const [moduleCount, quietZone] = symbol === 'qr' ? [37, 4] : [36, 1]
        const module = (drawn.bottom + 1 - drawn.top) / moduleCount
        const text = extentOf(image, Math.max(size, drawn.bottom + 1), image.height)
        expect(text.top - drawn.bottom - 1).toBeGreaterThanOrEqual(Math.floor(Math.max(quietZone, margin) * module))
        // The first and last characters are not equally wide.
        expect(Math.abs(text.left - (size - 1 - text.right))).toBeLessThanOrEqual(4 * Math.max(1, size / 168))
        expect(Math.min(text.left, size - 1 - text.right, image.height - 1 - text.bottom)).toBeGreaterThanOrEqual(1)
        // The scanner needs a quiet zone, and two pixels for a module of a Data Matrix.
        if (format === 'png' && margin > 0 && module >= 2) {
          expect(symbol === 'qr' ? (await readCode(file))?.text : await readDataMatrix(file)).toBe(URL)
        }
      }
    }
  },
)

test('a PNG with text has the same code in the same place as one without', async () => {
  for (const size of [100, 333, 512]) {
    const options = { size, dark: '#123456', light: '#fedcba' }
    const [plain, captioned] = await Promise.all(
      [options, { ...options, caption: gs1(USUAL) }].map((all) =>
        sharp(drawCode(URL, 'png', all))
          .removeAlpha()
          .raw()
          .toBuffer(),
      ),
    )
    expect(captioned!.subarray(0, size * size * 3).equals(plain!)).toBe(true)
  }
})

test('SVG and PDF have the same letters at the same places', () => {
  for (const size of [64, 512, 2000]) {
    const options: PictureOptions = { size, margin: 0, symbol: 'datamatrix', caption: gs1(LONGEST) }
    const svg = drawCode(URL, 'svg', options).toString()
    const pdf = drawCode(URL, 'pdf', options).toString('latin1')
    const height = Number(/ height="(\d+)"/.exec(svg)![1])
    expect(pdf).toContain(`/MediaBox[0 0 ${size} ${height}]`)
    const inSvg = [...svg.matchAll(/translate\((\S+) (\S+)\)scale\((\S+)\)/g)].map((match) =>
      match.slice(1).map(Number),
    )
    const inPdf = [...pdf.matchAll(/q (\S+) 0 0 -\1 (\S+) (\S+) cm/g)].map(([, unit, x, y]) => [
      x,
      height - Number(y),
      unit,
    ])
    expect(inSvg).toHaveLength(LONGEST.join('').replaceAll(' ', '').length)
    expect(inPdf).toHaveLength(inSvg.length)
    for (const [n, place] of inPdf.entries()) {
      for (const [part, value] of place.entries()) expect(Number(value)).toBeCloseTo(inSvg[n]![part]!, 2)
    }
  }
})

describe('lines', () => {
  const linesAt = (width: number, elements: string[]) => {
    const { glyphs } = layOutCaption(gs1(elements), width, 0, { inPixels: true })
    return Object.values(Object.groupBy(glyphs, ({ y }) => y)).map((line) => line!.length)
  }

  test('hold several short parts, and break between them', () => {
    expect(linesAt(512, ['(10) A', '(21) B'])).toEqual([10])
    expect(linesAt(512, USUAL)).toEqual([18, 19])
    expect(linesAt(512, LONGEST)).toEqual([18, 24, 24, 24])
  })

  test('break between an AI and its value in a small image, but never within a value', () => {
    expect(linesAt(100, USUAL)).toEqual([4, 14, 10, 9])
  })
})

test('a PNG that is too small for the longest value throws the minimum size, and is drawn at that size', () => {
  const tooSmall = (size: number, caption: string[]) => {
    try {
      drawCode(URL, 'png', { size, caption: gs1(caption) })
    } catch (error) {
      return (error as PictureTooSmall).minSize
    }
    return undefined
  }
  expect([tooSmall(64, [GTIN]), tooSmall(64, LONGEST)]).toEqual([88, 124])
  for (const caption of [[GTIN], LONGEST]) {
    const size = tooSmall(64, caption)!
    expect(() => drawCode(URL, 'png', { size: size - 1, caption: gs1(caption) })).toThrow(PictureTooSmall)
    expect(tooSmall(size, caption)).toBeUndefined()
  }
  expect(drawCode(URL, 'svg', { size: 64, caption: gs1(LONGEST) }).length).toBeGreaterThan(0)
})

test('every character that GS1 allows has a glyph of its own', () => {
  const characters = [...'!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz']
  expect(new Set(characters.map(glyphOf)).size).toBe(82)
  expect(() => glyphOf('日')).toThrow(RangeError)
})

test('the typeface has the letters of European languages in Latin script', () => {
  const letters =
    'ÄÖÜäöüß ÀÂÇÉÈÊËÎÏÔŒÙÛŸàâçéèêëîïôœùûÿ ÅÆØåæø ÁÍÑÓÚáíñóú ÃÕãõ ĄĆĘŁŃŚŹŻąćęłńśźż ČĎĚŇŘŠŤŮŽčďěňřšťůž ŐŰőű ĂȘȚășț ĐđÐðÞþ'
  expect(withoutGlyph(`${letters}@#$€£[]°·–—‘’“”„«»¡¿×`)).toEqual([])
  expect(withoutGlyph('Stuhl 日本 🪑 ع')).toEqual(['日', '本', '🪑', 'ع'])
  const accented = [...letters.replaceAll(' ', '')].filter((letter) => letter.normalize('NFD').length > 1)
  for (const letter of accented) expect(glyphOf(letter)).not.toBe(glyphOf(letter.normalize('NFD')[0]!))
})

test('a sentence is wrapped between words, and the code stays readable', async () => {
  const caption: CaptionElements = { elements: 'Für die Montageanleitung bitte hier scannen'.split(' '), gap: ' ' }
  const { glyphs } = layOutCaption(caption, 512, 0, { inPixels: true })
  const lines = Object.values(Object.groupBy(glyphs, ({ y }) => y)).map((line) => line!.length)
  expect(lines).toEqual(['FürdieMontageanleitung'.length, 'bittehierscannen'.length])
  expect(await readCode(drawCode(URL, 'png', { caption }))).toEqual({ text: URL, ecl: 'M' })
})
