import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, mix, parseHex } from '../../../../platform/look/index.ts'
import { describeTheme } from './theme.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const background = fc.oneof(
  hex.map((value) => ({ type: 'color' as const, value, animated: false })),
  fc.array(hex, { minLength: 2, maxLength: 6 }).map((stops) => ({
    ...{ type: 'gradient' as const, value: `linear-gradient(90deg, ${stops.join(', ')})`, animated: true },
  })),
)
const island = fc.record({
  color: hex,
  opacity: fc.double({ min: 0, max: 1, noNaN: true }),
  shadow: fc.constant('none' as const),
  roundness: fc.constant(16),
})

test('texts are readable on any background, through any island, in any chosen colour', () => {
  fc.assert(
    fc.property(background, island, hex, (background, island, chosen) => {
      const css = describeTheme({ background, island }, [chosen])
      for (const mode of css.split('@media (prefers-color-scheme')) {
        const value = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(mode)?.[1] ?? ''
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
        expect(contrast(parseHex(value('ink')), parseHex(value('fill')))).toBeGreaterThanOrEqual(4.5)
        for (const kind of ['info', 'success', 'warning', 'danger']) {
          expect(contrast(parseHex(value('text')), parseHex(value(`${kind}-soft`)))).toBeGreaterThanOrEqual(4.5)
        }
        for (const name of ['text', 'muted']) {
          expect(contrast(parseHex(value(name)), parseHex(value('field')))).toBeGreaterThanOrEqual(4.5)
        }
      }
    }),
    { numRuns: 300 },
  )
})
