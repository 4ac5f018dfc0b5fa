import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brandColours, brandShades } from './brand.ts'
import { contrast, parseHex } from './colours.ts'
import { DARK, LIGHT } from './tokens.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const contrastOf = (one: string, other: string) => contrast(parseHex(one), parseHex(other))

test.each([
  ['light', LIGHT],
  ['dark', DARK],
] as const)('text is readable in %s mode with any chosen colour, which itself is kept as a fill', (mode, tokens) => {
  fc.assert(
    fc.property(hex, (color) => {
      const { sign, fill, ink, soft } = brandShades(color, mode)
      expect(fill).toBe(color)
      expect(contrastOf(ink, fill)).toBeGreaterThanOrEqual(4.5)
      for (const surface of [tokens.page, tokens.card, soft]) {
        for (const text of [sign, tokens.text, tokens.muted])
          expect(contrastOf(text, surface)).toBeGreaterThanOrEqual(4.5)
      }
    }),
    {
      numRuns: 2000,
      examples: ['#000000', '#ffffff', '#ffff00', '#0000ff', '#808080', '#00ff00'].map((color) => [color]),
    },
  )
})

test.each([
  ['light', LIGHT],
  ['dark', DARK],
])('our own colours are readable in %s mode', (_mode, tokens) => {
  expect(contrastOf(tokens.ink, tokens.fill)).toBeGreaterThanOrEqual(4.5)
  for (const surface of [tokens.page, tokens.card, tokens.soft]) {
    for (const text of [tokens.text, tokens.muted, tokens.sign, tokens.bad]) {
      expect(contrastOf(text, surface)).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('a readable colour is not changed, and what is no colour is ours', () => {
  expect(brandShades('#7a1f1f', 'light').sign).toBe('#7a1f1f')
  expect(brandShades('#8ab4f8', 'dark').sign).toBe('#8ab4f8')
  expect(brandColours('red')).toBe(brandColours(null))
})

test('contrast follows WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21)
  expect(contrast(parseHex('#777777'), parseHex('#ffffff'))).toBeCloseTo(4.48, 2)
})
