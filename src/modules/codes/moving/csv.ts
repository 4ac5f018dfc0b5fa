/** A row of a CSV file. */
export interface CsvRow {
  /** The line on which it begins, counted from 1. */
  line: number
  values: string[]
}

const DELIMITERS = [',', ';', '\t'] as const

/** Parses CSV as RFC 4180 describes it. The delimiter is the one that the first line has most of; empty lines are left out. */
export function parseCsv(text: string): CsvRow[] {
  const delimiter = delimiterOf(text)
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, values: [] }
  let value = ''
  let line = 1
  const endValue = () => {
    row.values.push(value)
    value = ''
  }
  const endRow = () => {
    endValue()
    if (row.values.some((one) => one !== '')) rows.push(row)
    row = { line, values: [] }
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"' && value === '') {
      const quoted = readQuoted(text, at + 1)
      value = quoted.value
      line += quoted.lines
      at = quoted.end
    } else if (character === delimiter) endValue()
    else if (character === '\n') {
      line++
      endRow()
    } else if (character !== '\r') value += character
  }
  endRow()
  return rows
}

/** Reads what follows a quote, up to the quote that ends it. Two quotes mean one. */
function readQuoted(text: string, start: number): { value: string; end: number; lines: number } {
  let value = ''
  for (let from = start; ; ) {
    const quote = text.indexOf('"', from)
    const end = quote === -1 ? text.length : quote
    value += text.slice(from, end)
    if (text[end + 1] !== '"') return { value, end, lines: value.split('\n').length - 1 }
    value += '"'
    from = end + 2
  }
}

function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best))
}
