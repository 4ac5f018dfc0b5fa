/** A part of Markdown that readers see as it was written. */
export interface VerbatimPart {
  /** A block of code with its fences or its indentation, code within a line, or `$…$`. */
  kind: 'block' | 'span' | 'formula'
  from: number
  to: number
  /** The line that would close a fence which is still open at the end of the text. */
  missingEnd?: string
}

/** Code within a list or a quotation belongs to it, and ends with it. */
interface Fence {
  from: number
  marks: string
  isQuoted: boolean
  /** The column at which the contents of the list item begin. */
  offset: number
}

/** What is before the content of a line: quotation marks and the marks of list items. */
interface Containers {
  at: number
  column: number
  isQuoted: boolean
  /** The columns at which the contents of the list items begin. */
  offsets: number[]
}

const LINE = /[^\n]*\n|[^\n]+/g
const ITEM = /(?:[-*+]|\d{1,9}[.)])(?=\s|$)/y
/** The rest of the line of a fence made of backticks has none. */
const OPENING = /(?:`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/y
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t\r]*\n?$/
const QUOTED = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>/
const CODE_INDENT = 4

/**
 * Finds code and formulas, in a time that grows with the length of the text alone. Where containers are nested in unusual ways,
 * it may take code for prose, as in a quotation with indented code.
 */
export function findVerbatim(markdown: string): VerbatimPart[] {
  const parts: VerbatimPart[] = []
  let fence: Fence | undefined
  let indented: VerbatimPart | undefined
  let proseFrom: number | undefined
  let offsets: number[] = []
  let mayBeIndented = true
  const endProse = (to: number) => {
    if (proseFrom !== undefined) parts.push(...findInline(markdown.slice(proseFrom, to), proseFrom))
    proseFrom = undefined
  }
  const endFence = (to: number) => {
    if (fence !== undefined) parts.push({ kind: 'block', from: fence.from, to })
    fence = undefined
  }
  const endIndented = () => {
    if (indented !== undefined) parts.push(indented)
    indented = undefined
  }
  for (const { 0: line, index: at } of markdown.matchAll(LINE)) {
    const end = at + line.length
    const isBlank = line.trim() === ''
    const indent = columnsOf(line)
    if (fence !== undefined) {
      if (isWithin(fence, line, isBlank, indent)) {
        if (CLOSING.exec(line)?.[1]?.startsWith(fence.marks)) endFence(end)
        continue
      }
      endFence(at)
    }
    if (isBlank) {
      endProse(at)
      mayBeIndented = true
      continue
    }
    const containers = readContainers(line)
    if (mayBeIndented || containers.offsets.length > 0) offsets = offsets.filter((offset) => offset <= indent)
    if (mayBeIndented && indent >= (offsets.at(-1) ?? 0) + CODE_INDENT) {
      indented = { kind: 'block', from: indented?.from ?? at, to: end }
      continue
    }
    endIndented()
    offsets.push(...containers.offsets)
    const marks = openingIn(line, containers, offsets.at(-1) ?? 0)
    if (marks !== undefined) {
      endProse(at)
      fence = { from: at, marks, isQuoted: containers.isQuoted, offset: offsets.at(-1) ?? 0 }
      mayBeIndented = true
      continue
    }
    // Neither a heading nor a row of a table goes on in the next line.
    const isAlone = /[#|]/.test(line.charAt(containers.at))
    if (isAlone || containers.offsets.length > 0) endProse(at)
    proseFrom ??= at
    if (isAlone) endProse(end)
    mayBeIndented = line.charAt(containers.at) === '#'
  }
  endProse(markdown.length)
  endIndented()
  if (fence !== undefined) {
    const { from, marks, isQuoted, offset } = fence
    const missingEnd = `${isQuoted ? '> ' : ' '.repeat(offset)}${marks}`
    parts.push({ kind: 'block', from, to: markdown.length, missingEnd })
  }
  return parts
}

function isWithin(fence: Fence, line: string, isBlank: boolean, indent: number): boolean {
  return fence.isQuoted ? QUOTED.test(line) : isBlank || indent >= fence.offset
}

function openingIn(line: string, { at, column, isQuoted }: Containers, offset: number): string | undefined {
  if (!isQuoted && column - offset >= CODE_INDENT) return undefined
  OPENING.lastIndex = at
  return OPENING.exec(line)?.[0]
}

function readContainers(line: string): Containers {
  const offsets: number[] = []
  let isQuoted = false
  let at = 0
  let column = 0
  for (;;) {
    while (line[at] === ' ' || line[at] === '\t')
      column += line[at++] === '\t' ? CODE_INDENT - (column % CODE_INDENT) : 1
    ITEM.lastIndex = at
    const mark = ITEM.exec(line)?.[0]
    if (line[at] === '>') {
      isQuoted = true
      at++
      column++
    } else if (mark !== undefined) {
      at += mark.length
      column += mark.length
      const spaces = /^ {1,4}(?! )/.exec(line.slice(at, at + CODE_INDENT + 1))?.[0].length ?? 1
      offsets.push(column + spaces)
    } else return { at, column, isQuoted, offsets }
  }
}

function columnsOf(line: string): number {
  let column = 0
  for (const character of line) {
    if (character === ' ') column++
    else if (character === '\t') column += CODE_INDENT - (column % CODE_INDENT)
    else break
  }
  return column
}

/** Escaped characters begin nothing. */
const MARK = /\\[\s\S]|`+|\$\$?/g
/** Follows other programs: "$5 and $6" is no formula. */
const FORMULA = /\$(?=[^\s$])[^$\n]*[^\s$\\]\$(?!\d)/y

/** Finds code and formulas within a paragraph, whose place in the text is `offset`. */
export function findInline(text: string, offset = 0): VerbatimPart[] {
  const parts: VerbatimPart[] = []
  const ends = endsOfSpans(text)
  const lastDouble = text.lastIndexOf('$$')
  MARK.lastIndex = 0
  for (let found = MARK.exec(text); found !== null; found = MARK.exec(text)) {
    const { 0: mark, index } = found
    const after = index + mark.length
    let end: number | undefined
    if (mark.startsWith('`')) end = ends.after(mark.length, after)
    else if (mark === '$$') end = after <= lastDouble ? text.indexOf('$$', after) + 2 : undefined
    else if (mark === '$') end = endOfFormula(text, index)
    if (end === undefined) continue
    parts.push({ kind: mark.startsWith('`') ? 'span' : 'formula', from: offset + index, to: offset + end })
    MARK.lastIndex = end
  }
  return parts
}

function endOfFormula(text: string, at: number): number | undefined {
  FORMULA.lastIndex = at
  return FORMULA.test(text) ? FORMULA.lastIndex : undefined
}

/** Code ends with as many backticks as it begins with. It is asked for later and later places. */
function endsOfSpans(text: string): { after(length: number, at: number): number | undefined } {
  const byLength = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = byLength.get(run.length)
    if (places === undefined) byLength.set(run.length, [index])
    else places.push(index)
  }
  for (const places of byLength.values()) places.reverse()
  return {
    after: (length, at) => {
      const places = byLength.get(length) ?? []
      while ((places.at(-1) ?? at) < at) places.pop()
      const next = places.at(-1)
      return next === undefined ? undefined : next + length
    },
  }
}
