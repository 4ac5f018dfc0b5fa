/** Red, green and blue, each from 0 to 255. */
type Rgb = readonly [number, number, number]

export interface Scheme {
  /** What text stands on, beside what is tinted. */
  page: string
  card: string
  /** Towards this a colour is moved until it can be read. */
  ink: string
  /** How much of the chosen colour is in a tinted surface. */
  tint: number
}

export const LIGHT: Scheme = { page: '#fbf8f3', card: '#ffffff', ink: '#000000', tint: 0.1 }
export const DARK: Scheme = { page: '#191715', card: '#24211e', ink: '#ffffff', tint: 0.18 }

export const DEFAULT_COLOR = '#0f766e'

/** Of WCAG 2.2, for text of any size. */
const CONTRAST_MIN = 4.5
const STEP = 0.04

/**
 * A shade of the chosen colour that can be read on every surface of a scheme, as near to it as possible; and a surface
 * with a touch of it.
 */
export function shadesOf(color: string, { page, card, ink, tint }: Scheme): { accent: string; soft: string } {
  const chosen = parse(color)
  const soft = mix(parse(page), chosen, tint)
  const surfaces = [parse(page), parse(card), soft]
  let accent = chosen
  for (let share = 0; !surfaces.every((surface) => contrast(accent, surface) >= CONTRAST_MIN); ) {
    share = Math.min(share + STEP, 1)
    accent = mix(chosen, parse(ink), share)
    if (share === 1) break
  }
  return { accent: write(accent), soft: write(soft) }
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
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

export const parse = (color: string): Rgb => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

const mix = ([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb => [
  Math.round(r + (toR - r) * share),
  Math.round(g + (toG - g) * share),
  Math.round(b + (toB - b) * share),
]

const write = (color: Rgb): string => `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
