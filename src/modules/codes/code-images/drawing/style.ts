/** How a code is drawn, with all defaults filled in. Colours are `#RRGGBB`. */
export interface Style {
  /** Width and height, in pixels; in points for a PDF. */
  size: number
  /** The quiet zone that scanners need around the code, in modules. */
  margin: number
  /** The error correction level: about 7, 15, 25 or 30 per cent of the code may be damaged. */
  ecl: 'L' | 'M' | 'Q' | 'H'
  dark: string
  /** `transparent` for no background. */
  light: string
  /** Resolution in dots per inch, if the image has a size in millimetres. `size` is then tenths of one in an SVG. */
  dpi?: number | undefined
}

export const TRANSPARENT = 'transparent'

/** Red, green and blue, each 0 to 255. */
export const toRgb = (colour: string): Buffer => Buffer.from(colour.slice(1), 'hex')
