/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** WCAG 2.2 level AA for normal text, kept at every size. */
export const CONTRAST_MIN = 4.5

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

export const mix = ([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb => [
  Math.round(r + (toR - r) * share),
  Math.round(g + (toG - g) * share),
  Math.round(b + (toB - b) * share),
]

export const toHex = (color: Rgb): string =>
  `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** White where it is readable on this colour, otherwise black. One of them always is. */
export const inkOn = (fill: Rgb): Rgb => (contrast(WHITE, fill) >= CONTRAST_MIN ? WHITE : BLACK)
