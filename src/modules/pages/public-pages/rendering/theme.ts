import {
  BLACK,
  CONTRAST_MIN,
  DARK,
  darkPartner,
  declareRadius,
  inkOn,
  isLightInk,
  LIGHT,
  mix,
  parseHex,
  type Rgb,
  readableInk,
  SHAPE_CONTRAST_MIN,
  schemeOf,
  shade,
  tint,
  toHex,
  WHITE,
} from '../../../../platform/look/index.ts'
import { DEFAULT_BACKGROUND, DEFAULT_ISLAND } from '../../pages/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { DRIFT_STYLE } from './style.ts'

const STEP = 0.04
const HEX = /#[0-9a-f]{3,6}/gi

const KINDS = { info: LIGHT.sign, success: '#3f7d3a', warning: '#d08a1d', danger: '#c0392b' }

type Look = Pick<PublicPage, 'background' | 'island' | 'brand'>

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
export function describeTheme(look: Look, colors: readonly string[]): string {
  const { background, island, brand } = look
  const round = island.roundness === DEFAULT_ISLAND.roundness ? brand.corner_radius : null
  const border = island.opacity === 0 ? 'transparent' : 'var(--line)'
  const base = `--island-round:${round ?? island.roundness}px;${declareRadius(brand)}--shadow:${SHADOWS[island.shadow]};--border:${border}`
  const [light, dark] = (['light', 'dark'] as const).map((mode) => {
    const { page, card } = surfacesIn(look, mode)
    return declare(schemeOn(page, card, island.opacity), brand.primary_color, colors)
  })
  const inDarkMode = background.locked ? '' : `@media (prefers-color-scheme:dark){:root{${dark}}}`
  const moving = background.type === 'gradient' && background.animated ? DRIFT_STYLE : ''
  return `:root{${base};${light}}${inDarkMode}${moving}`
}

const SHADOWS = {
  none: 'none',
  small: '0 1px 4px rgb(0 0 0/.14)',
  medium: '0 6px 20px rgb(0 0 0/.16)',
  large: '0 16px 48px rgb(0 0 0/.24)',
}

/** What is behind the page, and the colour of its island: those of the brand, or its own with a dark partner. */
function surfacesIn({ background, island, brand }: Look, mode: 'light' | 'dark'): { page: string; card: string } {
  const { tokens } = schemeOf(brand, mode)
  const own = (value: string, surface: 'page' | 'card') =>
    mode === 'light' ? value : value.replace(HEX, (hex) => toHex(darkPartner(parseHex(longHex(hex)), surface)))
  return {
    page: isSame(background.value, DEFAULT_BACKGROUND.value) ? tokens.page : own(background.value, 'page'),
    card: isSame(island.color, DEFAULT_ISLAND.color) ? tokens.card : own(island.color, 'card'),
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other

/**
 * Text is on the island, through which the background may be seen. If no colour of text is readable on all of it, the
 * island is made less transparent.
 */
function schemeOn(background: string, card: string, opacity: number): Scheme {
  const behind = between((background.match(HEX) ?? []).map((hex) => parseHex(longHex(hex))))
  const island = parseHex(card)
  for (let share = opacity; ; share = Math.min(1, share + STEP)) {
    const surfaces = share === 1 ? [island] : behind.map((stop) => mix(stop, island, share))
    const readable = readableInk(surfaces)
    if (readable === undefined && share < 1) continue
    const ink = readable ?? BLACK
    const [r, g, b] = island
    const drawn = `rgb(${r} ${g} ${b}/${Math.round(share * 100)}%)`
    return { isDark: isLightInk(ink), background, island: drawn, surfaces, ink }
  }
}

/** The stops of a gradient, and some colours between them: red turns to blue over a darker purple. */
const between = (stops: readonly Rgb[]): Rgb[] =>
  stops.flatMap((stop, n) => {
    const next = stops[n + 1]
    return next === undefined ? [stop] : [stop, mix(stop, next, 0.25), mix(stop, next, 0.5), mix(stop, next, 0.75)]
  })

/** `accent` is that of the brand, which buttons have as it is. */
function declare(scheme: Scheme, accent: string | null, colors: readonly string[]): string {
  const { surfaces, ink, background, island, isDark } = scheme
  const readable = (color: Rgb, min: number, on = surfaces) => shade(color, ink, on, min)
  const surface = surfaces[Math.floor(surfaces.length / 2)] ?? WHITE
  const sign = readable(parseHex(accent ?? (isDark ? DARK.sign : LIGHT.sign)), CONTRAST_MIN)
  const fill = accent === null ? sign : parseHex(accent)
  const field = isDark ? tint(BLACK, surface, ink, 0.36) : tint(WHITE, surface, ink, 0.6)
  const withField = [...surfaces, field]
  const values: Record<string, string | Rgb> = {
    page: background,
    island,
    card: surface,
    text: ink,
    muted: readable(mix(surface, ink, 0.74), CONTRAST_MIN, withField),
    line: mix(surface, ink, 0.16),
    edge: readable(mix(surface, ink, 0.3), SHAPE_CONTRAST_MIN, withField),
    field,
    sign,
    fill,
    ink: inkOn(fill),
    rim: readable(fill, SHAPE_CONTRAST_MIN),
    soft: tint(sign, surface, ink, 0.12),
    bad: readable(parseHex(isDark ? DARK.bad : LIGHT.bad), CONTRAST_MIN, withField),
  }
  for (const [kind, color] of Object.entries(KINDS)) {
    values[kind] = readable(parseHex(color), SHAPE_CONTRAST_MIN)
    values[`${kind}-soft`] = tint(parseHex(color), surface, ink, isDark ? 0.24 : 0.12)
  }
  for (const [n, color] of colors.entries()) values[`c${n}`] = readable(parseHex(color), CONTRAST_MIN)
  const colours = Object.entries(values).map(
    ([name, value]) => `--${name}:${typeof value === 'string' ? value : toHex(value)}`,
  )
  return [`color-scheme:${isDark ? 'dark' : 'light'}`, ...colours].join(';')
}

const longHex = (hex: string): string =>
  hex.length === 4 ? `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}` : hex
