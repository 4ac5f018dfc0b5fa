import type { Cell } from './export-table.ts'

/** Without it, Excel reads the file in the encoding of the country that it was installed for. */
const BYTE_ORDER_MARK = '\ufeff'

export async function* toCsv(table: AsyncIterable<readonly Cell[][]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  for await (const rows of table) yield rows.map((cells) => `${cells.map(toCsvCell).join(',')}\r\n`).join('')
}

/** A spreadsheet would run a text that begins like a formula. A number is none. */
function toCsvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  if (cell === '') return '""'
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`
}

const FORMULA = /^[=+\-@\t\r]/
