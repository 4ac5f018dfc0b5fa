import { TextTooLong } from '../text-too-long.ts'

export interface SymbolSize {
  /** Modules of one side, with the borders of all regions. */
  side: number
  /** Regions of one side. Each has a border of its own, one module wide. */
  regions: number
  dataWords: number
  /** Data is corrected in this many parts, whose codewords take turns. */
  blocks: number
  /** Correction codewords of one block. */
  checkWords: number
}

/**
 * The square symbols of ISO/IEC 16022. The largest one, 144 modules, is left out: its blocks differ in length, and readers
 * disagree about their order. A link never needs it.
 */
export const SIZES: readonly SymbolSize[] = [
  [10, 1, 3, 1, 5],
  [12, 1, 5, 1, 7],
  [14, 1, 8, 1, 10],
  [16, 1, 12, 1, 12],
  [18, 1, 18, 1, 14],
  [20, 1, 22, 1, 18],
  [22, 1, 30, 1, 20],
  [24, 1, 36, 1, 24],
  [26, 1, 44, 1, 28],
  [32, 2, 62, 1, 36],
  [36, 2, 86, 1, 42],
  [40, 2, 114, 1, 48],
  [44, 2, 144, 1, 56],
  [48, 2, 174, 1, 68],
  [52, 2, 204, 2, 42],
  [64, 4, 280, 2, 56],
  [72, 4, 368, 4, 36],
  [80, 4, 456, 4, 48],
  [88, 4, 576, 4, 56],
  [96, 4, 696, 4, 68],
  [104, 4, 816, 6, 56],
  [120, 6, 1050, 6, 68],
  [132, 6, 1304, 8, 62],
].map(([side = 0, regions = 0, dataWords = 0, blocks = 0, checkWords = 0]) => ({
  side,
  regions,
  dataWords,
  blocks,
  checkWords,
}))

export function chooseSize(dataWords: number): SymbolSize {
  const size = SIZES.find((size) => size.dataWords >= dataWords)
  if (size === undefined) throw new TextTooLong()
  return size
}
