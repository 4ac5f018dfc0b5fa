import type { Env, MarkdownIt, StateBlock, Token } from 'markdown-it'

/** Definitions in callouts in footnotes: real texts have two or three levels. Each level parses its text once more. */
const DEPTH_MAX = 5
const DEPTH = Symbol('depth')

const depthOf = (env: Env): number => (env[DEPTH] as number | undefined) ?? 0

/** Whether another block with parsed content may begin here. */
export const mayNest = ({ env }: { env: Env }): boolean => depthOf(env) < DEPTH_MAX

/** Parses the content of a block that begins on line `firstLine`. */
export function parseBlocks(md: MarkdownIt, env: Env, text: string, firstLine: number): Token[] {
  const tokens: Token[] = []
  const depth = depthOf(env)
  env[DEPTH] = depth + 1
  md.block.parse(text, md, env, tokens)
  env[DEPTH] = depth
  for (const token of tokens) {
    if (token.map !== null) token.map = [token.map[0] + firstLine, token.map[1] + firstLine]
  }
  return tokens
}

/** One by one: a call with a hundred thousand arguments fails. */
export function addTokens(tokens: Token[], more: readonly Token[]): void {
  for (const token of more) tokens.push(token)
}

/** The text of a line, without the indentation of the block that it is in. */
export const lineAt = (state: StateBlock, line: number): string =>
  state.getLines(line, line + 1, state.blkIndent, false)

/** Whether the text of a line begins with one of these characters. Cheaper than reading the line. */
export const beginsWith = (state: StateBlock, line: number, characters: string): boolean =>
  characters.includes(state.src.charAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)))

/** Whether a line is indented so far that it is code. */
export const isCode = (state: StateBlock, line: number): boolean => indentOf(state, line) >= 4

const indentOf = (state: StateBlock, line: number): number => (state.sCount[line] ?? 0) - state.blkIndent

/**
 * Reads the lines after `startLine` that are indented by at least `indent`, with the blank lines between them. A lazy line
 * continues the line before it without being indented. Returns the line after the last one.
 */
export function readIndented(
  state: StateBlock,
  startLine: number,
  endLine: number,
  indent: number,
  isLazy: (line: number) => boolean = () => false,
): { text: string; end: number } {
  let end = startLine + 1
  for (let line = end; line < endLine; line++) {
    if (state.isEmpty(line)) continue
    const follows = line === end && isLazy(line)
    if (indentOf(state, line) < indent && !follows) break
    end = line + 1
  }
  return { text: state.getLines(startLine + 1, end, state.blkIndent + indent, false), end }
}
