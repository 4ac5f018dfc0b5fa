import { CONTRAST_MIN, contrast, mix, parseHex, toHex } from '../../platform/text/colours.ts'
import * as palette from '../../platform/text/palette.ts'

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
