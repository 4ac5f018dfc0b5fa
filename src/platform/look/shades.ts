import { CONTRAST_MIN, contrast, mix, parseHex, type Rgb } from './colours.ts'
import { DARK, LIGHT } from './tokens.ts'

export const WHITE: Rgb = [255, 255, 255]
export const BLACK: Rgb = [0, 0, 0]

const STEP = 0.04
const INKS: readonly Rgb[] = [parseHex(LIGHT.text), parseHex(DARK.text), BLACK, WHITE]

/** The lowest contrast of a colour to any of these surfaces. */
const worst = (color: Rgb, surfaces: readonly Rgb[]): number =>
  Math.min(...surfaces.map((surface) => contrast(color, surface)))

/** The colour of text that is readable on all of these surfaces: one of ours if possible. Undefined if none is. */
export const readableInk = (surfaces: readonly Rgb[]): Rgb | undefined =>
  INKS.find((ink) => worst(ink, surfaces) >= CONTRAST_MIN)

/** Whether text of this colour is light, and so what is behind it dark. */
export const isLightInk = (ink: Rgb): boolean => contrast(ink, BLACK) > contrast(ink, WHITE)

/** The shade nearest to a colour, on the way to another one, that has this contrast to all surfaces. */
export function shade(color: Rgb, towards: Rgb, surfaces: readonly Rgb[], min: number): Rgb {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(color, towards, share)
    if (worst(mixed, surfaces) >= min) return mixed
  }
  return towards
}

/** A surface with a touch of a colour, on which the ink is still readable. */
export function tint(color: Rgb, surface: Rgb, ink: Rgb, most: number): Rgb {
  for (let share = most; share > 0; share -= STEP) {
    const mixed = mix(surface, color, share)
    if (contrast(mixed, ink) >= CONTRAST_MIN) return mixed
  }
  return surface
}

/** The contrast of our own dark surfaces to the text on them. */
const DARKNESS = { page: 15, card: 13 }

/** What a surface becomes in dark mode: the same hue, about as dark as ours. A surface that is dark already stays as it is. */
export const darkPartner = (color: Rgb, surface: keyof typeof DARKNESS): Rgb =>
  shade(color, BLACK, [parseHex(DARK.text)], DARKNESS[surface])
