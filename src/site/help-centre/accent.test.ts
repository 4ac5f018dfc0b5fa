import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, parseHex } from '../../platform/text/colours.ts'
import { accentShades, DARK, LIGHT } from './accent.ts'
import { STYLE } from './style.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** The values of a colour variable in the style sheet: light, then dark. */
const colorsNamed = (name: string): string[] =>
  [...STYLE.matchAll(new RegExp(`--${name}:(#\\w{6})`, 'g'))].map(([, color]) => color!)

test.each([
  ['light', LIGHT, 0],
  ['dark', DARK, 1],
] as const)('text is readable in %s mode with any chosen colour', (_name, scheme, index) => {
  fc.assert(
    fc.property(hex, (color) => {
      const { accent, soft } = accentShades(color, scheme)
      const texts = [accent, colorsNamed('text')[index]!, colorsNamed('muted')[index]!]
      for (const surface of [scheme.page, scheme.card, soft]) {
        for (const text of texts) expect(contrast(parseHex(text), parseHex(surface))).toBeGreaterThanOrEqual(4.5)
      }
    }),
    {
      numRuns: 2000,
      examples: ['#000000', '#ffffff', '#ffff00', '#0000ff', '#808080', '#00ff00'].map((color) => [color]),
    },
  )
})

test('a readable colour is not changed', () => {
  expect(accentShades('#7a1f1f', LIGHT).accent).toBe('#7a1f1f')
  expect(accentShades('#8ab4f8', DARK).accent).toBe('#8ab4f8')
})

test('contrast follows WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21)
  expect(contrast(parseHex('#777777'), parseHex('#ffffff'))).toBeCloseTo(4.48, 2)
})
