/** The target of a link or the source of an image in Markdown. */
export interface MarkdownDestination {
  /** Its place in the text. */
  start: number
  end: number
  /** Escapes are resolved. */
  value: string
  /** Starting at 1. */
  line: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const INDENTED = /^(?: {4}|\t)/
const BLANK = /^[ \t\r]*$/
const COMMENT = /<!--.*?-->/gs
const CODE_SPAN = /(?<!`)(`+)(?!`)([^`]|(?!\1(?!`))`)*?\1(?!`)/g
/** `](target`, `](<target>`; a target in parentheses may contain pairs of them. */
const INLINE = /\]\([ \t]*(?:<([^<>]*)>|((?:[^\s()<>]|\([^\s()]*\))+))(?=[ \t]*\)|[ \t]+["'(])/g
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]+\]:[ \t]*(?:<([^<>]*)>|(\S+))/g
const ATTRIBUTE = /<(?:a|img|source|video|audio|iframe|embed)\s[^<>]*?(?:href|src)=(?:"([^"<>]*)"|'([^'<>]*)')/gi

/**
 * Finds all destinations outside of code and comments. Other than a parser of Markdown, it knows where they are in the
 * text. What it takes for a link by mistake can only be replaced if a file has that name.
 */
export function findDestinations(markdown: string): MarkdownDestination[] {
  const text = markdown.replace(COMMENT, mask)
  const found: MarkdownDestination[] = []
  let at = 0
  for (const [index, line] of [...maskCode(text.split('\n'))].entries()) {
    for (const pattern of [INLINE, DEFINITION, ATTRIBUTE]) {
      for (const match of line.matchAll(pattern)) {
        const written = match[1] ?? match[2] ?? ''
        const start = at + match.index + match[0].lastIndexOf(written)
        found.push({ start, end: start + written.length, value: withoutEscapes(written), line: index + 1 })
      }
    }
    at += line.length + 1
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Replaces destinations. Undefined leaves one as it is. */
export function replaceDestinations(
  markdown: string,
  replace: (destination: MarkdownDestination) => string | undefined,
): string {
  let [replaced, end] = ['', 0]
  for (const destination of findDestinations(markdown)) {
    const value = destination.start < end ? undefined : replace(destination)
    if (value === undefined) continue
    replaced += markdown.slice(end, destination.start) + value
    end = destination.end
  }
  return replaced + markdown.slice(end)
}

/** Keeps the length, so that places stay the same. */
const mask = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Blanks out fenced and indented code and code spans. */
function* maskCode(lines: readonly string[]): Generator<string> {
  let fence: string | undefined
  let isInList = false
  let isAfterText = false
  for (const line of lines) {
    const marker = FENCE.exec(line)?.[1]
    const isCode = INDENTED.test(line) && !isInList && !isAfterText
    if (fence !== undefined) {
      if (marker?.startsWith(fence) === true && BLANK.test(line.trimStart().slice(marker.length))) fence = undefined
      yield mask(line)
    } else if (marker !== undefined) {
      fence = marker
      yield mask(line)
    } else if (isCode) yield mask(line)
    else yield line.replace(CODE_SPAN, mask)
    if (BLANK.test(line)) isAfterText = false
    else if (!INDENTED.test(line)) {
      isInList = LIST_ITEM.test(line) || (isInList && /^[ \t]/.test(line))
      isAfterText = true
    }
  }
}

const withoutEscapes = (written: string): string => {
  const plain = written.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
