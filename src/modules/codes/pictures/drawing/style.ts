/** How a code is drawn, with all defaults filled in. Colours are `#RRGGBB`. */
export interface Style {
  /** Width and height, in pixels; in points for a PDF. */
  size: number
  /** The quiet zone that scanners need around the code, in modules. */
  margin: number
  /** The error correction level: about 7, 15, 25 or 30 per cent of the code may be damaged. */
  ecl: 'L' | 'M' | 'Q' | 'H'
  dark: string
  light: string
}

/** Red, green and blue, each 0 to 255. */
export const toRgb = (colour: string): Buffer => Buffer.from(colour.slice(1), 'hex')
