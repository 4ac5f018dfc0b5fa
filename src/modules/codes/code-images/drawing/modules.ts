import { encodeQR } from 'qr'
import type { Style } from './style.ts'
import { TextTooLong } from './text-too-long.ts'

/** A square code without its margin, row by row from the top. True is a dark module. */
export type Modules = readonly (readonly boolean[])[]

/** Adjacent dark modules of one row, in modules from the top left of the code. */
interface Run {
  x: number
  y: number
  width: number
}

const LEVELS = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const

/** The bytes that the largest QR code holds. */
const BYTES_MAX = { L: 2953, M: 2331, Q: 1663, H: 1273 } as const

export function encodeModules(text: string, ecl: Style['ecl']): Modules {
  if (Buffer.byteLength(text) > BYTES_MAX[ecl]) throw new TextTooLong()
  // The encoder requires a border. Each format draws its own margin, so ask for the thinnest border and cut it off.
  const bordered = encodeQR(text, 'raw', { ecc: LEVELS[ecl], border: 1 })
  return bordered.slice(1, -1).map((row) => row.slice(1, -1))
}

export const darkRuns = (modules: Modules): Run[] =>
  modules.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? '#' : ' ')).join('')
    return Array.from(line.matchAll(/#+/g), ({ index, 0: run }) => ({ x: index, y, width: run.length }))
  })
