import type { MarkdownIt, StateBlock } from 'markdown-it'
import { addTokens, beginsWith, isCode, lineAt, mayNest, parseBlocks, readIndented } from './nested-blocks.ts'

const DEFINITION = /^ {0,3}:[ \t]+/
/** More lines without a definition are a paragraph. Keeps the search for the definition short. */
const TERMS_MAX = 10

/** Terms, each on a line, and their definitions: lines that begin with a colon. */
export function addDefinitionLists(md: MarkdownIt): void {
  md.block.ruler.before('paragraph', 'definition_list', readList)
}

function readList(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || !mayNest(state) || findDefinition(state, startLine, endLine) === undefined) return false
  state.push('dl_open', 'dl', 1)
  let line = startLine
  for (;;) {
    const definition = findDefinition(state, line, endLine)
    if (definition === undefined) break
    for (; line < definition && !state.isEmpty(line); line++) pushTerm(state, line)
    line = definition
    while (line < endLine && isDefinition(state, line)) line = pushDefinition(state, line, endLine)
    state.line = line
    line = state.skipEmptyLines(line)
  }
  state.push('dl_close', 'dl', -1)
  return true
}

const isDefinition = (state: StateBlock, line: number): boolean =>
  beginsWith(state, line, ':') && !isCode(state, line) && DEFINITION.test(lineAt(state, line))

/** The line of the first definition of the terms that begin here. There may be one blank line before it. */
function findDefinition(state: StateBlock, startLine: number, endLine: number): number | undefined {
  if (startLine >= endLine || state.isEmpty(startLine) || isCode(state, startLine)) return undefined
  if ((state.sCount[startLine] ?? 0) < state.blkIndent || isDefinition(state, startLine)) return undefined
  const last = Math.min(startLine + TERMS_MAX, endLine - 1)
  for (let line = startLine + 1; line <= last; line++) {
    const at = state.isEmpty(line) ? line + 1 : line
    if (at < endLine && (state.sCount[at] ?? 0) >= state.blkIndent && isDefinition(state, at)) return at
    if (at !== line) return undefined
  }
  return undefined
}

function pushTerm(state: StateBlock, line: number): void {
  state.push('dt_open', 'dt', 1)
  const inline = state.push('inline', '', 0)
  inline.content = lineAt(state, line).trim()
  inline.children = []
  inline.map = [line, line + 1]
  state.push('dt_close', 'dt', -1)
}

/** Returns the line after the definition. */
function pushDefinition(state: StateBlock, startLine: number, endLine: number): number {
  const first = lineAt(state, startLine).replace(DEFINITION, '')
  const { text, end } = readIndented(state, startLine, endLine, 2)
  const blocks = parseBlocks(state.md, state.env, `${first}\n${text}`, startLine)
  const isOneParagraph = blocks.length === 3 && blocks[0]?.type === 'paragraph_open'
  if (isOneParagraph) for (const block of blocks) block.hidden = block.type !== 'inline'
  state.push('dd_open', 'dd', 1)
  addTokens(state.tokens, blocks)
  state.push('dd_close', 'dd', -1)
  return end
}
