import { shield, unshield } from '../../../platform/markdown/verbatim/shield.ts'
import { fenceOf, isEndOfFence, type TextBlock, toBlocks, toItems } from './blocks.ts'
import { toSentences } from './sentences.ts'

/** A piece of a text under its headings. */
export interface TextPassage {
  /** Markdown without its marks, outermost first. */
  headings: string[]
  markdown: string
}

/** Paragraphs under one heading share a passage up to this length: about ten sentences. */
const LENGTH_MAX = 1000
/** Steps, tables and code stay whole up to this length, about fifty steps. Longer ones are cut between items, rows or lines. */
const WHOLE_LENGTH_MAX = 5000
/** Bounds the work and the size of the index. What follows is found by search, but not used in answers. */
const PASSAGES_MAX = 300
const TEXT_LENGTH_MAX = 200_000
const HEADING_LENGTH_MAX = 200
/** A fence may have the name of the language. */
const FENCE_LENGTH_MAX = 200

/** Divides a text into passages. A passage never spans a heading, and steps and tables keep the sentence above them. */
export function splitIntoPassages(markdown: string): TextPassage[] {
  const passages: TextPassage[] = []
  const path: { level: number; text: string }[] = []
  let section: string[] = []
  const endSection = () => {
    const headings = path.map(({ text }) => text).filter((text) => text !== '')
    for (const text of joinPieces(section)) passages.push({ headings, markdown: text })
    section = []
  }
  const text = withLinks(markdown.slice(0, TEXT_LENGTH_MAX))
  for (const block of toBlocks(text)) {
    if (passages.length >= PASSAGES_MAX) break
    if (block.kind !== 'heading') {
      if (isContents(block)) continue
      section.push(...toPieces(block))
      continue
    }
    endSection()
    while ((path.at(-1)?.level ?? 0) >= block.level) path.pop()
    path.push({ level: block.level, text: block.text.slice(0, HEADING_LENGTH_MAX) })
  }
  endSection()
  return passages.slice(0, PASSAGES_MAX)
}

const LINK_WITHIN = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[.*\]\(#[^()\s]*\)[ \t]*$/

/** Whether a list only links to headings of its own text. It has the words of all of them, and answers nothing. */
const isContents = ({ kind, lines }: Exclude<TextBlock, { kind: 'heading' }>): boolean =>
  kind === 'list' && lines.every((line) => line.trim() === '' || LINK_WITHIN.test(line))

/** Joins pieces to passages. A short piece before steps or a table introduces them, and moves along with them. */
function joinPieces(pieces: readonly string[]): string[] {
  const joined: string[] = []
  let current: string[] = []
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)
  for (const piece of pieces) {
    if (current.length > 0 && lengthOf(current) + piece.length > LENGTH_MAX) {
      const introduction = /[:：]\s*$/.test(current.at(-1) ?? '') ? current.splice(-1) : []
      if (current.length > 0) joined.push(current.join('\n\n'))
      current = introduction
    }
    current.push(piece)
  }
  if (current.length > 0) joined.push(current.join('\n\n'))
  return joined
}

const STAYS_WHOLE: ReadonlySet<TextBlock['kind']> = new Set(['list', 'table', 'code'])

/** Returns a block as one piece, or as several if it is too long. */
function toPieces(block: Exclude<TextBlock, { kind: 'heading' }>): string[] {
  const { kind, lines } = block
  const text = lines.join('\n').trimEnd()
  if (text.length <= (STAYS_WHOLE.has(kind) ? WHOLE_LENGTH_MAX : LENGTH_MAX)) return [text]
  switch (kind) {
    case 'list':
      return pack(
        toItems(lines).flatMap((item) => pack(item, WHOLE_LENGTH_MAX, '\n')),
        WHOLE_LENGTH_MAX,
        '\n',
      )
    case 'table': {
      const head = lines.slice(0, 2).join('\n')
      if (head.length > LENGTH_MAX) return pack(lines, WHOLE_LENGTH_MAX, '\n')
      return pack(lines.slice(2), WHOLE_LENGTH_MAX - head.length, '\n').map((rows) => `${head}\n${rows}`)
    }
    case 'paragraph':
      return pack(toSentences(lines.join(' ')), LENGTH_MAX, ' ')
    case 'code':
      return packCode(lines)
    default:
      return pack(lines, LENGTH_MAX, '\n')
  }
}

/** Each piece has the fences: without them, its text would be no code. */
function packCode(lines: readonly string[]): string[] {
  const fence = fenceOf(lines)
  if (fence === undefined || fence.length > FENCE_LENGTH_MAX) return pack(lines, WHOLE_LENGTH_MAX, '\n')
  const [first = '', ...rest] = lines
  const code = isEndOfFence(rest.at(-1) ?? '', fence) ? rest.slice(0, -1) : rest
  const head = first.length > FENCE_LENGTH_MAX ? fence : first
  const lengthMax = WHOLE_LENGTH_MAX - head.length - fence.length
  return pack(code, lengthMax, '\n').map((piece) => `${head}\n${piece}\n${fence}`)
}

/** Puts as many parts into each piece as fit. A part that is too long by itself is cut. */
function pack(parts: readonly string[], lengthMax: number, separator: string): string[] {
  const pieces: string[] = []
  let current = ''
  for (const part of parts) {
    if (current !== '' && current.length + separator.length + part.length > lengthMax) {
      pieces.push(current)
      current = ''
    }
    current = current === '' ? part : `${current}${separator}${part}`
    while (current.length > lengthMax) {
      const cut = /[\ud800-\udbff]/.test(current.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax
      pieces.push(current.slice(0, cut))
      current = current.slice(cut)
    }
  }
  if (current !== '') pieces.push(current)
  return pieces.filter((piece) => piece.trim() !== '')
}

const DEFINITIONS = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*<?([^\s<>]{1,2000})>?/gm
const REFERENCES = /\[([^[\]\n]{1,500})\]\[([^[\]\n]{0,200})\]/g

/** Writes the address of a link beside its text, because its definition may be in another passage. In code, it is no link. */
function withLinks(text: string): string {
  const addresses = new Map<string, string>()
  const markdown = shield(text)
  for (const [, name = '', address = ''] of markdown.matchAll(DEFINITIONS)) {
    const key = name.toLowerCase()
    if (!addresses.has(key)) addresses.set(key, address)
  }
  if (addresses.size === 0) return text
  const linked = markdown.replace(REFERENCES, (all, label: string, name: string) => {
    const address = addresses.get((name || label).toLowerCase())
    return address === undefined ? all : `[${label}](${address})`
  })
  return unshield(linked)
}
