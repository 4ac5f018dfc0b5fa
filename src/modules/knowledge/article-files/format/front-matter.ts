const OPENING = /^\uFEFF?---[ \t]*\r?\n/
/** Only `\n` ends a line. `^` with the flag m also matches after U+2028, which a title may contain. */
const CLOSING = /(?<=\n)---[ \t]*(?:\r?\n|$)/g
const BLANK_LINE = /\r?\n/y

export interface FileParts {
  /** The front matter. */
  yaml: string
  /** Everything after the blank line that follows the front matter, byte for byte. */
  content: string
}

/** Returns undefined if the file does not begin with front matter. */
export function splitFrontMatter(text: string): FileParts | undefined {
  const opening = OPENING.exec(text)?.[0].length
  if (opening === undefined) return undefined
  CLOSING.lastIndex = opening
  const closing = CLOSING.exec(text)
  if (closing === null) return undefined
  BLANK_LINE.lastIndex = closing.index + closing[0].length
  const start = BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : closing.index + closing[0].length
  return { yaml: text.slice(opening, closing.index), content: text.slice(start) }
}

export const joinFrontMatter = ({ yaml, content }: FileParts): string => `---\n${yaml}---\n\n${content}`
