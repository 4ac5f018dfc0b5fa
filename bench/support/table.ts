/** Prints a table. The first `textColumns` columns are left-aligned, the others right-aligned. */
export function printTable(header: string[], rows: string[][], textColumns = 1): void {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) =>
        column < textColumns ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  console.log(`\n${line(header)}\n${widths.map((width) => '─'.repeat(width)).join('──')}`)
  for (const row of rows) console.log(line(row))
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const ratio = (value: number): string => value.toFixed(2)

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
