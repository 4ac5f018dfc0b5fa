import { CONTRAST_MIN, inkOn, mix, parseHex, type Rgb, toHex } from './colours.ts'
import { BLACK, darkPartner, isLightInk, readableInk, shade, tint, WHITE } from './shades.ts'
import { DARK, LIGHT, type Token, type Tokens } from './tokens.ts'

/**
 * How an organisation wants everything to look that its visitors see, as it is stored. What is null is ours. A help centre, a
 * chat or a page may replace parts of it.
 */
export interface Brand {
  primary_color: string | null
  /** In pixels: of cards, buttons and fields. */
  corner_radius: number | null
  light_background: string | null
  /** Null: computed from the light one. */
  dark_background: string | null
}

export type Mode = 'light' | 'dark'

export const NO_BRAND: Brand = {
  primary_color: null,
  corner_radius: null,
  light_background: null,
  dark_background: null,
}

/** What an organisation has stored, and what one of its help centres or chats has instead. Null inherits. */
export const toBrand = (stored: object, own: Pick<Brand, 'primary_color'> = NO_BRAND): Brand => ({
  ...NO_BRAND,
  ...stored,
  ...(own.primary_color !== null && { primary_color: own.primary_color }),
})

/** Borders of shapes that must be seen (WCAG 2.2, 1.4.11). */
export const SHAPE_CONTRAST_MIN = 3

/** The share of the accent in a tinted surface. */
const TINT = { light: 0.1, dark: 0.18 }

/** A background on which the texts of this mode may have to be light, although the mode is not. */
interface Scheme {
  isDark: boolean
  tokens: Tokens
}

/** All colours of a brand in one mode. The accent itself is the fill: a yellow stays yellow. Texts and borders are shades of it. */
export function schemeOf(brand: Brand, mode: Mode): Scheme {
  const background = backgroundOf(brand, mode)
  if (background === undefined && brand.primary_color === null) return ownScheme(mode)
  const { isDark, tokens } = background === undefined ? ownScheme(mode) : surfacesOn(background)
  return { isDark, tokens: withAccent(brand.primary_color, isDark, tokens) }
}

const ownScheme = (mode: Mode): Scheme => ({ isDark: mode === 'dark', tokens: mode === 'dark' ? DARK : LIGHT })

/** Undefined if it is ours. */
function backgroundOf({ light_background, dark_background }: Brand, mode: Mode): Rgb | undefined {
  if (mode === 'light') return light_background === null ? undefined : parseHex(light_background)
  if (dark_background !== null) return parseHex(dark_background)
  return light_background === null ? undefined : darkPartner(parseHex(light_background), 'page')
}

function surfacesOn(page: Rgb): Scheme {
  // Black or white is readable on every colour.
  const ink = readableInk([page]) ?? BLACK
  const isDark = isLightInk(ink)
  const own = isDark ? DARK : LIGHT
  const card = tint(WHITE, page, ink, isDark ? 0.06 : 0.7)
  const surfaces = [page, card]
  const colours = {
    page,
    card,
    line: mix(page, ink, 0.16),
    text: ink,
    muted: shade(mix(page, ink, 0.74), ink, surfaces, CONTRAST_MIN),
    bad: shade(parseHex(own.bad), ink, surfaces, CONTRAST_MIN),
    mark: tint(parseHex(own.mark), page, ink, 1),
    sky: mix(page, ink, 0.06),
  }
  const written = Object.entries(colours).map(([name, colour]) => [name, toHex(colour)])
  return { isDark, tokens: { ...own, ...Object.fromEntries(written) } }
}

/** Brands that have no colour keep our accent, in a shade that is readable on their background. */
function withAccent(color: string | null, isDark: boolean, tokens: Tokens): Tokens {
  const colourOf = (name: Token): Rgb => parseHex(tokens[name])
  const [page, card] = [colourOf('page'), colourOf('card')]
  const towards = isDark ? WHITE : BLACK
  const accent = color === null ? colourOf('sign') : parseHex(color)
  const soft = tint(accent, page, colourOf('text'), isDark ? TINT.dark : TINT.light)
  const surfaces = [page, card, soft]
  const sign = shade(accent, towards, surfaces, CONTRAST_MIN)
  const fill = color === null ? sign : accent
  return {
    ...tokens,
    muted: toHex(shade(colourOf('muted'), towards, surfaces, CONTRAST_MIN)),
    soft: toHex(soft),
    sign: toHex(sign),
    fill: toHex(fill),
    ink: toHex(inkOn(fill)),
    rim: toHex(shade(fill, towards, [page, card], SHAPE_CONTRAST_MIN)),
  }
}

/** A style sheet that declares colours of a brand as custom properties, such as `--page`, for light and dark mode. */
export function declareTokens(brand: Brand, names: readonly Token[]): string {
  const declare = (mode: Mode) => {
    const { isDark, tokens } = schemeOf(brand, mode)
    const colours = names.map((name) => `--${name}:${tokens[name]}`)
    return [`color-scheme:${isDark ? 'dark' : 'light'}`, ...colours].join(';')
  }
  return `:root{${declareRadius(brand)}${declare('light')}}@media (prefers-color-scheme:dark){:root{${declare('dark')}}}`
}

/** Style sheets have our own radius of each shape where no brand declares one for all. */
export const declareRadius = ({ corner_radius }: Brand): string =>
  corner_radius === null ? '' : `--round:${corner_radius}px;`
