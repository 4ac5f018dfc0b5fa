import type { Env, MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it'
import { addTokens, beginsWith, isCode, lineAt, mayNest, parseBlocks, readIndented } from './nested-blocks.ts'

interface Footnote {
  text: string
  line: number
  /** Starting at 1, in the order of the first references. Undefined until there is one. */
  number?: number
}

interface Footnotes {
  byLabel: Map<string, Footnote>
  /** Those with a reference. */
  numbered: Footnote[]
}

const FOOTNOTES = Symbol('footnotes')
const DEFINITION = /^\[\^([^\s[\]]{1,100})\]:[ \t]*/
const REFERENCE = /\[\^([^\s[\]]{1,100})\]/y

/** `word[^1]`, and `[^1]: What it says.` on its own line. Footnotes are numbered and shown at the end. */
export function addFootnotes(md: MarkdownIt): void {
  const options = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
  md.block.ruler.before('reference', 'footnote_definition', readDefinition, options)
  md.inline.ruler.before('link', 'footnote_reference', readReference)
  md.core.ruler.after('inline', 'footnotes', appendFootnotes)
}

function footnotesOf(env: Env): Footnotes {
  env[FOOTNOTES] ??= { byLabel: new Map(), numbered: [] } satisfies Footnotes
  return env[FOOTNOTES] as Footnotes
}

function readDefinition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!beginsWith(state, startLine, '[') || isCode(state, startLine) || !mayNest(state)) return false
  const line = lineAt(state, startLine)
  const [marker, label = ''] = DEFINITION.exec(line) ?? []
  if (marker === undefined) return false
  if (silent) return true
  const isLazy = (next: number) => !DEFINITION.test(lineAt(state, next))
  const { text, end } = readIndented(state, startLine, endLine, 4, isLazy)
  const { byLabel } = footnotesOf(state.env)
  if (!byLabel.has(label)) byLabel.set(label, { text: `${line.slice(marker.length)}\n${text}`, line: startLine })
  state.line = end
  return true
}

function readReference(state: StateInline, silent: boolean): boolean {
  REFERENCE.lastIndex = state.pos
  const [found, label = ''] = REFERENCE.exec(state.src) ?? []
  const { byLabel, numbered } = footnotesOf(state.env)
  const footnote = byLabel.get(label)
  if (found === undefined || footnote === undefined) return false
  state.pos += found.length
  if (silent) return true
  const isFirst = footnote.number === undefined
  if (isFirst) footnote.number = numbered.push(footnote)
  const { number } = footnote
  const id = isFirst ? ` id="fnref-${number}"` : ''
  state.push('html_inline', '', 0).content = `<sup><a href="#fn-${number}"${id}>${number}</a></sup>`
  return true
}

/** A footnote may refer to others, which are then added to the list. */
function appendFootnotes({ md, env, tokens, Token }: StateCore): void {
  const { numbered } = footnotesOf(env)
  if (numbered.length === 0) return
  const markup = (content: string): Token => Object.assign(new Token('html_inline', '', 0), { content })
  tokens.push(new Token('hr', 'hr', 0), markup('<ol class="footnotes">\n'))
  for (const { text, line, number } of numbered) {
    const blocks = parseBlocks(md, env, text, line)
    for (const block of blocks) {
      if (block.type !== 'inline') continue
      block.children = []
      md.inline.parse(block.content, md, env, block.children)
    }
    const back = markup(` <a href="#fnref-${number}">↩</a>`)
    const isText = blocks.at(-1)?.type === 'paragraph_close'
    tokens.push(markup(`<li><a id="fn-${number}"></a>`))
    addTokens(tokens, isText ? blocks.toSpliced(-1, 0, back) : [...blocks, back])
    tokens.push(markup('</li>\n'))
  }
  tokens.push(markup('</ol>\n'))
}
