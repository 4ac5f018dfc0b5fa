/** A block of Markdown at the outermost level. */
export type TextBlock =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph' | 'list' | 'table' | 'code' | 'quote'; lines: string[] }

/** The rest of a line that begins with backticks has no more of them, or it is code within a paragraph. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
/** `{#id}` at the end of a heading is its address, not part of its text. */
const EXPLICIT_ID = /[ \t]*\{:?[ \t]*#[^\s{}]+[ \t]*\}$/
const UNDERLINE = /^ {0,3}(?:(=+)|-+)[ \t]*$/
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const BULLET = /^ {0,3}[-*+](?:[ \t]|$)/
const NUMBER = /^ {0,3}\d{1,9}[.)](?:[ \t]|$)/
const QUOTE = /^ {0,3}>/
const INDENTED_CODE = /^(?: {4}|\t)/
/** Indented enough to belong to an item of a list. */
const INDENTED = /^(?: {2}|\t)/
const TABLE_DELIMITER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const DEFINITION = /^ {0,3}\[[^\]]{1,200}\]:[ \t]*\S/

/**
 * Divides Markdown into blocks. It only needs the borders between them, in a time that grows with the length of the
 * text alone; the inside of a block is parsed when it is shown.
 */
export function toBlocks(markdown: string): TextBlock[] {
  const lines = markdown.split(/\r\n?|\n/)
  const blocks: TextBlock[] = []
  let at = 0
  const take = (end: number): string[] => {
    const taken = lines.slice(at, end)
    at = end
    return taken
  }
  while (at < lines.length) {
    const line = lines[at] as string
    const heading = HEADING.exec(line)
    if (isBlank(line) || DEFINITION.test(line)) at++
    else if (heading !== null) {
      blocks.push({
        kind: 'heading',
        level: heading[1]?.length ?? 1,
        text: (heading[2] ?? '').replace(EXPLICIT_ID, ''),
      })
      at++
    } else if (FENCE.test(line)) blocks.push({ kind: 'code', lines: take(endOfFence(lines, at)) })
    else if (RULE.test(line)) at++
    else if (isItem(line)) blocks.push({ kind: 'list', lines: take(endOfList(lines, at)) })
    else if (isTable(lines, at)) blocks.push({ kind: 'table', lines: take(endOfParagraph(lines, at + 2)) })
    else if (QUOTE.test(line)) blocks.push({ kind: 'quote', lines: take(endOfParagraph(lines, at)) })
    else if (INDENTED_CODE.test(line)) blocks.push({ kind: 'code', lines: take(endOfIndented(lines, at)) })
    else {
      const end = endOfParagraph(lines, at)
      const underlined = underlineIn(lines, at, end)
      if (underlined === undefined) blocks.push({ kind: 'paragraph', lines: take(end) })
      else {
        const level = UNDERLINE.exec(lines[underlined] as string)?.[1] === undefined ? 2 : 1
        blocks.push({ kind: 'heading', level, text: take(underlined).join(' ').trim() })
        at++
      }
    }
  }
  return blocks
}

export const isNumbered = (line: string): boolean => NUMBER.test(line)

/** Whether there is a list with numbers. */
export const hasSteps = (markdown: string): boolean =>
  toBlocks(markdown).some((block) => block.kind === 'list' && isNumbered(block.lines[0] ?? ''))

/** Divides a list into its items, each with the lines that belong to it. */
export function toItems(lines: readonly string[]): string[][] {
  const items: string[][] = []
  let fence: string | undefined
  for (const line of lines) {
    const last = items.at(-1)
    if (last === undefined || (fence === undefined && isItem(line))) items.push([line])
    else last.push(line)
    const content = line.trimStart()
    if (fence === undefined) fence = fenceOf([content])
    else if (isEndOfFence(content, fence)) fence = undefined
  }
  return items
}

const isBlank = (line: string): boolean => line.trim() === ''
const isItem = (line: string): boolean => (BULLET.test(line) || NUMBER.test(line)) && !RULE.test(line)

const isTable = (lines: readonly string[], at: number): boolean =>
  lines[at]?.includes('|') === true &&
  lines[at + 1]?.includes('-') === true &&
  TABLE_DELIMITER.test(lines[at + 1] ?? '')

/** Returns the marks that begin the code, or undefined if it is indented. */
export const fenceOf = ([first = '']: readonly string[]): string | undefined => FENCE.exec(first)?.[1]

export const isEndOfFence = (line: string, fence: string): boolean =>
  FENCE_END.exec(line)?.[1]?.startsWith(fence) === true

function endOfFence(lines: readonly string[], at: number): number {
  const fence = fenceOf(lines.slice(at, at + 1)) ?? ''
  for (let end = at + 1; end < lines.length; end++) if (isEndOfFence(lines[end] as string, fence)) return end + 1
  return lines.length
}

/** A list goes on after a blank line with another item of its kind, or with something indented. */
function endOfList(lines: readonly string[], at: number): number {
  const isNumberedList = isNumbered(lines[at] as string)
  let end = at + 1
  for (let next = end; next < lines.length; next++) {
    const line = lines[next] as string
    if (isBlank(line)) continue
    const isAfterBlank = next > end
    const isOwnItem = isItem(line) && isNumbered(line) === isNumberedList
    const goesOn = isOwnItem || INDENTED.test(line) || !(isAfterBlank || startsBlock(line))
    if (!goesOn) break
    end = next + 1
  }
  return end
}

function endOfParagraph(lines: readonly string[], at: number): number {
  let end = at + 1
  const isQuote = QUOTE.test(lines[at] ?? '')
  while (end < lines.length && !isBlank(lines[end] as string)) {
    const line = lines[end] as string
    if (!(isQuote && QUOTE.test(line)) && startsBlock(line) && !UNDERLINE.test(line)) break
    if (!isQuote && isTable(lines, end)) break
    end++
  }
  return Math.min(end, lines.length)
}

function endOfIndented(lines: readonly string[], at: number): number {
  let end = at + 1
  while (end < lines.length && INDENTED_CODE.test(lines[end] as string)) end++
  return end
}

/** Returns the line that turns the paragraph above it into a heading. */
function underlineIn(lines: readonly string[], at: number, end: number): number | undefined {
  for (let line = at + 1; line < end; line++) if (UNDERLINE.test(lines[line] as string)) return line
  return undefined
}

/** Whether a line ends the paragraph above it. */
const startsBlock = (line: string): boolean =>
  HEADING.test(line) || FENCE.test(line) || RULE.test(line) || isItem(line) || QUOTE.test(line)
