import {
  CONTRAST_MIN,
  contrast,
  DARK,
  inkOn,
  LIGHT,
  mix,
  parseHex,
  type Rgb,
  toHex,
} from '../../../../platform/look/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { DRIFT_STYLE } from './style.ts'

/** Borders of fields and other shapes that must be seen (WCAG 2.2, 1.4.11). */
const SHAPE_CONTRAST_MIN = 3
const STEP = 0.04
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

const KINDS = { info: LIGHT.sign, success: '#3f7d3a', warning: '#d08a1d', danger: '#c0392b' }

/** The colours of everything on the island, in one mode. */
interface Scheme {
  isDark: boolean
  background: string
  island: string
  /** Every colour that may be behind a text. */
  surfaces: readonly Rgb[]
  ink: Rgb
}

/** A style sheet with the colours of a page. `colors` are those that blocks ask for; they become `--c0`, `--c1`. */
export function describeTheme(
  { background, island }: Pick<PublicPage, 'background' | 'island'>,
  colors: string[],
): string {
  const border = island.opacity === 0 ? 'transparent' : 'var(--line)'
  const base = `--round:${island.roundness}px;--shadow:${SHADOWS[island.shadow]};--border:${border}`
  const isDefault = background.value.toLowerCase() === LIGHT.page && island.color.toLowerCase() === LIGHT.card
  if (isDefault) {
    const [light, dark] = [LIGHT, DARK].map((colours, n) =>
      declare(schemeOf(colours.page, [colours.page], colours.card, island.opacity, n === 1), colors),
    )
    return `:root{color-scheme:light dark;${base};${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`
  }
  const stops = background.value.match(/#[0-9a-f]{3,6}/gi)?.map(longHex) ?? []
  const scheme = schemeOf(background.value, stops, island.color, island.opacity)
  const moving = background.type === 'gradient' && background.animated ? DRIFT_STYLE : ''
  return `:root{color-scheme:${scheme.isDark ? 'dark' : 'light'};${base};${declare(scheme, colors)}}${moving}`
}

const SHADOWS = {
  none: 'none',
  small: '0 1px 4px rgb(0 0 0/.14)',
  medium: '0 6px 20px rgb(0 0 0/.16)',
  large: '0 16px 48px rgb(0 0 0/.24)',
}

/**
 * Text is on the island, through which the background may be seen. If no colour of text is readable on all of it, the
 * island is made less transparent.
 */
function schemeOf(
  background: string,
  stops: readonly string[],
  color: string,
  opacity: number,
  wantsDark?: boolean,
): Scheme {
  const behind = between(stops.map(parseHex))
  const island = parseHex(color)
  for (let share = opacity; ; share = Math.min(1, share + STEP)) {
    const surfaces = share === 1 ? [island] : behind.map((stop) => mix(stop, island, share))
    const inks: Rgb[] = [parseHex(LIGHT.text), parseHex(DARK.text), BLACK, WHITE]
    const readable = inks.find((ink) => worst(ink, surfaces) >= CONTRAST_MIN)
    if (readable === undefined && share < 1) continue
    const ink = readable ?? BLACK
    const isDark = wantsDark ?? contrast(ink, BLACK) > contrast(ink, WHITE)
    const [r, g, b] = island
    return { isDark, background, island: `rgb(${r} ${g} ${b}/${Math.round(share * 100)}%)`, surfaces, ink }
  }
}

/** The stops of a gradient, and some colours between them: red turns to blue over a darker purple. */
const between = (stops: readonly Rgb[]): Rgb[] =>
  stops.flatMap((stop, n) => {
    const next = stops[n + 1]
    return next === undefined ? [stop] : [stop, mix(stop, next, 0.25), mix(stop, next, 0.5), mix(stop, next, 0.75)]
  })

const worst = (color: Rgb, surfaces: readonly Rgb[]): number =>
  Math.min(...surfaces.map((surface) => contrast(color, surface)))

/** The shade nearest to a colour that has this contrast to all surfaces. */
function shade(color: Rgb, { surfaces, ink }: Pick<Scheme, 'surfaces' | 'ink'>, min: number): Rgb {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(color, ink, share)
    if (worst(mixed, surfaces) >= min) return mixed
  }
  return ink
}

/** A surface with a touch of a colour, on which the ink is still readable. */
function tint(color: Rgb, surface: Rgb, ink: Rgb, most: number): Rgb {
  for (let share = most; share > 0; share -= STEP) {
    const mixed = mix(surface, color, share)
    if (contrast(mixed, ink) >= CONTRAST_MIN) return mixed
  }
  return surface
}

function declare(scheme: Scheme, colors: readonly string[]): string {
  const { surfaces, ink, background, island, isDark } = scheme
  const surface = surfaces[Math.floor(surfaces.length / 2)] ?? WHITE
  const sign = shade(parseHex(isDark ? DARK.sign : LIGHT.sign), scheme, CONTRAST_MIN)
  const field = isDark ? tint(BLACK, surface, ink, 0.36) : tint(WHITE, surface, ink, 0.6)
  const onField = { surfaces: [...surfaces, field], ink }
  const values: Record<string, string | Rgb> = {
    page: background,
    island,
    text: ink,
    muted: shade(mix(surface, ink, 0.74), onField, CONTRAST_MIN),
    line: mix(surface, ink, 0.16),
    edge: shade(mix(surface, ink, 0.3), onField, SHAPE_CONTRAST_MIN),
    field,
    sign,
    fill: sign,
    ink: inkOn(sign),
    soft: tint(sign, surface, ink, 0.12),
    bad: shade(parseHex(isDark ? DARK.bad : LIGHT.bad), onField, CONTRAST_MIN),
  }
  for (const [kind, color] of Object.entries(KINDS)) {
    values[kind] = shade(parseHex(color), scheme, SHAPE_CONTRAST_MIN)
    values[`${kind}-soft`] = tint(parseHex(color), surface, ink, isDark ? 0.24 : 0.12)
  }
  for (const [n, color] of colors.entries()) values[`c${n}`] = shade(parseHex(color), scheme, CONTRAST_MIN)
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${typeof value === 'string' ? value : toHex(value)}`)
    .join(';')
}

const longHex = (hex: string): string =>
  hex.length === 4 ? `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}` : hex
