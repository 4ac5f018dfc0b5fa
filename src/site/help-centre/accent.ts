import * as palette from '../../platform/text/palette.ts'

/** Red, green and blue, each from 0 to 255. */
type Rgb = readonly [number, number, number]

export interface Scheme {
  /** Backgrounds of text, besides the tinted one. */
  page: string
  card: string
  /** The accent is mixed with this until it is readable. */
  ink: string
  /** Share of the chosen colour in the tinted background. */
  tint: number
}

export const LIGHT: Scheme = { ...palette.LIGHT, ink: '#000000', tint: 0.1 }
export const DARK: Scheme = { ...palette.DARK, ink: '#ffffff', tint: 0.18 }

export const DEFAULT_COLOR = palette.LIGHT.sign

/** WCAG 2.2 level AA for normal text, kept at every size. */
const CONTRAST_MIN = 4.5
const STEP = 0.04

/**
 * Returns the shade nearest to the chosen colour that is readable on every background of the scheme, and a background
 * tinted with the chosen colour.
 */
export function accentShades(color: string, { page, card, ink, tint }: Scheme): { accent: string; soft: string } {
  const chosen = parseHex(color)
  const soft = mix(parseHex(page), chosen, tint)
  const surfaces = [parseHex(page), parseHex(card), soft]
  let accent = chosen
  for (let share = 0; !surfaces.every((surface) => contrast(accent, surface) >= CONTRAST_MIN); ) {
    share = Math.min(share + STEP, 1)
    accent = mix(chosen, parseHex(ink), share)
    if (share === 1) break
  }
  return { accent: toHex(accent), soft: toHex(soft) }
}

/** The contrast ratio defined by WCAG 2.2. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export const parseHex = (color: string): Rgb => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

const mix = ([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb => [
  Math.round(r + (toR - r) * share),
  Math.round(g + (toG - g) * share),
  Math.round(b + (toB - b) * share),
]

const toHex = (color: Rgb): string => `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
