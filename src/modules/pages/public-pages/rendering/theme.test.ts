import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, DARK, LIGHT, mix, NO_BRAND, parseHex } from '../../../../platform/look/index.ts'
import { DEFAULT_BACKGROUND, DEFAULT_ISLAND } from '../../pages/index.ts'
import { describeTheme } from './theme.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const background = fc.oneof(
  fc.constant(DEFAULT_BACKGROUND),
  hex.map((value) => ({ type: 'color' as const, value, animated: false, locked: false })),
  fc.array(hex, { minLength: 2, maxLength: 6 }).map((stops) => ({
    type: 'gradient' as const,
    value: `linear-gradient(90deg, ${stops.join(', ')})`,
    animated: true,
    locked: false,
  })),
)
const island = fc.record({
  color: fc.oneof(fc.constant(DEFAULT_ISLAND.color), hex),
  opacity: fc.double({ min: 0, max: 1, noNaN: true }),
  shadow: fc.constant('none' as const),
  roundness: fc.constant(16),
})
const brand = fc.record({
  primary_color: fc.option(hex),
  corner_radius: fc.constant(null),
  light_background: fc.option(hex),
  dark_background: fc.option(hex),
})

const modesOf = (css: string): string[] => css.split('@media (prefers-color-scheme')
const valueIn = (mode: string, name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(mode)?.[1] ?? ''

test('texts are readable in both modes on any background, through any island, in any chosen colour and brand', () => {
  fc.assert(
    fc.property(background, island, brand, hex, (background, island, brand, chosen) => {
      const modes = modesOf(describeTheme({ background, island, brand }, [chosen]))
      expect(modes).toHaveLength(2)
      for (const mode of modes) {
        const value = (name: string) => valueIn(mode, name)
        const [, red, green, blue, share] = /--island:rgb\((\d+) (\d+) (\d+)\/(\d+)%\)/.exec(mode) ?? []
        const [, page = ''] = /--page:([^;]+);/.exec(mode) ?? []
        const stops = (page.match(/#[0-9a-f]{6}/g) ?? []).map(parseHex)
        const surfaces = stops.map((stop) => mix(stop, [Number(red), Number(green), Number(blue)], Number(share) / 100))
        for (const name of ['text', 'muted', 'sign', 'bad', 'c0']) {
          for (const surface of surfaces) {
            // The browser draws the share in whole percent.
            expect(contrast(parseHex(value(name)), surface), `${name} in ${mode}`).toBeGreaterThan(4.4)
          }
        }
        for (const surface of surfaces) expect(contrast(parseHex(value('rim')), surface)).toBeGreaterThan(2.9)
        expect(contrast(parseHex(value('ink')), parseHex(value('fill')))).toBeGreaterThanOrEqual(4.5)
        for (const kind of ['info', 'success', 'warning', 'danger']) {
          expect(contrast(parseHex(value('text')), parseHex(value(`${kind}-soft`)))).toBeGreaterThanOrEqual(4.5)
        }
        for (const name of ['text', 'muted']) {
          expect(contrast(parseHex(value(name)), parseHex(value('field')))).toBeGreaterThanOrEqual(4.5)
        }
        for (const name of ['text', 'sign']) {
          expect(contrast(parseHex(value(name)), parseHex(value('card')))).toBeGreaterThan(4.4)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('a page that keeps the defaults has the brand, and a part of its own replaces that part', () => {
  const brand = { primary_color: '#ffcc00', corner_radius: 4, light_background: '#eef4ff', dark_background: '#0b1b33' }
  const [light = '', dark = ''] = modesOf(
    describeTheme({ background: DEFAULT_BACKGROUND, island: DEFAULT_ISLAND, brand }, []),
  )
  expect(light).toContain('--island-round:4px;--round:4px;')
  expect(valueIn(light, 'page')).toBe('#eef4ff')
  expect(valueIn(light, 'fill')).toBe('#ffcc00')
  expect(valueIn(dark, 'page')).toBe('#0b1b33')
  const own = describeTheme(
    {
      background: { ...DEFAULT_BACKGROUND, value: '#ffe0e0' },
      island: { ...DEFAULT_ISLAND, color: '#fff0f0', roundness: 30 },
      brand,
    },
    [],
  )
  expect(own).toContain('--island-round:30px;--round:4px;')
  expect(own).toContain('--page:#ffe0e0;--island:rgb(255 240 240/100%)')
  const [, unbranded = ''] = modesOf(
    describeTheme({ background: DEFAULT_BACKGROUND, island: DEFAULT_ISLAND, brand: NO_BRAND }, []),
  )
  expect([valueIn(unbranded, 'page'), valueIn(unbranded, 'card'), valueIn(unbranded, 'text')]).toEqual([
    DARK.page,
    DARK.card,
    DARK.text,
  ])
})

test('a background of its own has a computed partner in dark mode, unless it is locked', () => {
  const gradient = { type: 'gradient' as const, value: 'linear-gradient(90deg, #FFE0E0 10%, #def)', animated: false }
  const shown = { island: { ...DEFAULT_ISLAND, color: '#fffafa' }, brand: NO_BRAND }
  const [light = '', dark = ''] = modesOf(describeTheme({ background: { ...gradient, locked: false }, ...shown }, []))
  expect(light).toContain(`--page:${gradient.value};`)
  expect(light).toContain(`--text:${LIGHT.text}`)
  const stops = /--page:linear-gradient\(90deg, (#[0-9a-f]{6}) 10%, (#[0-9a-f]{6})\);/.exec(dark)?.slice(1) ?? []
  expect(stops).toHaveLength(2)
  for (const stop of [...stops, valueIn(dark, 'card')])
    expect(contrast(parseHex(stop), parseHex(DARK.text))).toBeGreaterThanOrEqual(13)
  expect(dark).toContain('color-scheme:dark')
  const locked = modesOf(describeTheme({ background: { ...gradient, locked: true }, ...shown }, []))
  expect(locked).toEqual([`${light}`])
})
