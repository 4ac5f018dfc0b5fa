import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it'
import { addTokens, beginsWith, isCode, lineAt, mayNest, parseBlocks, readIndented } from './nested-blocks.ts'

export const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const
export type Callout = (typeof CALLOUTS)[number]

/** Names that other tools use, in addition to our own. */
const OTHER_NAMES: Readonly<Record<string, Callout>> = {
  info: 'note',
  abstract: 'note',
  question: 'note',
  example: 'note',
  quote: 'note',
  secondary: 'note',
  summary: 'note',
  seealso: 'note',
  todo: 'note',
  hint: 'tip',
  check: 'tip',
  success: 'tip',
  faq: 'note',
  help: 'note',
  attention: 'warning',
  danger: 'caution',
  error: 'caution',
  failure: 'caution',
  bug: 'caution',
}

const QUOTED = /^\[!([A-Za-z]+)\][ \t]*(?:\n|$)/
/** `:::note Title` or `:::note[Title]`, until `:::`. */
const FENCE = /^ {0,3}:{3,}[ \t]*([A-Za-z]+)[ \t]*(?:\[([^\]]*)\]|([^{]*))/
const FENCE_END = /^ {0,3}:{3,}[ \t]*$/
/** `!!! note "Title"`, with an indented content. `???` can be folded in other tools. */
const INDENTED = /^ {0,3}(?:!!!|\?\?\?\+?)[ \t]+([A-Za-z]+)(?:[ \t]+"([^"]*)")?[ \t]*$/
const CODE_FENCE = /^ {0,3}(?:```|~~~)/

/** Highlighted paragraphs: `> [!NOTE]`, and the forms of other tools. They are block quotes with a class. */
export function addCallouts(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'callouts', markQuotes)
  const options = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
  md.block.ruler.before('fence', 'callout_fence', readFence, options)
  md.block.ruler.before('fence', 'callout_indented', readIndentedCallout, options)
}

/** The callout that a name of another tool means. */
export const calloutKind = (name: string): Callout | undefined => {
  const lower = name.toLowerCase()
  return CALLOUTS.find((kind) => kind === lower) ?? (Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined)
}

const classOf = (kind: Callout): string => `callout ${kind}`

function markQuotes(state: StateCore): void {
  const dropped = new Set<Token>()
  for (const [n, quote] of state.tokens.entries()) {
    const [opening, inline, closing] = state.tokens.slice(n + 1, n + 4)
    if (quote.type !== 'blockquote_open' || opening?.type !== 'paragraph_open' || inline === undefined) continue
    const [marker, name = ''] = QUOTED.exec(inline.content) ?? []
    const kind = calloutKind(name)
    if (marker === undefined || kind === undefined) continue
    quote.attrSet('class', classOf(kind))
    inline.content = inline.content.slice(marker.length)
    if (inline.map !== null && marker.endsWith('\n')) inline.map = [inline.map[0] + 1, inline.map[1]]
    if (inline.content === '' && closing !== undefined)
      for (const token of [opening, inline, closing]) dropped.add(token)
  }
  if (dropped.size > 0) state.tokens = state.tokens.filter((token) => !dropped.has(token))
}

function readFence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!beginsWith(state, startLine, ':') || isCode(state, startLine) || !mayNest(state)) return false
  const [, name = '', inBrackets, plain = ''] = FENCE.exec(lineAt(state, startLine)) ?? []
  const kind = calloutKind(name)
  if (kind === undefined) return false
  if (silent) return true
  const end = findFenceEnd(state, startLine, endLine)
  const text = state.getLines(startLine + 1, end, state.blkIndent, false)
  pushCallout(state, kind, (inBrackets ?? plain).trim(), text, startLine)
  state.line = Math.min(end + 1, endLine)
  return true
}

/** A fence that is not closed ends with the block that it is in. */
function findFenceEnd(state: StateBlock, startLine: number, endLine: number): number {
  let open = 1
  let isInCode = false
  for (let line = startLine + 1; line < endLine; line++) {
    const text = lineAt(state, line)
    if (CODE_FENCE.test(text)) isInCode = !isInCode
    if (isInCode) continue
    if (FENCE_END.test(text)) open--
    else if (FENCE.test(text)) open++
    if (open === 0) return line
  }
  return endLine
}

function readIndentedCallout(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!beginsWith(state, startLine, '!?') || isCode(state, startLine) || !mayNest(state)) return false
  const [, name = '', title = ''] = INDENTED.exec(lineAt(state, startLine)) ?? []
  const kind = calloutKind(name)
  if (kind === undefined) return false
  if (silent) return true
  const { text, end } = readIndented(state, startLine, endLine, 4)
  pushCallout(state, kind, title, text, startLine)
  state.line = end
  return true
}

function pushCallout(state: StateBlock, kind: Callout, title: string, text: string, line: number): void {
  const { md, env } = state
  state.push('blockquote_open', 'blockquote', 1).attrSet('class', classOf(kind))
  if (title !== '') {
    state.push('paragraph_open', 'p', 1)
    state.push('strong_open', 'strong', 1)
    const inline = state.push('inline', '', 0)
    inline.content = title
    inline.children = []
    inline.map = [line, line + 1]
    state.push('strong_close', 'strong', -1)
    state.push('paragraph_close', 'p', -1)
  }
  addTokens(state.tokens, parseBlocks(md, env, text, line + 1))
  state.push('blockquote_close', 'blockquote', -1)
}
