import type { Modules } from '../modules.ts'
import { pad, toCodewords } from './codewords.ts'
import { addErrorCorrection } from './error-correction.ts'
import { placeCodewords } from './placement.ts'
import { chooseSize } from './sizes.ts'

/** Encodes an ASCII text as the smallest square Data Matrix (ECC 200, ISO/IEC 16022) that holds it. */
export function encodeDataMatrix(text: string): Modules {
  const words = toCodewords(text)
  const size = chooseSize(words.length)
  const inner = size.side / size.regions - 2
  const bits = placeCodewords(addErrorCorrection(pad(words, size.dataWords), size), inner * size.regions)
  return Array.from({ length: size.side }, (_, y) =>
    Array.from({ length: size.side }, (_, x) => {
      const [row, column] = [y % (inner + 2), x % (inner + 2)]
      // Each region has a solid border at its left and bottom, and one of alternating modules at its top and right.
      if (column === 0 || row === inner + 1) return true
      if (row === 0) return column % 2 === 0
      if (column === inner + 1) return row % 2 === 1
      const regionOf = (at: number): number => Math.floor(at / (inner + 2))
      return bits[y - 1 - 2 * regionOf(y)]?.[x - 1 - 2 * regionOf(x)] ?? false
    }),
  )
}
