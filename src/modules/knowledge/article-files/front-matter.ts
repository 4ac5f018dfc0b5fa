const OPENING = /^\uFEFF?---[ \t]*\r?\n/
/** Only `\n` ends a line here: to `^` with the flag m a title could hold the end of one. */
const CLOSING = /(?<=\n)---[ \t]*(?:\r?\n|$)/g
const BLANK_LINE = /\r?\n/y

export interface FrontMatter {
  yaml: string
  /** Byte for byte what comes after the blank line that follows the front matter. */
  content: string
}

/** The two parts of a file; undefined when it does not begin with front matter. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const opening = OPENING.exec(text)?.[0].length
  if (opening === undefined) return undefined
  CLOSING.lastIndex = opening
  const closing = CLOSING.exec(text)
  if (closing === null) return undefined
  BLANK_LINE.lastIndex = closing.index + closing[0].length
  const start = BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : closing.index + closing[0].length
  return { yaml: text.slice(opening, closing.index), content: text.slice(start) }
}

export const joinFrontMatter = ({ yaml, content }: FrontMatter): string => `---\n${yaml}---\n\n${content}`
