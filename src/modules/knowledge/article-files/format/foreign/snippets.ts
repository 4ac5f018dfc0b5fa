import type { Line } from './lines.ts'
import { maskCode } from './mask.ts'

/** `--8<-- "file"` of MkDocs, and `--8<--` above and below a list of files. */
const ONE = /^[ \t]*-+8<-+[ \t]+\S/
const MANY = /^[ \t]*-+8<-+[ \t]*$/
/** Where a part of this file begins and ends that others include. */
const SECTION = /^[ \t]*-+8<-+[ \t]+\[(?:start|end):/
const ESCAPED = /^([ \t]*);(?=-+8<-)/

/** Removes what is included from other files. Only MkDocs itself includes files in code, too. */
export function replaceSnippets(
  lines: readonly Line[],
  isMkDocs: boolean,
  warn: (message: string, number: number) => void,
): Line[] {
  const masked = maskCode(lines.map(({ text }) => text).join('\n')).split('\n')
  const isRead = (n: number) => isMkDocs || masked[n]?.trim() !== ''
  const ends = lines.flatMap(({ text }, n) => (MANY.test(text) && isRead(n) ? [n] : []))
  let next = 0
  let listEnd = -1
  return lines.map((line, n) => {
    const { text, number } = line
    const emptied = { text: '', number }
    if (n <= listEnd) return emptied
    if (n === ends[next]) {
      // One without another does not take the rest of the text with it.
      listEnd = ends[next + 1] ?? n
      next += 2
    } else if (!isRead(n)) return line
    else if (!ONE.test(text)) return isMkDocs ? { ...line, text: text.replace(ESCAPED, '$1') } : line
    if (!SECTION.test(text)) warn('What is included from another file is not imported.', number)
    return emptied
  })
}
