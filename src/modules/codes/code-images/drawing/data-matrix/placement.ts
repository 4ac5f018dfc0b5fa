/** Row and column of the eight bits of a codeword, from the highest bit, relative to its lowest one. */
const SHAPE = [
  [-2, -2],
  [-2, -1],
  [-1, -2],
  [-1, -1],
  [-1, 0],
  [0, -2],
  [0, -1],
  [0, 0],
] as const

type Position = readonly [row: number, column: number]

/**
 * Places the bits of the codewords in a square without borders, by Annex F of ISO/IEC 16022. Codewords lie on diagonals,
 * upwards and downwards in turn, and shapes that leave the square continue at its opposite side. True is a dark module.
 */
export function placeCodewords(words: readonly number[], side: number): boolean[][] {
  const square = Array.from({ length: side }, () => new Array<boolean | undefined>(side))
  let next = 0

  const isFree = (row: number, column: number): boolean => square[row]?.[column] === undefined
  const set = (row: number, column: number, isDark: boolean): void => {
    const line = square[row]
    if (line !== undefined) line[column] = isDark
  }
  const place = (positions: readonly Position[]): void => {
    const word = words[next++] ?? 0
    for (const [bit, [row, column]] of positions.entries()) set(row, column, (word & (0x80 >> bit)) !== 0)
  }
  /** Leaving at the top or at the left also moves a shape aside, so that the pieces do not overlap others. */
  const wrap = ([row, column]: Position): Position => {
    const aside = 4 - ((side + 4) % 8)
    const [r, c] = row < 0 ? [row + side, column + aside] : [row, column]
    return c < 0 ? [r + aside, c + side] : [r, c]
  }
  const placeShape = (row: number, column: number): void => {
    if (isFree(row, column)) place(SHAPE.map(([down, right]) => wrap([row + down, column + right])))
  }

  let [row, column] = [4, 0]
  do {
    const corner = cornerAt(row, column, side)
    if (corner !== undefined) place(corner)
    for (; row >= 0 && column < side; row -= 2, column += 2) if (row < side && column >= 0) placeShape(row, column)
    row += 1
    column += 3
    for (; row < side && column >= 0; row += 2, column -= 2) if (row >= 0 && column < side) placeShape(row, column)
    row += 3
    column += 1
  } while (row < side || column < side)

  // In some sizes the last four modules belong to no codeword. The standard gives them a fixed pattern.
  if (isFree(side - 1, side - 1)) {
    set(side - 1, side - 1, true)
    set(side - 2, side - 2, true)
  }
  return square.map((line) => Array.from(line, (isDark) => isDark ?? false))
}

/** In the corners of some sizes a codeword has a shape of its own. */
function cornerAt(row: number, column: number, side: number): readonly Position[] | undefined {
  const last = side - 1
  if (row === side && column === 0)
    return [
      [last, 0],
      [last, 1],
      [last, 2],
      [0, last - 1],
      [0, last],
      [1, last],
      [2, last],
      [3, last],
    ]
  if (row === side - 2 && column === 0 && side % 4 !== 0)
    return [
      [last - 2, 0],
      [last - 1, 0],
      [last, 0],
      [0, last - 3],
      [0, last - 2],
      [0, last - 1],
      [0, last],
      [1, last],
    ]
  return undefined
}
