const FENCE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/
const COMMENT = /<!--.*?-->|\{\/\*.*?\*\/\}/gs
const CODE_SPAN = /(?<!`)(`+)(?!`)([^`]|(?!\1(?!`))`)*?\1(?!`)/g
/** A code span that continues on the next line, which is none that begins another block. */
const WRAPPED_SPAN =
  /(?<!`)(`+)(?!`)[^`\n]*\n(?![ \t]*(?:\n|[-*+>#|:=~]|\d{1,9}[.)]|!!!|<\/?[A-Za-z]|\{%))[^`\n]*(?<!`)\1(?!`)/g
const RAW = /\{%-?\s*(end)?raw\s*-?%\}/g
/** What Vue must not touch. */
const V_PRE_FENCE = /^[ \t]*:{3,}[ \t]*(?:v-pre|())[ \t]*$/gm
const V_PRE_TAG = /(<(\w+)\b[^<>\n]*\sv-pre\b[^<>\n]*>)([\s\S]{0,2000}?)(?=<\/\2>)/g
/** In GitBook, code of this class is a variable. */
const HTML_CODE = /<(\/)?(?:pre|code)\b(?! class="expression")[^<>\n]*>/g
/** What is indented below these belongs to them. */
const CONTAINER = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|!!!|\?\?\?|===|:[ \t:]|\[\^|\{%|\{\{|<)/

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/**
 * Blanks out code, comments and what is written to be left alone, and keeps every place. Other than in Markdown, indentation
 * makes no code: tools that have components in their texts indent what is in them.
 */
export const maskCode = (text: string): string => maskLiterals(maskSpans(maskFences(text).replace(COMMENT, blank)))

/** Leaves comments, even those with code in them. */
export const maskOnlyCode = (text: string): string => maskSpans(maskFences(text))

/** Blanks out code that is only indented, and code in HTML, in a text whose other code is blanked out. */
export function maskPlainCode(masked: string): string {
  /** The first line of the block that may continue. */
  let opening = ''
  let isAfterBlank = true
  let isCode = false
  const lines = masked.split('\n').map((line) => {
    if (line.trim() === '') {
      isAfterBlank = true
      return line
    }
    const isIndented = /^(?: {4}| {0,3}\t)/.test(line)
    isCode = isIndented && (isCode || isAfterBlank) && !CONTAINER.test(opening)
    if (!isIndented && (isAfterBlank || CONTAINER.test(line))) opening = line
    isAfterBlank = false
    return isCode ? blank(line) : line
  })
  return maskBetween(lines.join('\n'), HTML_CODE)
}

function maskFences(text: string): string {
  let fence: string | undefined
  const lines = text.split('\n').map((line) => {
    const marker = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      const rest = line.slice(line.indexOf(marker ?? '') + (marker?.length ?? 0))
      if (marker?.startsWith(fence) === true && rest.trim() === '') fence = undefined
      return blank(line)
    }
    if (marker === undefined) return line
    // A fence of one line is a code span.
    if (marker.startsWith('`') && line.slice(line.indexOf(marker) + marker.length).includes('`')) return line
    fence = marker
    return blank(line)
  })
  return lines.join('\n')
}

const maskSpans = (text: string): string =>
  text.replace(/.+/g, (line) => line.replace(CODE_SPAN, blank)).replace(WRAPPED_SPAN, blank)

/** What is in `{% raw %}` means nothing to the tool, and is meant to be read. */
const maskLiterals = (text: string): string =>
  maskBetween(maskBetween(text, RAW), V_PRE_FENCE).replace(V_PRE_TAG, (_all, tag, _name, inTag) => tag + blank(inTag))

/** Blanks out what is between an opening and the next closing tag, which the first group of the pattern tells apart. */
function maskBetween(text: string, tags: RegExp): string {
  let masked = ''
  let end = 0
  let isOpen = false
  for (const { 0: all, 1: closing, index } of text.matchAll(tags)) {
    if ((closing === undefined) === isOpen) continue
    const between = text.slice(end, index)
    masked += (isOpen ? blank(between) : between) + all
    end = index + all.length
    isOpen = !isOpen
  }
  return masked + text.slice(end)
}
