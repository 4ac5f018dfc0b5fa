import type { Modules } from './modules.ts'

/** A picture in the middle of a code: pixels of red, green, blue and alpha, row by row, and the same as a PNG. */
export interface DrawnLogo {
  /** Width and height, in pixels. */
  side: number
  pixels: Buffer
  png: Buffer
}

export type PlacedLogo = DrawnLogo & { box: LogoBox }

/** Where a logo is, in modules from the top left of the code. */
export interface LogoBox {
  at: number
  side: number
}

/**
 * The part of the width that has no modules. Level H can repair 30 % of a code. This takes about 7 % of it and leaves the rest
 * for scratches and dirt.
 */
const WIDTH_PART = 0.26

/** Free modules at each side of the logo. */
const PAD = 0.5

/** The modules without those in the middle. Both have an odd number in a row, so the space is exactly in the middle. */
export function makeRoom(modules: Modules): { modules: Modules; box: LogoBox } {
  const half = Math.floor((modules.length * WIDTH_PART) / 2)
  const middle = (modules.length - 1) / 2
  const isFree = (n: number): boolean => Math.abs(n - middle) <= half
  return {
    modules: modules.map((row, y) => (isFree(y) ? row.map((isDark, x) => isDark && !isFree(x)) : row)),
    box: { at: middle - half + PAD, side: 2 * half + 1 - 2 * PAD },
  }
}
