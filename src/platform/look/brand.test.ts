import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Brand, declareTokens, NO_BRAND, schemeOf, toBrand } from './brand.ts'
import { contrast, parseHex } from './colours.ts'
import { DARK, LIGHT } from './tokens.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const contrastOf = (one: string, other: string) => contrast(parseHex(one), parseHex(other))
const MODES = ['light', 'dark'] as const
const AWKWARD = ['#000000', '#ffffff', '#fff9c4', '#ffff00', '#0000ff', '#808080', '#777777', '#00ff00', '#111111']

test.each(MODES)('everything is readable in %s mode with any colour on any background', (mode) => {
  const brand = fc.record<Brand>({
    primary_color: fc.option(hex),
    corner_radius: fc.constant(null),
    light_background: fc.option(hex),
    dark_background: fc.option(hex),
  })
  const all = AWKWARD.flatMap((primary_color) =>
    [null, ...AWKWARD].map((background): [Brand] => [
      {
        ...NO_BRAND,
        primary_color,
        light_background: background,
        dark_background: mode === 'dark' ? background : null,
      },
    ]),
  )
  fc.assert(
    fc.property(brand, (chosen) => {
      const { tokens } = schemeOf(chosen, mode)
      expect(contrastOf(tokens.ink, tokens.fill)).toBeGreaterThanOrEqual(4.5)
      expect(contrastOf(tokens.text, tokens.mark)).toBeGreaterThanOrEqual(4.5)
      for (const surface of [tokens.page, tokens.card]) {
        expect(contrastOf(tokens.rim, surface)).toBeGreaterThanOrEqual(3)
        expect(contrastOf(tokens.bad, surface)).toBeGreaterThanOrEqual(4.5)
      }
      for (const surface of [tokens.page, tokens.card, tokens.soft]) {
        for (const text of [tokens.sign, tokens.text, tokens.muted])
          expect(contrastOf(text, surface), JSON.stringify(tokens)).toBeGreaterThanOrEqual(4.5)
      }
    }),
    { numRuns: 2000, examples: all },
  )
})

test('the chosen colour is the fill, and the chosen background is the page', () => {
  const brand = { ...NO_BRAND, primary_color: '#fff9c4', light_background: '#ffe0e0', dark_background: '#002b36' }
  expect(schemeOf(brand, 'light').tokens).toMatchObject({ fill: '#fff9c4', ink: '#000000', page: '#ffe0e0' })
  expect(schemeOf(brand, 'dark').tokens).toMatchObject({ fill: '#fff9c4', ink: '#000000', page: '#002b36' })
  expect(schemeOf({ ...NO_BRAND, primary_color: '#7a1f1f' }, 'light').tokens.sign).toBe('#7a1f1f')
  expect(schemeOf({ ...NO_BRAND, primary_color: '#8ab4f8' }, 'dark').tokens.sign).toBe('#8ab4f8')
})

test('a light background has a dark partner of its hue, and a dark one is kept', () => {
  const darkOf = (light_background: string) => schemeOf({ ...NO_BRAND, light_background }, 'dark')
  for (const light of ['#ffffff', '#fff9c4', '#d6e8ff', '#1c7ed6'])
    expect(contrastOf(darkOf(light).tokens.page, DARK.text), light).toBeGreaterThanOrEqual(15)
  const [red, green, blue] = parseHex(darkOf('#d6e8ff').tokens.page)
  expect(blue).toBeGreaterThan(green)
  expect(green).toBeGreaterThan(red)
  expect(darkOf('#101418').tokens.page).toBe('#101418')
  expect(schemeOf({ ...NO_BRAND, light_background: '#101418' }, 'light').isDark).toBe(true)
})

test.each([
  ['light', LIGHT],
  ['dark', DARK],
] as const)('without a brand, the colours are ours in %s mode, and readable', (mode, tokens) => {
  expect(schemeOf(NO_BRAND, mode).tokens).toBe(tokens)
  expect(contrastOf(tokens.ink, tokens.fill)).toBeGreaterThanOrEqual(4.5)
  for (const surface of [tokens.page, tokens.card, tokens.soft]) {
    for (const text of [tokens.text, tokens.muted, tokens.sign, tokens.bad]) {
      expect(contrastOf(text, surface)).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('what a help centre has of its own replaces the same of the organisation, and null inherits', () => {
  const stored = { primary_color: '#111111', corner_radius: 4 }
  expect(toBrand(stored)).toEqual({ ...NO_BRAND, ...stored })
  expect(toBrand(stored, { primary_color: null })).toEqual({ ...NO_BRAND, ...stored })
  expect(toBrand(stored, { primary_color: '#222222' })).toEqual({ ...NO_BRAND, ...stored, primary_color: '#222222' })
})

test('a style sheet declares a radius only if the brand has one, and no text of a customer', () => {
  expect(declareTokens(NO_BRAND, ['page'])).toBe(
    ':root{color-scheme:light;--page:#fbf8f3}@media (prefers-color-scheme:dark){:root{color-scheme:dark;--page:#191715}}',
  )
  expect(declareTokens({ ...NO_BRAND, corner_radius: 0 }, ['page'])).toContain(':root{--round:0px;')
  const evil = declareTokens({ ...NO_BRAND, primary_color: '}</style>', light_background: 'url(//a)' }, [
    'page',
    'fill',
  ])
  expect(evil).not.toMatch(/<|url|\/\//)
})

test('contrast follows WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21)
  expect(contrast(parseHex('#777777'), parseHex('#ffffff'))).toBeCloseTo(4.48, 2)
})
