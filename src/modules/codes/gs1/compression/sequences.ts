import { AI_TABLE } from '../ai-table.ts'

/** How many digits an AI has, by its first two. */
export const AI_LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.keys(AI_TABLE).map((ai) => [ai.slice(0, 2), ai.length]),
)

const numbered = (from: number, count: number, first: string, second: number): [string, string[]][] =>
  Array.from({ length: count }, (_, n) => [(from + n).toString(16), [first, String(second + n)]])

/** Two digits with at least one letter stand for AIs that are often together, in this order. */
export const SEQUENCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['0a', ['01', '22']],
  ['0b', ['01', '10']],
  ['0c', ['01', '21']],
  ['0d', ['01', '17']],
  ['0e', ['01', '7003']],
  ['0f', ['01', '30']],
  ['1a', ['01', '10', '21', '17']],
  ['1b', ['01', '15']],
  ['1c', ['01', '11']],
  ['1d', ['01', '16']],
  ['1e', ['01', '91']],
  ['1f', ['01', '10', '15']],
  ...numbered(0x2a, 6, '01', 3100),
  ...numbered(0x3a, 6, '01', 3200),
  ['9a', ['8010', '8011']],
  ['9b', ['8017', '8019']],
  ['9c', ['8018', '8019']],
  ['9d', ['414', '254']],
  ...numbered(0xa0, 10, '01', 3920),
  ...numbered(0xc0, 10, '255', 3900),
  ...numbered(0xca, 4, '255', 3940),
])
