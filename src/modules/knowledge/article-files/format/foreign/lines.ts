/** A line of a text that is being converted, and the line of the file that it comes from. */
export interface Line {
  text: string
  /** Starting at 1. */
  number: number
}

export const toLines = (text: string, firstNumber: number): Line[] =>
  text.split('\n').map((line, n) => ({ text: line, number: firstNumber + n }))

export const isBlank = ({ text }: Line): boolean => text.trim() === ''

/** Continues the last line with the first of the others. */
export function append(lines: Line[], more: readonly Line[]): void {
  const [first, ...rest] = more
  const last = lines.at(-1)
  if (first === undefined) return
  if (last === undefined) lines.push({ ...first })
  else if (last.text.trim() === '') lines[lines.length - 1] = { text: last.text + first.text, number: first.number }
  else last.text += first.text
  for (const line of rest) lines.push(line)
}

export const indentOf = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? ''

/** Removes blank lines around a block, and the indentation that all of its lines share. */
export function trimBlock(lines: readonly Line[]): Line[] {
  const start = lines.findIndex((line) => !isBlank(line))
  if (start === -1) return []
  const block = lines.slice(start, lines.findLastIndex((line) => !isBlank(line)) + 1)
  // What follows a tag on its line has no indentation of its own.
  const others = start === 0 ? block.slice(1) : block
  const widths = others.filter((line) => !isBlank(line)).map(({ text }) => indentOf(text).length)
  const width = widths.length === 0 ? 0 : Math.min(...widths)
  return block.map(({ text, number }, n) => ({
    text: n === 0 && start === 0 ? text.trimStart() : text.slice(Math.min(width, indentOf(text).length)),
    number,
  }))
}

export const indented = (lines: readonly Line[], indent: string): Line[] =>
  indent === '' ? [...lines] : lines.map((line) => (isBlank(line) ? line : { ...line, text: indent + line.text }))
