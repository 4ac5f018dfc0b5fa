/** How a code is drawn, with nothing left open. Colours are `#RRGGBB`. */
export interface Style {
  /** Width and height: pixels, or points in a PDF. */
  size: number
  /** The light frame that scanners need to find the code, in modules. */
  margin: number
  /** How much of a damaged code can still be read: about 7, 15, 25 or 30 per cent. */
  ecl: 'L' | 'M' | 'Q' | 'H'
  dark: string
  light: string
}

/** Red, green and blue, each 0 to 255. */
export const toRgb = (colour: string): Buffer => Buffer.from(colour.slice(1), 'hex')
