import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, DARK, LIGHT, parse, shadesOf } from './accent.ts'
import { STYLE } from './style.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** The colours that texts have, as the style sheet names them: first for light, then for dark. */
const named = (name: string): string[] =>
  [...STYLE.matchAll(new RegExp(`--${name}:(#\\w{6})`, 'g'))].map(([, color]) => color!)

test.each([
  ['light', LIGHT, 0],
  ['dark', DARK, 1],
] as const)('whatever colour is chosen, everything can be read in the %s', (_name, scheme, index) => {
  fc.assert(
    fc.property(hex, (color) => {
      const { accent, soft } = shadesOf(color, scheme)
      const texts = [accent, named('text')[index]!, named('muted')[index]!]
      for (const surface of [scheme.page, scheme.card, soft]) {
        for (const text of texts) expect(contrast(parse(text), parse(surface))).toBeGreaterThanOrEqual(4.5)
      }
    }),
    {
      numRuns: 2000,
      examples: ['#000000', '#ffffff', '#ffff00', '#0000ff', '#808080', '#00ff00'].map((color) => [color]),
    },
  )
})

test('a colour that can be read as it is stays as it is', () => {
  expect(shadesOf('#7a1f1f', LIGHT).accent).toBe('#7a1f1f')
  expect(shadesOf('#8ab4f8', DARK).accent).toBe('#8ab4f8')
})

test('contrast is that of WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21)
  expect(contrast(parse('#777777'), parse('#ffffff'))).toBeCloseTo(4.48, 2)
})
