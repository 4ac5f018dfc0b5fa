const FENCE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/
const COMMENT = /<!--.*?-->|\{\/\*.*?\*\/\}/gs
const CODE_SPAN = /(?<!`)(`+)(?!`)([^`]|(?!\1(?!`))`)*?\1(?!`)/g

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/**
 * Blanks out code and comments, and keeps every place. Other than in Markdown, indentation makes no code: tools that have
 * components in their texts indent what is in them.
 */
export function maskCode(text: string): string {
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
  return lines
    .join('\n')
    .replace(COMMENT, blank)
    .replace(/.+/g, (line) => line.replace(CODE_SPAN, blank))
}
