import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { loadScanner, readDataMatrix } from '../../../../../testing/world/scanner.ts'
import type { Modules } from '../modules.ts'
import { TextTooLong } from '../text-too-long.ts'
import { pad, toCodewords } from './codewords.ts'
import { addErrorCorrection } from './error-correction.ts'
import { encodeDataMatrix } from './index.ts'
import { chooseSize, SIZES } from './sizes.ts'

const LINK = 'https://id.example.com/01/09506000134352/10/ABC123/21/12345'
const QUIET_ZONE = 1

beforeAll(loadScanner)

/** Four pixels a module, with the quiet zone that the standard requires. */
function print(modules: Modules) {
  const [scale, side] = [4, modules.length + 2 * QUIET_ZONE]
  const width = side * scale
  const paper = new Uint32Array(width * width).fill(0xffffffff)
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const [row, column] = [y, x].map((at) => Math.floor(at / scale) - QUIET_ZONE) as [number, number]
      if (modules[row]?.[column]) paper[y * width + x] = 0xff000000
    }
  }
  return { data: new Uint8ClampedArray(paper.buffer), width, height: width }
}

const show = (modules: Modules) => modules.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))

test('the example of ISO/IEC 16022 has the published codewords, and its symbol is readable', async () => {
  const words = toCodewords('123456')
  expect(words).toEqual([142, 164, 186])
  expect(addErrorCorrection(words, chooseSize(words.length))).toEqual([142, 164, 186, 114, 25, 5, 88, 102])
  const modules = encodeDataMatrix('123456')
  expect(show(modules)).toEqual([
    '#.#.#.#.#.',
    '##..#.##.#',
    '##.....#..',
    '##...###.#',
    '##....#...',
    '#.....####',
    '###.##....',
    '####.##..#',
    '#..###.#..',
    '##########',
  ])
  expect(await readDataMatrix(print(modules))).toBe('123456')
})

test.each(SIZES)(
  'a full symbol of $side modules is readable, and one character more takes the next size',
  async (size) => {
    const text = LINK.replace(/\d/g, 'x').repeat(23).slice(0, size.dataWords)
    const modules = encodeDataMatrix(text)
    expect([modules.length, ...new Set(modules.map((row) => row.length))]).toEqual([size.side, size.side])
    expect(await readDataMatrix(print(modules))).toBe(text)
    const next = SIZES[SIZES.indexOf(size) + 1]
    if (next) expect(encodeDataMatrix(`${text}x`)).toHaveLength(next.side)
    else expect(() => encodeDataMatrix(`${text}x`)).toThrow(TextTooLong)
  },
)

test('two digits take the space of one character', () => {
  expect(toCodewords('/01/12a345')).toEqual([48, 131, 48, 142, 98, 164, 54])
  expect(encodeDataMatrix('9'.repeat(2608))).toHaveLength(132)
  expect(() => encodeDataMatrix('9'.repeat(2609))).toThrow(TextTooLong)
})

test('any printable text is readable', async () => {
  const text = fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      expect(await readDataMatrix(print(encodeDataMatrix(text)))).toBe(text)
    }),
    { numRuns: 40 },
  )
})

test('padding varies by position', () => {
  expect(pad([1], 6)).toEqual([1, 129, 70, 220, 115, 11])
})

test.each(['é', '👋', 'a\nb'])('%j cannot be encoded', (text) => {
  expect(() => encodeDataMatrix(text)).toThrow(RangeError)
})
